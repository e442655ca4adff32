// Dates of the proleptic Gregorian calendar as day numbers and back, by arithmetic alone.
// Everything here is exact for every year whose day number fits in an Int; nothing allocates.
// Method: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": the year is counted from
// 1 March, so that the leap day comes last, and 400 years are 146,097 days.

/// A date of the proleptic Gregorian calendar; year 0 is 1 BC.
package struct CivilDate: Sendable, Hashable {
    package var year: Int
    /// 1...12.
    package var month: Int
    /// 1...31.
    package var day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date that many days after 1970-01-01.
    package init(daysSinceEpoch days: Int) {
        // 719,468 days lie between 0000-03-01 and 1970-01-01.
        let shifted = days + 719_468
        let era = floorDivide(shifted, by: daysInEra)
        let dayOfEra = shifted - era * daysInEra
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfMarchYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfMarchYear + 2) / 153
        day = dayOfMarchYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days after 1970-01-01, negative before it.
    ///
    /// The day may be out of range and counts on from the first of the month; the month may not.
    package var daysSinceEpoch: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = floorDivide(marchYear, by: 400)
        let yearOfEra = marchYear - era * 400
        let marchMonth = month > 2 ? month - 3 : month + 9
        let dayOfMarchYear = (153 * marchMonth + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfMarchYear
        return era * daysInEra + dayOfEra - 719_468
    }

    /// 1 = Sunday ... 7 = Saturday.
    package var weekday: Int {
        Self.weekday(daysSinceEpoch: daysSinceEpoch)
    }

    /// 1...366, counted from 1 January.
    package var dayOfYear: Int {
        let dayOfMonths = Self.daysBeforeMonth(month, isLeapYear: Self.isLeapYear(year))
        return dayOfMonths + day
    }

    /// The weekday of a day number, 1 = Sunday ... 7 = Saturday.
    package static func weekday(daysSinceEpoch days: Int) -> Int {
        // 1970-01-01 was a Thursday, 5.
        let remainder = (days + 4) % 7
        return (remainder < 0 ? remainder + 7 : remainder) + 1
    }

    package static func isLeapYear(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    package static func daysInYear(_ year: Int) -> Int {
        isLeapYear(year) ? 366 : 365
    }

    /// 28...31; the month must be 1...12.
    package static func daysInMonth(_ month: Int, ofYear year: Int) -> Int {
        if month == 2 { return isLeapYear(year) ? 29 : 28 }
        // 31 for odd months to July, for even ones from August.
        return 30 + (month + month / 8) % 2
    }

    /// Days of the year that lie before the first of the month.
    package static func daysBeforeMonth(_ month: Int, isLeapYear: Bool) -> Int {
        // March to February has 153 days in every five months, as in `daysSinceEpoch`.
        if month <= 2 { return (month - 1) * 31 }
        return (153 * (month - 3) + 2) / 5 + (isLeapYear ? 60 : 59)
    }
}

extension CivilDate: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

/// The days of 400 years: after them dates, leap years and weekdays repeat (146,097 = 7 x 20,871).
let daysInEra = 146_097

/// The quotient rounded towards negative infinity; the divisor must be positive.
@inline(__always)
package func floorDivide(_ dividend: Int, by divisor: Int) -> Int {
    let quotient = dividend / divisor
    return dividend % divisor < 0 ? quotient - 1 : quotient
}
