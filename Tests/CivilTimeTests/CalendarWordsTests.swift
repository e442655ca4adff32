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
}
