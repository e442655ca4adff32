// Patterns drawn at random for the comparisons with the oracle: mostly ordinary, sometimes odd.

package import CivilTime

/// The fields and settings of a pattern that may or may not be valid.
package struct RandomPattern: Sendable {
    package var fields: [CalendarPattern.Field: [Int]] = [:]
    package var firstWeekday = 2
    package var minimumDays = 4
    package var clamps = false

    private static let shapes: [[CalendarPattern.Field]] = [
        [.hour], [.hour, .minute], [.hour, .minute, .second], [.minute], [.second],
        [.minute, .second], [.hour, .second], [.weekday, .hour], [.weekday, .hour, .minute],
        [.weekday], [.day, .hour], [.day], [.month, .day, .hour], [.month], [.month, .weekday],
        [.weekday, .weekdayOrdinal, .hour], [.weekdayOrdinal], [.day, .weekday],
        [.quarter], [.quarter, .day], [.quarter, .month, .day], [.dayOfYear],
        [.dayOfYear, .hour], [.weekOfYear], [.weekOfYear, .weekday, .hour], [.weekOfMonth],
        [.weekOfMonth, .weekday], [.yearForWeekOfYear, .weekOfYear, .weekday],
        [.yearForWeekOfYear], [.year], [.year, .month, .day, .hour], [.year, .weekday],
        [.day, .minute], [.weekday, .minute], [.month, .hour, .minute],
        [.month, .weekOfYear], [.year, .weekOfYear], [.quarter, .weekday, .weekdayOrdinal],
        [.yearForWeekOfYear, .month], [.dayOfYear, .weekday], [.month, .weekOfMonth, .weekday],
        [.day, .weekOfYear],
    ]

    /// - Parameter near: Years to draw from, and often the values of some fields.
    package init(using random: inout SplitMix64, near time: CivilDateTime) {
        let shape =
            Self.shapes.randomElement(using: &random) ?? [.hour]
        for field in shape {
            fields[field] = Self.values(of: field, near: time.year, using: &random)
        }
        aim(at: time, using: &random)
        if Int.random(in: 0..<20, using: &random) == 0 {
            fields[.hour] = Array(0...23)
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            firstWeekday = Int.random(in: 1...7, using: &random)
            minimumDays = Int.random(in: 1...7, using: &random)
        }
        clamps = Int.random(in: 0..<4, using: &random) == 0
    }

    /// Gives some of the fields the values of a time, so that they meet a transition.
    private mutating func aim(at time: CivilDateTime, using random: inout SplitMix64) {
        let values: [CalendarPattern.Field: Int] = [
            .month: time.month, .day: time.day, .weekday: time.weekday,
            .weekdayOrdinal: (time.day + 6) / 7, .dayOfYear: time.dayOfYear,
            .quarter: (time.month + 2) / 3,
        ]
        for field in CalendarPattern.Field.allCases where fields[field] != nil {
            guard let value = values[field], Bool.random(using: &random) else { continue }
            fields[field] = [value]
        }
        if fields[.hour] != nil, Int.random(in: 0..<3, using: &random) > 0 {
            fields[.hour] = (0...Int.random(in: 0...2, using: &random)).map { _ in
                (time.hour + 24 + Int.random(in: -2...2, using: &random)) % 24
            }
        }
    }

    package func make() throws(PatternError) -> CalendarPattern {
        try CalendarPattern(
            fields: fields, firstWeekday: firstWeekday, minimumDaysInFirstWeek: minimumDays,
            missingDay: clamps ? .lastDay : .skip)
    }

    package var naive: NaiveCalendar {
        NaiveCalendar(
            fields, firstWeekday: firstWeekday, minimumDays: minimumDays, clamps: clamps)
    }

    /// One value, a few, a run, or many; negative ones now and then.
    private static func values(
        of field: CalendarPattern.Field, near year: Int, using random: inout SplitMix64
    ) -> [Int] {
        var range = field.range
        if field == .year || field == .yearForWeekOfYear { range = year - 1...year + 3 }
        if field == .hour && Bool.random(using: &random) { range = 0...3 }
        let count: Int
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: count = 1
        case 5..<8: count = Int.random(in: 2...4, using: &random)
        case 8: count = Int.random(in: 1...range.count, using: &random)
        default:
            let low = Int.random(in: range, using: &random)
            return Array(low...min(range.upperBound, low + 6))
        }
        return (0..<min(count, 12)).map { _ in
            if field.countsFromEnd && Int.random(in: 0..<4, using: &random) == 0 {
                return -Int.random(in: 1...range.upperBound, using: &random)
            }
            return Int.random(in: range, using: &random)
        }
    }
}
