// Walks real time a minute at a time and writes down when a pattern fires. Offsets and transitions
// are those of whole minutes, as everywhere since 1972.

package import CivilTime

extension NaiveCalendar {
    /// Every occurrence from one instant through another, both whole minutes, in seconds.
    ///
    /// - Parameter isCounted: Which dates a stride leaves.
    package func occurrences(
        from start: Int64, through end: Int64, in zone: Zone,
        isCounted: (CivilDate) -> Bool = { _ in true }
    ) -> [Int64] {
        var walk = Walk(calendar: self)
        // Two days earlier, so that the passes of every overlap at the start are known.
        for minute in stride(from: start - 172_800, through: end, by: 60) {
            walk.step(to: minute, offset: Int64(zone.offset(at: minute)), isCounted)
        }
        return walk.found.filter { $0 >= start && $0 <= end }
    }
}

private struct Walk {
    let calendar: NaiveCalendar
    var found: [Int64] = []
    /// The civil minute expected next, if the clocks are not changed.
    private var expected: Int64?
    /// Civil minutes before this one have been shown.
    private var shown = Int64.min
    private var day = Int.min
    private var dayMatches = false

    init(calendar: NaiveCalendar) {
        self.calendar = calendar
    }

    mutating func step(to minute: Int64, offset: Int64, _ isCounted: (CivilDate) -> Bool) {
        let local = minute + offset
        if let expected, local > expected, calendar.namesHour {
            // A gap: what it hides fires now, unless it hides the whole day.
            var isHit = false
            for hidden in stride(from: expected, to: local, by: 60)
            where matches(hidden, isCounted) {
                let midnight = floorDivide(Int(hidden), by: 86_400) * 86_400
                let isWholeDay = expected <= midnight && local >= midnight + 86_400
                if !isWholeDay { isHit = true }
            }
            if isHit { found.append(minute) }
        }
        let isFirstPass = local >= shown
        if (isFirstPass || !calendar.namesHour) && matches(local, isCounted) {
            for second in calendar.seconds where found.last != minute + Int64(second) {
                found.append(minute + Int64(second))
            }
        }
        expected = local + 60
        shown = max(shown, local + 60)
    }

    private mutating func matches(_ local: Int64, _ isCounted: (CivilDate) -> Bool) -> Bool {
        let number = floorDivide(Int(local), by: 86_400)
        if number != day {
            day = number
            let date = CivilDate(daysSinceEpoch: number)
            dayMatches = calendar.matches(date) && isCounted(date)
        }
        let minute = (Int(local) - number * 86_400) / 60
        return dayMatches && calendar.matches(hour: minute / 60, minute: minute % 60)
    }
}
