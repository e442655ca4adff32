// What the pattern search needs of the calendar beyond `CivilDate`: years and weeks as numbers.
// Plain integers, no checks: the callers keep to the years 0 to 10,000.

enum Gregorian {
    /// The remainder from 0 to `divisor` - 1.
    @inline(__always)
    static func modulo(_ value: Int, _ divisor: Int) -> Int {
        let remainder = value % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }

    @inline(__always)
    static func monthLength(_ month: Int, ofLeapYear isLeap: Bool) -> Int {
        month == 2 ? (isLeap ? 29 : 28) : 30 + (month + month / 8) % 2
    }

    /// The day number of 1 January.
    @inline(__always)
    static func firstDay(ofYear year: Int) -> Int {
        let past = year - 1
        return 365 * past + past / 4 - past / 100 + past / 400 - 719_162
            // Division rounds towards zero, and year 0, which is a leap year, is before it.
            - (past < 0 ? 1 : 0)
    }

    /// 0 = Sunday to 6 = Saturday; 1970-01-01 was a Thursday.
    @inline(__always)
    static func weekdayIndex(ofDay day: Int) -> Int { modulo(day + 4, 7) }

    /// A number that is the same for the seven days of a week beginning on `firstWeekday` (1...7).
    @inline(__always)
    static func week(ofDay day: Int, firstWeekday: Int) -> Int {
        floorDivide(day + 4 - (firstWeekday - 1), by: 7)
    }

    /// The 0-based day of `year` on which its first week begins; negative when that is in the year
    /// before. The first week is the first one with at least `minimumDays` days in the year.
    @inline(__always)
    static func firstWeekStart(ofYear year: Int, firstWeekday: Int, minimumDays: Int) -> Int {
        let offset = modulo(weekdayIndex(ofDay: firstDay(ofYear: year)) - (firstWeekday - 1), 7)
        return 7 - offset >= minimumDays ? -offset : 7 - offset
    }
}
