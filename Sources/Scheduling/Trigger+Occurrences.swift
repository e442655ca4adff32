// From trigger to occurrences. The next one always comes from the last scheduled one, never from
// "now": nothing fires twice in an overlap and nothing is lost in a gap.

package import CivilTime

/// What a trigger is computed in: the clocks of the turn and the zone of a calendar trigger.
package struct OccurrenceContext: Sendable {
    package var now: Moment
    package var zone: Zone
    /// When the request was added: where strides count from, and the one occurrence of a one-shot.
    package var added: WallInstant
    /// The civil date from which a stride counts, if it was fixed: see `PendingRequest`.
    package var strideDay: Int?

    package init(now: Moment, zone: Zone, added: WallInstant, strideDay: Int? = nil) {
        self.now = now
        self.zone = zone
        self.added = added
        self.strideDay = strideDay
    }

    init(_ pending: PendingRequest, now: Moment, zone: Zone) {
        self.init(now: now, zone: zone, added: pending.added, strideDay: pending.strideDay)
    }
}

/// What a request that came due adds up to.
struct Elapsed: Equatable {
    /// The latest occurrence that has passed; the one that is delivered.
    var latest: Occurrence
    /// The one before `latest`, if that has passed unfired as well.
    var oneBefore: Occurrence?
    /// How many passed, `latest` included.
    var count: Int
    /// Whether they were too many to count: `Limits.countedMissed` stands for them all.
    var isCountCut = false
    /// The next one to come, if there is one.
    var following: Occurrence?
}

extension Trigger {
    /// The first occurrence strictly later than `context.now`; nil = there is none.
    ///
    /// `.now` has none: it never waits.
    package func firstOccurrence(_ context: OccurrenceContext) -> Occurrence? {
        switch self {
        case .now:
            return nil
        case .date(let instant):
            return instant > context.now.wall ? .wall(instant) : nil
        case .interval(let interval):
            return interval.first(after: context.now)
        case .calendar(let calendar):
            return calendar.next(after: context.now.wall, context).map(Occurrence.wall)
        }
    }
}

extension IntervalTrigger {
    /// The first instant of the phase after `now`; the phase starts at `startsAt`, else now.
    func first(after now: Moment) -> Occurrence? {
        var deadline = now.boot.microseconds + period
        if let start = bounds.startsAt {
            let elapsed = now.wall.microseconds - start.microseconds
            // Before the start the first occurrence is one period after it.
            let passed = elapsed < 0 ? 0 : elapsed / period
            deadline = now.boot.microseconds - elapsed + (passed + 1) * period
        }
        return within(deadline, offset: now.offset)
    }

    /// What has passed at `now` of an interval that is due at `due`, of which `left` may still
    /// come.
    func elapsed(since due: BootInstant, at now: Moment, left: Int) -> Elapsed {
        guard repeats else { return Elapsed(latest: .boot(due), count: 1) }
        var passed = (now.boot.microseconds - due.microseconds) / period + 1
        if let end = bounds.endsAt {
            let last = end.microseconds - now.offset - due.microseconds
            passed = min(passed, max(last, 0) / period + 1)
        }
        let count = min(Int(passed), left)
        let latest = due.microseconds + Int64(count - 1) * period
        var result = Elapsed(latest: .boot(BootInstant(microseconds: latest)), count: count)
        if count > 1 { result.oneBefore = .boot(BootInstant(microseconds: latest - period)) }
        if left > count { result.following = within(latest + period, offset: now.offset) }
        return result
    }

    private func within(_ deadline: Int64, offset: Int64) -> Occurrence? {
        if let end = bounds.endsAt, deadline + offset > end.microseconds { return nil }
        return .boot(BootInstant(microseconds: deadline))
    }
}

extension CalendarTrigger {
    /// The first occurrence strictly later than `instant` and inside the bounds.
    package func next(after instant: WallInstant, _ context: OccurrenceContext) -> WallInstant? {
        var after = instant
        if let start = bounds.startsAt, start > after {
            after = WallInstant(microseconds: start.microseconds - 1)
        }
        let next = pattern.next(
            after: after, in: context.zone, overlap: repeats ? .firstPass : .nextPass,
            every: stride, anchor: anchor(context))
        guard let next, next.microseconds <= Limits.latestWallMicroseconds else { return nil }
        if let end = bounds.endsAt, next > end { return nil }
        return next
    }

    private func anchor(_ context: OccurrenceContext) -> StrideAnchor {
        context.strideDay.map(StrideAnchor.day) ?? .instant(bounds.startsAt ?? context.added)
    }

    /// The civil date from which the stride of a request that is added now counts from then on,
    /// nil without one.
    func strideDay(_ context: OccurrenceContext) -> Int? {
        stride == nil ? nil : anchor(context).day(in: context.zone)
    }

    /// The first occurrence after `instant` that has not fired: after the clock was set back, those
    /// that have are passed over (case B47).
    func nextUnfired(
        after instant: WallInstant, fired: FiredRanges, _ context: OccurrenceContext
    ) -> WallInstant? {
        var candidate = next(after: instant, context)
        // Every step leaves one range for good, so there are at most as many as ranges.
        while let found = candidate, let end = fired.end(covering: found) {
            candidate = next(after: end, context)
        }
        return candidate
    }

    /// What has passed at `context.now` of a trigger that is due at `due`, of which `left` may
    /// come.
    func elapsed(
        since due: WallInstant, left: Int, fired: FiredRanges, _ context: OccurrenceContext
    ) -> Elapsed {
        var result = Elapsed(latest: .wall(due), count: 1)
        guard repeats else { return result }
        let now = context.now.wall
        var latest = due
        while result.count < left {
            guard let next = nextUnfired(after: latest, fired: fired, context) else {
                return result
            }
            if next > now {
                result.following = .wall(next)
                return result
            }
            // A trigger that ends after so many is counted to the end, or it would outlive its
            // count.
            if result.count >= Limits.countedMissed, bounds.maxCount == nil {
                return skipAhead(result, from: latest, fired: fired, context)
            }
            result.oneBefore = result.latest
            latest = next
            result.latest = .wall(next)
            result.count += 1
        }
        return result
    }

    /// Too many to count: goes straight to the last one that has passed.
    private func skipAhead(
        _ counted: Elapsed, from latest: WallInstant, fired: FiredRanges,
        _ context: OccurrenceContext
    ) -> Elapsed {
        var result = counted
        result.isCountCut = true
        var end = WallInstant(microseconds: context.now.wall.microseconds + 1)
        if let last = bounds.endsAt, last < end {
            end = WallInstant(microseconds: last.microseconds + 1)
        }
        var reached = latest
        if let last = lastUnfired(before: end, fired: fired, context), last > latest {
            reached = last
            result.latest = .wall(last)
            result.oneBefore = lastUnfired(before: last, fired: fired, context)
                .map(Occurrence.wall)
        }
        result.following = nextUnfired(after: reached, fired: fired, context).map(Occurrence.wall)
        return result
    }

    /// The last occurrence before `instant` that has not fired.
    private func lastUnfired(
        before instant: WallInstant, fired: FiredRanges, _ context: OccurrenceContext
    ) -> WallInstant? {
        func previous(_ end: WallInstant) -> WallInstant? {
            pattern.previous(
                before: end, in: context.zone, overlap: .firstPass, every: stride,
                anchor: anchor(context))
        }
        var candidate = previous(instant)
        while let found = candidate, let start = fired.start(covering: found) {
            candidate = previous(start)
        }
        return candidate
    }
}
