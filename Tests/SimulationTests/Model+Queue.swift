// The naive rules of the queue: what a batch adds, replaces, pushes out, and why it is refused.

import CivilTime
import Scheduling
import TestSupport

extension Model {
    mutating func submit(_ batch: Batch, at now: Moment, _ outcome: inout Outcome) -> Answer {
        zones.merge(batch.zones) { old, _ in old }
        var entries: [Entry] = []
        for (index, request) in batch.requests.enumerated() {
            let place = batch.places?[index]
            let field = place.map { "requests[\($0)].request" } ?? "requests[\(index)]"
            guard !batch.requests[..<index].contains(where: { $0.identifier == request.identifier })
            else {
                return .invalid(field: field + ".identifier")
            }
            if request.trigger == .now { continue }
            guard let due = first(of: request.trigger, at: now) else {
                if case .date = request.trigger { return .inPast }
                return .neverFires
            }
            entries.append(
                Entry(
                    app: batch.app, request: request, order: orders + (place ?? entries.count) + 1,
                    added: now.wall, strideDay: strideDay(of: request.trigger, at: now),
                    due: due))
        }
        let before = pending.filter { $0.key.app == batch.app }
        let named = Set(batch.requests.map(\.identifier))
        let staying = before.values.filter { !named.contains($0.request.identifier) }
        // A backlog stays as long as it is, but for those who ask for one.
        let capacity = batch.whenFull == .queue ? 10_064 : max(64, before.count)
        let excess = staying.count + entries.count - capacity
        var leaving: Set<Int> = []
        if excess > 0 {
            switch batch.whenFull {
            case .fail, .queue:
                let new = entries.filter { before[$0.key] == nil }.suffix(excess)
                return .full(
                    limit: batch.whenFull == .queue ? capacity : 64, pending: before.count,
                    noRoomFor: new.map(\.request.identifier))
            case .keepSoonest:
                leaving = Set(inFiringOrder(staying + entries).suffix(excess).map(\.order))
            case .keepLatestAdded:
                leaving = Set((staying + entries).map(\.order).sorted().prefix(excess))
            }
        }
        return accept(batch, entries, leaving: leaving, before: before, at: now, &outcome)
    }

    private mutating func accept(
        _ batch: Batch, _ entries: [Entry], leaving: Set<Int>, before: [RequestKey: Entry],
        at now: Moment, _ outcome: inout Outcome
    ) -> Answer {
        orders = entries.last?.order ?? orders
        var evicted: [Answer.Line] = []
        for entry in inFiringOrder(before.values) where leaving.contains(entry.order) {
            pending[entry.key] = nil
            evicted.append(note(entry))
        }
        for entry in entries {
            pending[entry.key] = leaving.contains(entry.order) ? nil : entry
            if leaving.contains(entry.order) { evicted.append(note(entry)) }
        }
        var added: [Answer.Line] = []
        for request in batch.requests {
            let key = RequestKey(app: batch.app, identifier: request.identifier)
            if request.trigger == .now {
                pending[key] = nil
                deliver(
                    key,
                    Shown(
                        occurrence: OccurrenceID(
                            title: request.content.title, instant: now.wall.microseconds),
                        due: now.wall.microseconds, late: false, missedCount: 0,
                        limit: request.latenessLimit), &outcome)
                added.append(
                    Answer.Line(
                        identifier: request.identifier, next: now.wall.microseconds,
                        replaced: before[key] != nil))
            } else if let entry = pending[key] {
                var line = note(entry)
                line.replaced = before[key] != nil
                added.append(line)
            }
        }
        let soonest = Set(firingOrder.filter { $0.app == batch.app }.prefix(64))
        for index in added.indices {
            let key = RequestKey(app: batch.app, identifier: added[index].identifier)
            added[index].isBacklogged = pending[key] != nil && !soonest.contains(key)
        }
        return .added(added, evicted: evicted)
    }

