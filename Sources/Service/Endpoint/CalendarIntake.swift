// The calendar object of a trigger: field sets or an expression, never both.

import CivilTime
import Scheduling
import SchedulerInterface

/// Turns a wire calendar into a pattern and the name of its zone; `field` is where it stands.
struct CalendarIntake {
    var field: String

    func pattern(
        _ wire: Wire.CalendarTrigger
    ) throws(RequestError) -> (pattern: CalendarPattern, zone: String?) {
        if let text = wire.expression { return try expression(text, wire) }
        do throws(PatternError) {
            let pattern = try CalendarPattern(
                firstWeekday: wire.firstWeekday.map { Int(clamping: $0) },
                minimumDaysInFirstWeek: wire.minimumDaysInFirstWeek.map { Int(clamping: $0) },
                missingDay: missingDay(wire.missingDay)
            ) { field in
                wire.values(of: field)?.map { Int(clamping: $0) }
            }
            return (pattern, wire.timeZone)
        } catch {
            throw requestError(error)
        }
    }

    private func expression(
        _ text: String, _ wire: Wire.CalendarTrigger
    ) throws(RequestError) -> (pattern: CalendarPattern, zone: String?) {
        let hasSets = CalendarPattern.Field.allCases.contains { wire.values(of: $0) != nil }
        guard !hasSets, wire.firstWeekday == nil, wire.missingDay == nil,
            wire.minimumDaysInFirstWeek == nil
        else {
            throw .invalid(
                field: field + ".expression", reason: "does not go with field sets; give one")
        }
        let expression: CalendarExpression
        do throws(ExpressionError) {
            expression = try CalendarExpression(text)
        } catch {
            if case .pattern(.neverFires) = error.problem {
                throw .neverFires(field: field, reason: error.description)
            }
            throw .invalid(field: field + ".expression", reason: error.description)
        }
        guard wire.timeZone == nil || expression.timeZone == nil else {
            throw .invalid(
                field: field + ".timeZone", reason: "the expression names a zone already")
        }
        return (expression.pattern, expression.timeZone ?? wire.timeZone)
    }

    private func missingDay(_ wire: Wire.MissingDay?) -> CalendarPattern.MissingDay {
        switch wire {
        case .skip?, nil: .skip
        case .lastDay?: .lastDay
        }
    }

    private func requestError(_ error: PatternError) -> RequestError {
        switch error {
        case .neverFires:
            .neverFires(field: field, reason: error.description)
        case .noFields, .emptySet, .outOfRange, .tooManyValues, .firstWeekdayOutOfRange,
            .minimumDaysOutOfRange, .malformed:
            .invalid(
                field: error.field.map { "\(field).\($0)" } ?? field, reason: error.description)
        }
    }
}

extension Wire.CalendarTrigger {
    fileprivate func values(of field: CalendarPattern.Field) -> [Int64]? {
        switch field {
        case .year: year
        case .yearForWeekOfYear: yearForWeekOfYear
        case .quarter: quarter
        case .month: month
        case .weekOfYear: weekOfYear
        case .weekOfMonth: weekOfMonth
        case .day: day
        case .dayOfYear: dayOfYear
        case .weekday: weekday
        case .weekdayOrdinal: weekdayOrdinal
        case .hour: hour
        case .minute: minute
        case .second: second
        }
    }
}
