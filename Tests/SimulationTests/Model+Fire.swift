// The naive rules of firing: which occurrences have passed, which of them is shown, and what is
// recorded as missed.

import CivilTime
import Scheduling

extension Model {
    /// The occurrences of one request that have passed.
    private struct Passed {
        var entry: Entry
        /// Due times on the wall clock.
        var latest: Int64
        var oneBefore: Int64?
        var count: Int
        /// Without the latest; too many to count stay too many.
        var countBefore: Int { isCut ? count : count - 1 }
        var isCut = false
        var lateness: Int64
        var following: Due?
    }

    mutating func expire(at now: Moment, past: Outcome?, _ outcome: inout Outcome) {
        for (key, shown) in delivered where !shown.isPresented {
            guard let last = shown.limit.map({ shown.due + max($0, Limits.promptMicroseconds) }),
                now.wall.microseconds > last,
                bootTime(.wall(last + 1)) <= now.boot.microseconds,
                past?.gaveUp.contains(shown.occurrence) ?? true
            else { continue }
            delivered[key] = nil
            outcome.gaveUp.insert(shown.occurrence)
            miss(
                key.app,
                Miss(
                    identifier: key.identifier, title: shown.occurrence.title, due: shown.due,
                    count: max(shown.missedCount, 1), reason: .latenessLimit))
        }
        let due = pending.values.filter { entry in
            guard past?.cameDue.contains(entry.order) ?? true else { return false }
            if case .wall(let instant) = entry.due, instant > now.wall.microseconds { return false }
            return bootTime(entry.due) <= now.boot.microseconds
        }
        let elapsed = due.map { passed(of: $0, at: now) }
            .sorted { ($0.latest, $0.entry.order) < ($1.latest, $1.entry.order) }
        for passed in elapsed {
            outcome.cameDue.insert(passed.entry.order)
            moveOn(passed, &outcome)
            settle(passed, &outcome)
        }
    }

    private func passed(of entry: Entry, at now: Moment) -> Passed {
        let left = (entry.request.trigger.bounds.maxCount ?? .max) - entry.passed
        switch (entry.request.trigger, entry.due) {
        case (.calendar(let calendar), .wall(let due)) where calendar.repeats:
            return passed(of: entry, calendar, from: due, left: left, at: now)
        case (.interval(let interval), .boot(let due)) where interval.repeats:
            return passed(of: entry, interval, from: due, left: left, at: now)
        case (_, .wall(let due)):
            return Passed(
                entry: entry, latest: due, count: 1, lateness: now.wall.microseconds - due)
        case (_, .boot(let due)):
            return Passed(
                entry: entry, latest: due + offset, count: 1,
                lateness: now.boot.microseconds - due)
        }
    }

    private func passed(
        of entry: Entry, _ interval: IntervalTrigger, from due: Int64, left: Int, at now: Moment
    ) -> Passed {
        let end = interval.bounds.endsAt.map { $0.microseconds - now.offset } ?? .max
        // A clock that was set forward can have put an interval behind its end: it had one coming.
        let last = max(min(now.boot.microseconds, end), due)
        let count = min(Int((last - due) / interval.period) + 1, left)
        let latest = due + Int64(count - 1) * interval.period
        let next = latest + interval.period
        return Passed(
            entry: entry, latest: latest + offset,
            oneBefore: count > 1 ? latest - interval.period + offset : nil, count: count,
            lateness: now.boot.microseconds - latest,
            following: count < left && next <= end ? .boot(next) : nil)
    }

    private func passed(
        of entry: Entry, _ calendar: CalendarTrigger, from due: Int64, left: Int, at now: Moment
    ) -> Passed {
        let wall = now.wall.microseconds
        var passed = Passed(entry: entry, latest: due, count: 1, lateness: wall - due)
        var next = left > 1 ? nextUnfired(entry, calendar, after: due) : nil
        while let instant = next, instant <= wall {
            if passed.count == Limits.countedMissed, calendar.bounds.maxCount == nil {
                passed.latest = lastUnfired(entry, calendar, upTo: wall) ?? passed.latest
                passed.oneBefore = lastUnfired(entry, calendar, upTo: passed.latest - 1)
                next = nextUnfired(entry, calendar, after: passed.latest)
                passed.isCut = true
                break
            }
            passed.oneBefore = passed.latest
            passed.latest = instant
            passed.count += 1
            next = passed.count < left ? nextUnfired(entry, calendar, after: instant) : nil
        }
        passed.lateness = wall - passed.latest
        passed.following = next.map(Due.wall)
        return passed
    }

    // MARK: What becomes of it

    private mutating func moveOn(_ passed: Passed, _ outcome: inout Outcome) {
        var entry = passed.entry
        guard let following = passed.following else {
            pending[entry.key] = nil
            return
        }
        if case .calendar(let calendar) = entry.request.trigger {
            if !entry.everFired.insert(passed.latest).inserted {
                outcome.repeated.append(
                    OccurrenceID(title: entry.title, instant: passed.latest))
            }
            noteFired(passed.latest, calendar, &entry)
        }
        entry.due = following
        entry.passed += passed.count
        pending[entry.key] = entry
    }

    /// Lengthens the last run if `instant` is the very next occurrence after it, else begins one.
    private func noteFired(_ instant: Int64, _ calendar: CalendarTrigger, _ entry: inout Entry) {
        if let last = entry.runs.last, last.upperBound < instant,
            next(entry, calendar, after: last.upperBound) == instant
        {
            entry.runs[entry.runs.count - 1] = last.lowerBound...instant
            return
        }
        entry.runs.append(instant...instant)
        if entry.runs.count > FiredRanges.limit { entry.runs.removeFirst() }
    }

    private mutating func settle(_ passed: Passed, _ outcome: inout Outcome) {
        let entry = passed.entry
        let request = entry.request
        func missed(_ due: Int64, _ count: Int, _ reason: MissedReason) -> Miss {
            Miss(
                identifier: request.identifier, title: entry.title, due: due, count: count,
                reason: reason)
        }
        // What is on time is shown, however small the limit.
        let isLate = passed.lateness > Limits.promptMicroseconds
        if isLate, let limit = request.latenessLimit, passed.lateness > limit {
            miss(entry.app, missed(passed.latest, passed.count, .latenessLimit))
            return
        }
        if request.ifMissed == .skip {
            if isLate {
                miss(entry.app, missed(passed.latest, passed.count, .skipped))
                return
            }
            if passed.count > 1, let before = passed.oneBefore {
                miss(entry.app, missed(before, passed.countBefore, .skipped))
            }
        }
        var occurrence = OccurrenceID(title: entry.title, instant: passed.latest)
        if case .boot = entry.due {
            occurrence.instant = Int64(entry.passed + passed.count)
        }
        let others = request.ifMissed == .skip ? 0 : passed.countBefore
        deliver(
            entry.key,
            Shown(
                occurrence: occurrence, due: passed.latest, late: isLate,
                missedCount: isLate ? passed.count : others, limit: request.latenessLimit),
            &outcome)
    }

    mutating func deliver(_ key: RequestKey, _ shown: Shown, _ outcome: inout Outcome) {
        delivered[key] = shown
        outcome.fired.append((key, shown))
    }

    mutating func miss(_ app: String, _ miss: Miss) {
        missed[app, default: []].append(miss)
        if missed[app, default: []].count > Limits.missedPerApp { missed[app]?.removeFirst() }
    }
}
