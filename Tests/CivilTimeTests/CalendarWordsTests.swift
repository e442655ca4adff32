// What words say of weeks and of days of the year, and that words say all that a pattern is: who
// reads a preview must be able to tell two patterns with different dates apart.

import CivilTime
import TestSupport
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

    @Test(arguments: [
        (
            "weekOfYear=1 minimumDaysInFirstWeek=1",
            "every Monday, week of the year 1, weeks from Monday, the first of at least 1 day"
        ),
        (
            "weekday=4 weekOfMonth=2 firstWeekday=1",
            "every Wednesday, week of the month 2, weeks from Sunday, the first of at least 4 days"
        ),
        (
            "yearForWeekOfYear=2029 firstWeekday=7 minimumDaysInFirstWeek=7",
            "every Saturday, week of the year 1, week-year 2029, weeks from Saturday, "
                + "the first of at least 7 days"
        ),
        ("weekday=4 firstWeekday=1 minimumDaysInFirstWeek=1", "every Wednesday"),
        ("weekday=4 weekOfYear=1 minimumDaysInFirstWeek=4", "every Wednesday, week of the year 1"),
    ])
    func `weeks that are not ISO's are described`(_ text: String, _ words: String) throws {
        #expect(try CalendarExpression(text).words == words + " at 00:00")
    }

    private static let instants = [
        "2024-02-28T12:00:00Z", "2026-12-31T23:59:59Z", "2028-10-01T00:00:00Z",
    ].map { WallInstant($0) }

    /// Some thousands of patterns: those drawn, and their neighbours that differ in one place each,
    /// as two patterns that were drawn apart hardly ever read alike.
    @Test(arguments: [1, 2] as [UInt64])
    func `patterns that read alike have the same occurrences`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var read: [String: CalendarPattern] = [:]
        var alike = 0
        for index in 0..<100 {
            let drawn = RandomPattern(
                using: &random, near: CivilDateTime(year: 2027, month: 2, day: 28, hour: 9))
            for neighbour in Self.neighbours(of: drawn, using: &random) {
                guard let pattern = try? neighbour.make() else { continue }
                let words = CalendarExpression(pattern: pattern).words
                guard let other = read.updateValue(pattern, forKey: words),
                    other.compact != pattern.compact
                else { continue }
                alike += 1
                let isSame = Self.occurrences(of: other) == Self.occurrences(of: pattern)
                try #require(
                    isSame,
                    "\(seed), \(index): \(other.compact) and \(pattern.compact): \(words)")
            }
        }
        #expect(alike > 200)
    }

    /// The pattern itself and others like it, of which many cannot be told apart by their dates.
    private static func neighbours(
        of drawn: RandomPattern, using random: inout SplitMix64
    ) -> [RandomPattern] {
        var begun = drawn
        begun.firstWeekday = Int.random(in: 1...7, using: &random)
        var counted = drawn
        counted.minimumDays = Int.random(in: 1...7, using: &random)
        var found = [drawn, begun, counted]
        for field in CalendarPattern.Field.allCases {
            var other = drawn
            if drawn.fields[field] != nil {
                other.fields[field] = nil
            } else if field == .weekday {
                other.fields[field] = [drawn.firstWeekday]
            } else if field == .year || field == .yearForWeekOfYear {
                other.fields[field] = [2027]
            } else {
                let ends = [field.countsFromEnd ? -1 : 1, 1, field.range.upperBound]
                other.fields[field] = ends.randomElement(using: &random).map { [$0] }
            }
            found.append(other)
        }
        return found.flatMap { pattern in
            var clamped = pattern
            clamped.clamps.toggle()
            return [pattern, clamped]
        }
    }

    private static func occurrences(of pattern: CalendarPattern) -> [WallInstant] {
        instants.flatMap { start in
            var found: [WallInstant] = []
            var last = start
            while found.count < 20, let next = pattern.next(after: last, in: .utc) {
                found.append(next)
                last = next
            }
            return found
        }
    }
}
