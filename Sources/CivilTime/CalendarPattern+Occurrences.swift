// From civil times to instants: the rules for gaps and overlaps. A pattern that names the hour
// maps each matching civil time to one instant; one that does not follows real time. Both are
// answered by a search in civil time and a few zone lookups, without a step in between.

/// What a civil time that the clocks show twice stands for, when the pattern names the hour.
package enum OverlapPolicy: Sendable, Hashable {
    /// Its first pass only: for whatever repeats.
    case firstPass
    /// The first pass that is still to come: a one-shot made between the two fires at the second.
    case nextPass
}

extension CalendarPattern {
    /// The first occurrence strictly after an instant; `nil` when there is none any more.
    ///
    /// A civil time in a gap becomes the first instant after the gap, unless its whole day is
    /// missing: then it has no occurrence. Times that meet in one instant are one occurrence.
    /// Allocates nothing; the work is bounded for every pattern (see `firstMatch`).
    ///
    /// - Parameters:
    ///   - overlap: Without effect on a pattern that does not name the hour, which has both
    ///     passes.
    ///   - every: Counted in civil dates of the zone, from `anchor` or else from 1970-01-01.
    package func next(
        after instant: WallInstant, in zone: Zone, overlap: OverlapPolicy = .firstPass,
        every stride: Stride? = nil, anchor: StrideAnchor? = nil
    ) -> WallInstant? {
        let search = OccurrenceSearch(
            pattern: self, zone: zone, stride: filter(stride, anchor: anchor, in: zone))
        let second = max(instant.wholeSeconds, Self.earliest)
        guard second < Self.latest else { return nil }
        var found: Int64?
        if namesHour {
            found = search.nextNamed(after: second)
            if overlap == .nextPass, let other = search.nextSecondPass(after: second) {
                found = min(found ?? other, other)
            }
        } else {
            found = search.nextReal(after: second)
        }
        return found.map { WallInstant(seconds: $0) }
    }

    /// The last occurrence strictly before an instant; `nil` when there was none.
    ///
    /// The same occurrences as those of `next`; with `.nextPass` both passes of an overlap count.
    package func previous(
        before instant: WallInstant, in zone: Zone, overlap: OverlapPolicy = .firstPass,
        every stride: Stride? = nil, anchor: StrideAnchor? = nil
    ) -> WallInstant? {
        let search = OccurrenceSearch(
            pattern: self, zone: zone, stride: filter(stride, anchor: anchor, in: zone))
        let whole = instant.wholeSeconds
        let isWhole = instant.microseconds % 1_000_000 == 0
        let second = min(isWhole ? whole - 1 : whole, Self.latest)
        guard second > Self.earliest else { return nil }
        var found: Int64?
        if namesHour {
            found = search.lastNamed(through: second)
            if overlap == .nextPass, let other = search.lastSecondPass(through: second) {
                found = max(found ?? other, other)
            }
        } else {
            found = search.lastReal(through: second)
        }
        return found.map { WallInstant(seconds: $0) }
    }

    /// Two days inside and outside the calendar of the years 1 to 9999, past every zone's offset.
    static let earliest: Int64 = -62_135_596_800 - 172_800
    static let latest: Int64 = 253_402_300_800 + 172_800

    private func filter(_ stride: Stride?, anchor: StrideAnchor?, in zone: Zone) -> StrideFilter? {
        guard let stride, stride.count > 1 else { return nil }
        return StrideFilter(
            stride, anchorDay: anchor?.day(in: zone) ?? 0, firstWeekday: firstWeekday)
    }
}

/// One question: a pattern in a zone, thinned out by a stride.
struct OccurrenceSearch {
    let pattern: CalendarPattern
    let zone: Zone
    let stride: StrideFilter?

    /// Longer than any overlap: an instant's civil time can come back only within this time.
    private static let reach: Int64 = 2 * 86_400

    // A pattern that names the hour. Each matching civil time c has one instant f(c): itself, its
    // first pass, or the end of its gap. f never falls as c rises, so the first match whose
    // instant is late enough is the answer, and every civil time up to the present one is too
    // early.

    func nextNamed(after second: Int64) -> Int64? {
        var local = second + offset(second) + 1
        while let civil = pattern.firstMatch(from: local, stride: stride) {
            switch zone.resolve(local: civil) {
            case .single(let instant):
                if instant > second { return instant }
                local = civil + 1
            case .overlap(let first, _):
                if first > second { return first }
                local = max(civil + 1, overlapEnd(first))
            case .gap(let transition):
                if let nextDay = dayAfterMissing(civil, transition) {
                    local = nextDay
                } else if transition > second {
                    return transition
                } else {
                    local = max(civil + 1, transition + offset(transition))
                }
            }
        }
        return nil
    }

