// The calendar object of the wire, typed by hand on a command line: every error names the member
// and says what goes there. Ranges are schedd's to check; it says so just as well.

package import SchedulerInterface
import Varlink

/// Reads the value of `--calendar`.
package enum CalendarJSON {
    package static func calendar(_ text: String) throws(UsageError) -> Wire.CalendarTrigger {
        guard let value = try? JSONValue(jsonText: text) else {
            throw refuse("'\(EscapedText.line(text))' is no JSON; write {\"hour\":[9]}")
        }
        guard case .object(let members) = value else {
            throw refuse("an object is expected, such as {\"hour\":[9]}")
        }
        var calendar = Wire.CalendarTrigger()
        for (name, value) in members.sorted(by: { $0.key < $1.key }) where value != .null {
            try set(name, value, in: &calendar)
        }
        return calendar
    }

    private typealias SetPath = any WritableKeyPath<Wire.CalendarTrigger, [Int64]?> & Sendable

    private static let sets: [(String, SetPath)] = [
        ("year", \.year), ("quarter", \.quarter), ("month", \.month), ("day", \.day),
        ("dayOfYear", \.dayOfYear), ("weekday", \.weekday), ("weekdayOrdinal", \.weekdayOrdinal),
        ("weekOfMonth", \.weekOfMonth), ("weekOfYear", \.weekOfYear),
        ("yearForWeekOfYear", \.yearForWeekOfYear), ("hour", \.hour), ("minute", \.minute),
        ("second", \.second),
    ]

    private static let otherNames = [
        "expression", "timeZone", "firstWeekday", "minimumDaysInFirstWeek", "missingDay", "every",
    ]

    private static func set(
        _ name: String, _ value: JSONValue, in calendar: inout Wire.CalendarTrigger
    ) throws(UsageError) {
        if let (_, path) = sets.first(where: { $0.0 == name }) {
            calendar[keyPath: path] = try integers(value, name)
            return
        }
        switch name {
        case "expression": calendar.expression = try text(value, name)
        case "timeZone": calendar.timeZone = try text(value, name)
        case "firstWeekday": calendar.firstWeekday = try integer(value, name)
        case "minimumDaysInFirstWeek": calendar.minimumDaysInFirstWeek = try integer(value, name)
        case "missingDay":
            calendar.missingDay = try choice(value, name, of: Wire.MissingDay.self)
        case "every": calendar.every = try stride(value)
        default:
            let names = (sets.map(\.0) + otherNames).joined(separator: ", ")
            throw refuse("there is no member '\(EscapedText.line(name))'; there are \(names)")
        }
    }

    private static func stride(_ value: JSONValue) throws(UsageError) -> Wire.Stride {
        guard case .object(let members) = value, Set(members.keys) == ["count", "unit"],
            let count = members["count"], let unit = members["unit"]
        else { throw refuse("'every' is an object such as {\"count\":2,\"unit\":\"week\"}") }
        return Wire.Stride(
            count: try integer(count, "every.count"),
            unit: try choice(unit, "every.unit", of: Wire.StrideUnit.self))
    }

    private static func integers(_ value: JSONValue, _ name: String) throws(UsageError) -> [Int64] {
        guard case .array(let elements) = value else {
            throw refuse("'\(name)' is a set of whole numbers, such as [9] or [9,18]")
        }
        var integers: [Int64] = []
        for element in elements { integers.append(try integer(element, name)) }
        return integers
    }

    private static func integer(_ value: JSONValue, _ name: String) throws(UsageError) -> Int64 {
        guard case .int(let integer) = value else {
            throw refuse("'\(name)' takes whole numbers")
        }
        return integer
    }

    private static func text(_ value: JSONValue, _ name: String) throws(UsageError) -> String {
        guard case .string(let text) = value else { throw refuse("'\(name)' is a text") }
        return text
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ value: JSONValue, _ name: String, of type: Choice.Type
    ) throws(UsageError) -> Choice {
        if case .string(let text) = value, let choice = Choice(rawValue: text) { return choice }
        let choices = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
        throw refuse("'\(name)' is \(choices)")
    }

    private static func refuse(_ reason: String) -> UsageError {
        UsageError("--calendar: \(reason)")
    }
}
