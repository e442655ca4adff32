// The rule that a TZ string states, as in POSIX and in the footer of a TZif file (RFC 9636,
// section 3.3.1): a standard offset, and perhaps a second one with the two days of each year on
// which it begins and ends. `PosixRuleParser` reads one; `ZoneTimeline` unrolls it.

/// What a zone's clocks show in one stretch of time.
package struct ZoneOffset: Sendable, Hashable {
    /// Seconds to add to UTC, positive east of Greenwich.
    package let seconds: Int32
    package let isDST: Bool
    package let abbreviation: String

    package init(seconds: Int32, isDST: Bool, abbreviation: String) {
        self.seconds = seconds
        self.isDST = isDST
        self.abbreviation = abbreviation
    }
}

/// A zone whose clocks change on the same two days of every year, or never.
package struct PosixRule: Sendable, Hashable {
    package let standard: ZoneOffset
    package let daylight: Daylight?

    /// The other half of the year. Its offset may lie west of the standard one (Dublin).
    package struct Daylight: Sendable, Hashable {
        package let offset: ZoneOffset
        /// On the standard clock.
        package let start: Change
        /// On the daylight clock.
        package let end: Change
    }

    /// The civil time of a change: a day, and seconds from its midnight, -167 to 167 hours.
    package struct Change: Sendable, Hashable {
        package let day: Day
        package let seconds: Int32
    }

    package enum Day: Sendable, Hashable {
        /// `Jn`: 1...365, with 29 February never counted.
        case julian(Int)
        /// `n`: 0...365, with 29 February counted.
        case zeroBased(Int)
        /// `Mm.w.d`: the weekday (0 = Sunday) of that week of the month; week 5 is the last one.
        case monthly(month: Int, week: Int, weekday: Int)

        /// The day number in that year; day 365 of a common year is the next 1 January.
        package func daysSinceEpoch(in year: Int) -> Int {
            let newYear = CivilDate(year: year, month: 1, day: 1).daysSinceEpoch
            switch self {
            case .julian(let day):
                let isAfterLeapDay = day >= 60 && CivilDate.isLeapYear(year)
                return newYear + day - (isAfterLeapDay ? 0 : 1)
            case .zeroBased(let day):
                return newYear + day
            case .monthly(let month, let week, let weekday):
                let first =
                    newYear
                    + CivilDate.daysBeforeMonth(month, isLeapYear: CivilDate.isLeapYear(year))
                let firstWeekday = CivilDate.weekday(daysSinceEpoch: first) - 1
                let day = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
                let isBeyondMonth = day >= CivilDate.daysInMonth(month, ofYear: year)
                return first + (isBeyondMonth ? day - 7 : day)
            }
        }
    }

    /// The instants at which daylight time starts and ends by that year's dates.
    ///
    /// Either may lie in a neighbouring year, and the end before the start (southern summers).
    package func changes(in year: Int) -> (start: Int64, end: Int64)? {
        guard let daylight else { return nil }
        let start = Int64(daylight.start.day.daysSinceEpoch(in: year) * secondsInDay)
        let end = Int64(daylight.end.day.daysSinceEpoch(in: year) * secondsInDay)
        return (
            start + Int64(daylight.start.seconds) - Int64(standard.seconds),
            end + Int64(daylight.end.seconds) - Int64(daylight.offset.seconds)
        )
    }
}