    func lastNamed(through second: Int64) -> Int64? {
        var local = second + offset(second)
        if case .overlap(let first, _) = zone.resolve(local: local), first < second {
            // In a second pass all of the first is past, also what the clock has not shown again.
            local = max(local, overlapEnd(first) - 1)
        }
        while let civil = pattern.lastMatch(through: local, stride: stride) {
            switch zone.resolve(local: civil) {
            case .single(let instant):
                if instant <= second { return instant }
                local = civil - 1
            case .overlap(let first, _):
                if first <= second { return first }
                local = civil - 1
            case .gap(let transition):
                if dayAfterMissing(civil, transition) != nil {
                    local = civil - Int64(Gregorian.modulo(Int(civil), secondsInDay)) - 1
                } else if transition <= second {
                    return transition
                } else {
                    local = min(civil - 1, transition + offset(transition - 1) - 1)
                }
            }
        }
        return nil
    }

    // A pattern that does not name the hour. Between two transitions civil time runs evenly, so
    // the next match in civil time is the next in real time if it comes before the transition. If
    // not, nothing matches up to that civil time, except that a transition soon after may set the
    // clock back to times before the present one.

    func nextReal(after second: Int64) -> Int64? {
        var start = second + 1
        while true {
            let offset = offset(start)
            let civil = pattern.firstMatch(from: start + offset, stride: stride)
            let end = zone.nextTransition(after: start) ?? .max
            if let civil, civil - offset < end { return civil - offset }
            guard end < .max else { return nil }
            if end - second <= Self.reach {
                start = end
            } else if let civil {
                start = max(end, civil - offset - Self.reach)
            } else {
                return nil
            }
        }
    }

    func lastReal(through second: Int64) -> Int64? {
        var end = second
        while true {
            let offset = offset(end)
            let civil = pattern.lastMatch(through: end + offset, stride: stride)
            let start = zone.previousTransition(before: end + 1) ?? .min
            if let civil, civil - offset >= start { return civil - offset }
            guard start > .min else { return nil }
            if second - start <= Self.reach {
                end = start - 1
            } else if let civil {
                end = min(start - 1, civil - offset + Self.reach)
            } else {
                return nil
            }
        }
    }

    // The second passes near an instant, for `OverlapPolicy.nextPass`.

    func nextSecondPass(after second: Int64) -> Int64? {
        var probe = second - Self.reach
        while let transition = zone.nextTransition(after: probe), transition <= second + Self.reach
        {
            let offset = offset(transition)
            let length = self.offset(transition - 1) - offset
            let start = max(transition, second + 1)
            if let civil = pattern.firstMatch(from: start + offset, stride: stride),
                civil - offset < transition + length
            {
                return civil - offset
            }
            probe = transition
        }
        return nil
    }

    func lastSecondPass(through second: Int64) -> Int64? {
        var probe = second + 1
        while let transition = zone.previousTransition(before: probe),
            transition >= second - Self.reach
        {
            let offset = offset(transition)
            let length = self.offset(transition - 1) - offset
            let end = min(transition + length - 1, second)
            if end >= transition,
                let civil = pattern.lastMatch(through: end + offset, stride: stride),
                civil - offset >= transition
            {
                return civil - offset
            }
            probe = transition
        }
        return nil
    }

    private func offset(_ second: Int64) -> Int64 { Int64(zone.offset(at: second)) }

    /// The civil time at which an overlap is over, given an instant of its first pass.
    private func overlapEnd(_ first: Int64) -> LocalSeconds {
        let transition = zone.nextTransition(after: first) ?? first
        return transition + offset(first)
    }

    /// Midnight after the day of a civil time in a gap, when that gap leaves nothing of the day.
    private func dayAfterMissing(_ civil: LocalSeconds, _ transition: Int64) -> LocalSeconds? {
        let midnight = civil - Int64(Gregorian.modulo(Int(civil), secondsInDay))
        let nextMidnight = midnight + Int64(secondsInDay)
        let gapStart = transition + offset(transition - 1)
        let gapEnd = transition + offset(transition)
        return gapStart <= midnight && gapEnd >= nextMidnight ? nextMidnight : nil
    }
}
