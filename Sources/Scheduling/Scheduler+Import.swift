// Taking in what was exported elsewhere: the batches of several apps as one change, tried on a copy
// first, so that nothing is half imported. What was one list stays one: its order is the order of
// adding, whichever apps its requests belong to.

import CivilTime

extension Scheduler {
    mutating func importBatches(
        _ batches: [Batch], isDryRun: Bool, call: CallToken, at now: Moment,
        _ effects: inout [Effect]
    ) {
        var trial = self
        var items: [(place: Int, item: ImportedItem)] = []
        var changes: [Effect] = []
        var latest = lastSequence
        for batch in Self.placed(batches) {
            var (remaining, past) = trial.withoutPast(batch, at: now)
            items += past
            guard let places = remaining.places, !places.isEmpty else { continue }
            remaining.whenFull = .queue
            // The places of every batch count from the same number.
            trial.lastSequence = lastSequence
            for effect in trial.handle(.submitted(remaining, call: call), at: now) {
                switch effect {
                case .reply(_, .added(let added, _)):
                    items += zip(places, added).map { place, added in
                        let key = RequestKey(app: batch.app, identifier: added.identifier)
                        let item = ImportedItem(
                            key: key, outcome: added.replaced ? .replaced : .added)
                        return (place, item)
                    }
                case .reply(_, let refusal):
                    effects.append(.reply(call, refusal))
                    return
                case .change, .present, .withdraw, .publish:
                    changes.append(effect)
                }
            }
            latest = max(latest, trial.lastSequence)
        }
        if !isDryRun {
            self = trial
            lastSequence = latest
            effects += changes
        }
        items.sort { $0.place < $1.place }
        effects.append(.reply(call, .imported(items.map(\.item))))
    }

    /// Every batch with places; those of a batch that has none follow on the batches before it.
    private static func placed(_ batches: [Batch]) -> [Batch] {
        var end = 0
        return batches.map { batch in
            var batch = batch
            let places = batch.places ?? Array(end..<end + batch.requests.count)
            precondition(places.count == batch.requests.count, "every request has one place")
            end = max(end, places.last.map { $0 + 1 } ?? end)
            batch.places = places
            return batch
        }
    }

    /// The batch without the requests whose time has passed.
    private mutating func withoutPast(
        _ batch: Batch, at now: Moment
    ) -> (batch: Batch, past: [(place: Int, item: ImportedItem)]) {
        zones.merge(batch.zones) { old, _ in old }
        var remaining = batch
        remaining.requests = []
        remaining.places = []
        var past: [(place: Int, item: ImportedItem)] = []
        for (place, request) in zip(batch.places ?? [], batch.requests) {
            var zone = localZone
            if case .calendar(let calendar) = request.trigger { zone = self.zone(of: calendar) }
            let context = OccurrenceContext(now: now, zone: zone, added: now.wall)
            guard request.trigger == .now || request.trigger.firstOccurrence(context) == nil else {
                remaining.requests.append(request)
                remaining.places?.append(place)
                continue
            }
            let key = RequestKey(app: batch.app, identifier: request.identifier)
            past.append((place, ImportedItem(key: key, outcome: .past)))
        }
        return (remaining, past)
    }
}
