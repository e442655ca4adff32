// A trigger for people: its canonical text where there is one, and in words.

import CivilTime
import Scheduling

/// What a preview says about its trigger.
struct TriggerText: Equatable {
    /// Of a calendar trigger, its canonical expression.
    var expression: String?
    var words: String

    init(_ trigger: Trigger) {
        switch trigger {
        case .now:
            words = "now"
        case .date:
            words = "once"
        case .interval(let interval):
            let span = Self.span(interval.period)
            words = interval.repeats ? "every \(span)" : "once, after \(span)"
        case .calendar(let calendar):
            let said = CalendarExpression(pattern: calendar.pattern, timeZone: calendar.zone)
            expression = said.text
            words = calendar.repeats ? said.words : "once, \(said.words)"
        }
    }

    /// "1 h 30 min" of microseconds.
    static func span(_ microseconds: Int64) -> String {
        let units: [(size: Int64, name: String)] = [
            (86_400_000_000, "d"), (3_600_000_000, "h"), (60_000_000, "min"), (1_000_000, "s"),
            (1_000, "ms"), (1, "us"),
        ]
        var rest = microseconds
        var parts: [String] = []
        for unit in units where rest >= unit.size {
            parts.append("\(rest / unit.size) \(unit.name)")
            rest %= unit.size
        }
        return parts.joined(separator: " ")
    }
}
