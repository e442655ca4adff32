// What words say of weeks and of days of the year: who reads a preview must be able to tell two
// patterns with different dates apart.

import CivilTime
import Testing

@Suite
struct CalendarWordsTests {
    @Test(arguments: [
        ("yearForWeekOfYear=2029", "every Monday, week of the year 1, week-year 2029"),
        ("weekday=2 yearForWeekOfYear=2029", "every Monday, week-year 2029"),
        (
            "weekday=2 weekOfYear=1 yearForWeekOfYear=2029",
            "every Monday, week of the year 1, week-year 2029"
        ),
    ])
    func `a lone week-year is its first week`(_ text: String, _ words: String) throws {
        #expect(try CalendarExpression(text).words == words + " at 00:00")
    }

    @Test(arguments: [
        ("weekOfMonth=1", "the first day of week 1 of the month at 00:00"),
        ("weekOfMonth=0,-1 hour=9", "the first day of weeks -1 and 0 of the month at 09:00"),
        (
            "weekOfMonth=2 month=3..5",
            "the first day of week 2 of the month in March to May at 00:00"
        ),
        (
            "weekOfMonth=2 year=2027",
            "the first day of week 2 of the month in January 2027 at 00:00"
        ),
        (
            "weekOfMonth=1 month=3 hour=0..23",
            "every hour, the first day of week 1 of the month in March"
        ),
        ("weekday=2 weekOfMonth=1", "every Monday, week of the month 1 at 00:00"),
        (
            "weekOfMonth=1 weekOfYear=1,5",
            "every Monday, week of the month 1, week of the year 1 and 5 at 00:00"
        ),
    ])
    func `a week of the month alone is its first day`(_ text: String, _ words: String) throws {
        #expect(try CalendarExpression(text).words == words)
    }

    @Test(arguments: [
        ("dayOfYear=366", "every day, day of the year 366"),
        ("dayOfYear=366 missingDay=lastDay", "every day, day of the year 366 (or its last day)"),
        ("dayOfYear=60 missingDay=lastDay", "every day, day of the year 60"),
        ("dayOfYear=-366 missingDay=lastDay", "every day, day of the year -366"),
        ("dayOfYear=-1,366 missingDay=lastDay", "every day, day of the year -1 and 366"),
    ])
    func `a day of the year moves to the last`(_ text: String, _ words: String) throws {
        #expect(try CalendarExpression(text).words == words + " at 00:00")
    }
}
