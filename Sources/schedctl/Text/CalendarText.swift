// Calendar patterns in words. The wire's object becomes the engine's own pattern, which has the
// words; one that the engine does not take, as from a newer schedd, is shown as it came.

package import CivilTime
package import SchedulerInterface
import Varlink

/// Renders calendar triggers.
package enum CalendarText {
    /// "every Monday to Friday at 09:00, Europe/Berlin, every 2 weeks".
    package static func words(_ calendar: Wire.CalendarTrigger) -> String {
        guard let expression = expression(calendar) else {
            return calendar.expression ?? calendar.jsonText
        }
        guard let every = calendar.every else { return expression.words }
        let unit = every.count == 1 ? every.unit.rawValue : "\(every.count) \(every.unit.rawValue)s"
        return "\(expression.words), every \(unit)"
    }

    /// The pattern and its zone; nil when they cannot be read.
    package static func expression(_ calendar: Wire.CalendarTrigger) -> CalendarExpression? {
        if let text = calendar.expression {
            guard let written = try? CalendarExpression(text) else { return nil }
            return CalendarExpression(
                pattern: written.pattern, timeZone: written.timeZone ?? calendar.timeZone)
        }
        let fields = fields(calendar).mapValues { $0.map { Int($0) } }
        let pattern = try? CalendarPattern(
            fields: fields, firstWeekday: calendar.firstWeekday.map { Int($0) },
            minimumDaysInFirstWeek: calendar.minimumDaysInFirstWeek.map { Int($0) },
            missingDay: calendar.missingDay == .lastDay ? .lastDay : .skip)
        return pattern.map { CalendarExpression(pattern: $0, timeZone: calendar.timeZone) }
    }

    private static func fields(
        _ calendar: Wire.CalendarTrigger
    ) -> [CalendarPattern.Field: [Int64]] {
        let all: [CalendarPattern.Field: [Int64]?] = [
            .year: calendar.year, .quarter: calendar.quarter, .month: calendar.month,
            .weekOfYear: calendar.weekOfYear, .yearForWeekOfYear: calendar.yearForWeekOfYear,
            .weekOfMonth: calendar.weekOfMonth, .dayOfYear: calendar.dayOfYear,
            .day: calendar.day, .weekdayOrdinal: calendar.weekdayOrdinal,
            .weekday: calendar.weekday, .hour: calendar.hour, .minute: calendar.minute,
            .second: calendar.second,
        ]
        return all.compactMapValues(\.self)
    }
}
