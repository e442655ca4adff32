// Dates against a walk that counts days one by one: every day of two cycles of the calendar, and
// the first and last days of every month of the years -9999 to 9999.

import CivilTime
import Testing

@Suite struct CivilDateTests {
    @Test func `every date from -9999 to 9999 follows the one before`() {
        // -9999-01-01 was a Monday: 1 January 2001 was one, and 12,000 years are 30 cycles.
        var days = CivilDate(year: -9_999, month: 1, day: 1).daysSinceEpoch
        #expect(days == 11_323 - 30 * 146_097)
        var weekday = 2
        for year in -9_999...9_999 {
            let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            var dayOfYear = 1
            for (index, length) in lengths.enumerated() {
                guard CivilDate.daysInMonth(index + 1, ofYear: year) == length else {
                    Issue.record("length of \(year)-\(index + 1)")
                    return
                }
                let isWalked = (1_600..<2_400).contains(year)
                for day in 1...length {
                    defer {
                        days += 1
                        dayOfYear += 1
                        weekday = weekday % 7 + 1
                    }
                    if !isWalked, day > 1, day < length { continue }
                    let date = CivilDate(year: year, month: index + 1, day: day)
                    guard CivilDate(daysSinceEpoch: days) == date, date.daysSinceEpoch == days,
                        CivilDate.weekday(daysSinceEpoch: days) == weekday,
                        date.dayOfYear == dayOfYear
                    else {
                        Issue.record("\(date) is not day \(days)")
                        return
                    }
                }
            }
        }
    }

    static let times: [(CivilDateTime, Int64)] = [
        (CivilDateTime(year: 1970, month: 1, day: 1), 0),
        (CivilDateTime(year: 1969, month: 12, day: 31, hour: 23, minute: 59, second: 59), -1),
        (
            CivilDateTime(year: 2038, month: 1, day: 19, hour: 3, minute: 14, second: 8),
            2_147_483_648
        ),
        (
            CivilDateTime(year: 2106, month: 2, day: 7, hour: 6, minute: 28, second: 16),
            4_294_967_296
        ),
        (CivilDateTime(year: 2040, month: 2, day: 29, hour: 9), 2_214_118_800),
        (CivilDateTime(year: 0, month: 2, day: 29), -62_162_121_600),
    ]

    @Test(arguments: times)
    func `local seconds and civil times are one to one`(time: CivilDateTime, seconds: Int64) {
        #expect(time.localSeconds == seconds)
        #expect(CivilDateTime(localSeconds: seconds) == time)
    }

    @Test(arguments: [Int64.min, Int64.min + 1, Int64.max - 1, Int64.max])
    func `the ends of the number line are civil times too`(seconds: Int64) {
        let time = CivilDateTime(localSeconds: seconds)
        #expect((1...12).contains(time.month) && (1...31).contains(time.day))
        #expect(CivilDateTime(localSeconds: seconds / 2).localSeconds == seconds / 2)
    }

    @Test func `a day beyond its month counts on`() {
        #expect(
            CivilDate(year: 2026, month: 2, day: 29).daysSinceEpoch
                == CivilDate(year: 2026, month: 3, day: 1).daysSinceEpoch)
    }
}
