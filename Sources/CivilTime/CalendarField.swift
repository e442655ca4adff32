// The fields of a calendar pattern: their order, ranges and names, in one place, so that the
// wire, the store, the expressions and the error texts cannot disagree about them.

extension CalendarPattern {
    /// One field of a pattern; the raw values run from the largest field to the smallest.
    package enum Field: UInt8, Sendable, Hashable, CaseIterable {
        case year, yearForWeekOfYear, quarter, month, weekOfYear, weekOfMonth, day, dayOfYear
        case weekday, weekdayOrdinal, hour, minute, second

        /// The name on the wire, in the compact text and in errors.
        package var name: String {
            switch self {
            case .year: "year"
            case .yearForWeekOfYear: "yearForWeekOfYear"
            case .quarter: "quarter"
            case .month: "month"
            case .weekOfYear: "weekOfYear"
            case .weekOfMonth: "weekOfMonth"
            case .day: "day"
            case .dayOfYear: "dayOfYear"
            case .weekday: "weekday"
            case .weekdayOrdinal: "weekdayOrdinal"
            case .hour: "hour"
            case .minute: "minute"
            case .second: "second"
            }
        }

        /// The values that the field takes when counted from the start.
        ///
        /// Week 0 of a month holds the days before its first week, when that week starts late.
        package var range: ClosedRange<Int> {
            switch self {
            case .year, .yearForWeekOfYear: 1...9999
            case .quarter: 1...4
            case .month: 1...12
            case .weekOfYear: 1...53
            case .weekOfMonth: 0...6
            case .day: 1...31
            case .dayOfYear: 1...366
            case .weekday: 1...7
            case .weekdayOrdinal: 1...5
            case .hour: 0...23
            case .minute, .second: 0...59
            }
        }

        /// Whether -1 is the last one, -2 the one before it, and so on down to
        /// `-range.upperBound`.
        package var countsFromEnd: Bool {
            switch self {
            case .weekOfYear, .weekOfMonth, .day, .dayOfYear, .weekdayOrdinal: true
            case .year, .yearForWeekOfYear, .quarter, .month, .weekday, .hour, .minute, .second:
                false
            }
        }

        /// How many values one field may list: every value it has, but at most 400 years.
        package var limit: Int {
            switch self {
            case .year, .yearForWeekOfYear: 400
            default: countsFromEnd ? range.count + range.upperBound : range.count
            }
        }

        /// Whether the field speaks of the date and not of the time of day.
        package var isOfDate: Bool { rawValue < Field.hour.rawValue }

        /// Refuses a value that the field never has.
        func check(_ value: Int) throws(PatternError) {
            if range.contains(value) { return }
            if countsFromEnd && value < 0 && value >= -range.upperBound { return }
            throw .outOfRange(self, value: value, allowed: range)
        }
    }

    /// What a `day` (or `dayOfYear`) that a month (or year) does not have stands for.
    package enum MissingDay: UInt8, Sendable, Hashable {
        /// Nothing: the month is passed over, as RFC 5545 has it.
        case skip
        /// The last day that there is.
        case lastDay
    }
}