    /// All batches or none, as the one list that they are of; what can not fire any more is left
    /// out.
    mutating func take(
        _ batches: [Batch], isDryRun: Bool, at now: Moment, _ outcome: inout Outcome
    ) -> Answer {
        let before = self
        var lastOrder = orders
        var items: [Int: Answer.Item] = [:]
        for var batch in batches {
            zones.merge(batch.zones) { old, _ in old }
            let list = zip(batch.places ?? [], batch.requests)
            for (place, request) in list {
                let key = RequestKey(app: batch.app, identifier: request.identifier)
                items[place] = Answer.Item(key: key, outcome: .past)
            }
            let waiting = list.filter { first(of: $0.1.trigger, at: now) != nil }
            if waiting.isEmpty { continue }
            batch.places = waiting.map(\.0)
            batch.requests = waiting.map(\.1)
            batch.whenFull = .queue
            orders = before.orders
            let answer = submit(batch, at: now, &outcome)
            guard case .added(let added, _) = answer else {
                self = before
                return answer
            }
            for (entry, line) in zip(waiting, added) {
                items[entry.0]?.outcome = line.replaced ? .replaced : .added
            }
            lastOrder = max(lastOrder, orders)
        }
        orders = lastOrder
        if isDryRun { self = before }
        return .imported(items.sorted { $0.key < $1.key }.map(\.value))
    }

    private func note(_ entry: Entry) -> Answer.Line {
        Answer.Line(identifier: entry.request.identifier, next: wallTime(entry.due))
    }

    // MARK: Occurrences

    /// The date of a trigger's start by the clocks of its zone, now and for good.
    private func strideDay(of trigger: Trigger, at now: Moment) -> Int {
        guard case .calendar(let calendar) = trigger else { return 0 }
        let start = (calendar.bounds.startsAt ?? now.wall).wholeSeconds
        let local = start + Int64(zone(of: calendar).offset(at: start))
        return Int((Double(local) / 86_400).rounded(.down))
    }

    /// The first occurrence later than now.
    private func first(of trigger: Trigger, at now: Moment) -> Due? {
        switch trigger {
        case .now: return nil
        case .date(let instant): return instant > now.wall ? .wall(instant.microseconds) : nil
        case .interval(let interval):
            var wall = now.wall.microseconds + interval.period
            if let start = interval.bounds.startsAt?.microseconds {
                wall = start + interval.period
                while wall <= now.wall.microseconds { wall += interval.period }
            }
            if let end = interval.bounds.endsAt, wall > end.microseconds { return nil }
            return .boot(wall - now.offset)
        case .calendar(let calendar):
            let request = Request(
                identifier: "", content: Content(title: ""), trigger: trigger)
            let entry = Entry(
                app: "", request: request, order: 0, added: now.wall,
                strideDay: strideDay(of: trigger, at: now), due: .wall(0))
            return next(entry, calendar, after: now.wall.microseconds).map(Due.wall)
        }
    }

    /// The first occurrence after `instant`, fired or not.
    func next(_ entry: Entry, _ calendar: CalendarTrigger, after instant: Int64) -> Int64? {
        let start = calendar.bounds.startsAt?.microseconds ?? .min
        let found = calendar.pattern.next(
            after: WallInstant(microseconds: start > instant ? start - 1 : instant),
            in: zone(of: calendar), overlap: calendar.repeats ? .firstPass : .nextPass,
            every: calendar.stride, anchor: .day(entry.strideDay))
        guard let found, found <= calendar.bounds.endsAt ?? found else { return nil }
        return found.microseconds > Limits.latestWallMicroseconds ? nil : found.microseconds
    }

    /// The first occurrence after `instant` that is in no run of firings.
    func nextUnfired(_ entry: Entry, _ calendar: CalendarTrigger, after instant: Int64) -> Int64? {
        var after = instant
        while let found = next(entry, calendar, after: after) {
            guard let run = entry.runs.first(where: { $0.contains(found) }) else { return found }
            after = run.upperBound
        }
        return nil
    }

    /// The last occurrence up to `instant` that is in no run of firings.
    func lastUnfired(_ entry: Entry, _ calendar: CalendarTrigger, upTo instant: Int64) -> Int64? {
        var before = min(instant, calendar.bounds.endsAt?.microseconds ?? instant) + 1
        while true {
            let found = calendar.pattern.previous(
                before: WallInstant(microseconds: before), in: zone(of: calendar),
                overlap: .firstPass, every: calendar.stride,
                anchor: .day(entry.strideDay))
            guard let found = found?.microseconds else { return nil }
            guard let run = entry.runs.first(where: { $0.contains(found) }) else { return found }
            before = run.lowerBound
        }
    }
}
