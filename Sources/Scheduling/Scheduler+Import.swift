// Taking in what was exported elsewhere: the batches of several apps as one change, tried on a copy
// first, so that nothing is half imported.

import CivilTime

extension Scheduler {
    mutating func take(
        _ batches: [Batch], isDryRun: Bool, call: CallToken, at now: Moment,
        _ effects: inout [Effect]
    ) {
        var trial = self
        var items: [ImportedItem] = []
        var changes: [Effect] = []
        for batch in batches {
            var (remaining, past) = trial.withoutPast(batch, at: now)
            items += past
            guard !remaining.requests.isEmpty else { continue }
            remaining.whenFull = .queue
            for effect in trial.handle(.submitted(remaining, call: call), at: now) {
                switch effect {
                case .reply(_, .added(let added, _)):
                    items += added.map { added in
                        let key = RequestKey(app: batch.app, identifier: added.identifier)
                        return ImportedItem(
                            key: key, outcome: added.replaced ? .replaced : .added)
                    }
                case .reply(_, let refusal):
                    effects.append(.reply(call, refusal))
                    return
                case .change, .present, .withdraw, .publish:
                    changes.append(effect)
                }
            }
        }
        if !isDryRun {
            self = trial
            effects += changes
        }
        effects.append(.reply(call, .imported(items)))
    }

    /// The batch without the requests whose time has passed.
    private mutating func withoutPast(
        _ batch: Batch, at now: Moment
    ) -> (batch: Batch, past: [ImportedItem]) {
        zones.merge(batch.zones) { old, _ in old }
        var remaining = batch
        var past: [ImportedItem] = []
        remaining.requests.removeAll { request in
            var zone = localZone
            if case .calendar(let calendar) = request.trigger { zone = self.zone(of: calendar) }
            let context = OccurrenceContext(now: now, zone: zone, added: now.wall)
            guard request.trigger == .now || request.trigger.firstOccurrence(context) == nil else {
                return false
            }
            let key = RequestKey(app: batch.app, identifier: request.identifier)
            past.append(ImportedItem(key: key, outcome: .past))
            return true
        }
        return (remaining, past)
    }
}
