// The calendar trigger's rule: which civil times a request names. A pattern is a value, checked
// once when it is made: every value is in range, and at least one date of the calendar has all
// fields.

/// A set of civil times of the proleptic Gregorian calendar, given by fields that must all hold.
///
/// Every field holds a set of values, of which any one may match. What an absent field means:
///
/// - Larger than every given field: free. `hour 9` is 09:00 on every day.
/// - Smaller than the largest given field: at its first value. `hour 9` is 09:00:00, `month 2` is
///   1 February 00:00:00, `quarter 2` is 1 April, `year 2027` is 1 January 2027.
///
/// For the time of day the order is plainly hour, minute, second, below every field of the date.
/// Among the fields of the date three ways lead from a year to a day:
///
///     year > quarter > month > day            also weekOfMonth and weekdayOrdinal, below month
///     year > dayOfYear
///     yearForWeekOfYear > weekOfYear > weekday
///
/// - Is `day`, `dayOfYear` or `weekday` given, it names the day, and the week fields only narrow
///   it. A weekday repeats by itself, so it puts no larger field at its first value: `month 2,
///   weekday 6` is every Friday of February, `year 2027, weekday 6` every Friday of 2027.
/// - Else, is `weekOfYear`, `weekdayOrdinal` or a lone `yearForWeekOfYear` given, the weekday is
///   at `firstWeekday`; a lone `yearForWeekOfYear` is its week 1. A `weekOfMonth` begins on its
///   first day within the month.
/// - Else the day is the first of the month.
/// - `month` is at its first value (January, or the first month of a given quarter) when a year or
///   quarter is given and the day is counted within a month, by `day`, `weekOfMonth`,
///   `weekdayOrdinal` or as the first: `year 2027, day 13` is 13 January 2027.
///
/// Weeks begin on `firstWeekday`; the first week of a year or month is the first that has at least
/// `minimumDaysInFirstWeek` days in it. Days of a month before its first week are in its week 0.
///
/// Two patterns are equal when they name the same civil times in the same way: `hour 9` equals
/// `hour 9, minute 0`. `values(of:)` and `compact` still tell them apart.
package struct CalendarPattern: Sendable {
    let fields: FieldValues
    /// 1 = Sunday to 7 = Saturday.
    package let firstWeekday: Int
    /// 1 to 7.
    package let minimumDaysInFirstWeek: Int
    package let missingDay: MissingDay
    let date: DateRule
    let time: TimeRule
    let months: YearTable
    /// Whether the date rule takes every date, so that there is nothing to search for.
    let isEveryDay: Bool

    /// ISO 8601: weeks begin on Monday.
    package static let defaultFirstWeekday = 2
    /// ISO 8601: the first week has most of its days in the year.
    package static let defaultMinimumDaysInFirstWeek = 4

    /// Checks the fields and works out what they name: 1 µs as a rule, 100 µs for weeks of a year.
    ///
    /// - Throws: The first mistake, by field; `neverFires` when no date has all fields together.
    package init(
        fields given: [Field: [Int]], firstWeekday: Int? = nil,
        minimumDaysInFirstWeek: Int? = nil, missingDay: MissingDay = .skip
    ) throws(PatternError) {
        try self.init(
            firstWeekday: firstWeekday, minimumDaysInFirstWeek: minimumDaysInFirstWeek,
            missingDay: missingDay
        ) { field in
            given[field]
        }
    }

    /// The same from wherever the values of a field are; `nil` for a field that is left out.
    package init(
        firstWeekday: Int?, minimumDaysInFirstWeek: Int?, missingDay: MissingDay,
        values given: (Field) -> [Int]?
    ) throws(PatternError) {
        var fields = FieldValues()
        for field in Field.allCases {
            guard let values = given(field) else { continue }
            guard !values.isEmpty else { throw .emptySet(field) }
            guard values.count <= field.limit else {
                throw .tooManyValues(field, limit: field.limit)
            }
            for value in values {
                try field.check(value)
                fields.insert(value, in: field)
            }
        }
        try self.init(
            fields, firstWeekday: firstWeekday, minimumDays: minimumDaysInFirstWeek,
            missingDay: missingDay)
    }

    /// Fields whose values have been checked one by one.
    init(
        _ fields: FieldValues, firstWeekday: Int?, minimumDays: Int?, missingDay: MissingDay
    ) throws(PatternError) {
        guard !fields.isEmpty else { throw .noFields }
        let firstWeekday = firstWeekday ?? Self.defaultFirstWeekday
        guard 1...7 ~= firstWeekday else { throw .firstWeekdayOutOfRange(firstWeekday) }
        let minimumDays = minimumDays ?? Self.defaultMinimumDaysInFirstWeek
        guard 1...7 ~= minimumDays else { throw .minimumDaysOutOfRange(minimumDays) }
        let weeks = WeekRule(firstWeekday: firstWeekday, minimumDays: minimumDays)
        self.fields = fields
        self.firstWeekday = firstWeekday
        self.minimumDaysInFirstWeek = minimumDays
        self.missingDay = missingDay
        date = DateRule(fields, weeks: weeks, clampsMissingDays: missingDay == .lastDay)
        time = TimeRule(fields)
        months = YearTable(date)
        isEveryDay = date.matchesEveryDay
        guard date.canMatch(within: months) else { throw .neverFires }
    }

    /// The values given for a field, smallest first, negative ones as they were given; `nil` for a
    /// field that was left out.
    package func values(of field: Field) -> [Int]? {
        fields.contains(field) ? fields.values(of: field) : nil
    }

    /// Whether the pattern names the hour, and so follows the civil clock at a gap or an overlap.
    ///
    /// It does when `hour` is given or is at its first value; a pattern whose hours are all 24
    /// follows real time, just as one without any hour.
    package var namesHour: Bool { time.hours != TimeRule.allHours }
}

extension CalendarPattern: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        left.time == right.time && left.date == right.date
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(time)
        hasher.combine(date)
    }
}
