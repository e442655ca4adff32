// Why a set of fields is not a calendar pattern. Every case names what to change; callers map the
// cases to wire errors in one switch and show the description to the user as it is.

/// A mistake in the fields of a pattern.
package enum PatternError: Error, Hashable {
    /// No field is set, so nothing says when to fire.
    case noFields
    /// A field is given without any value.
    case emptySet(CalendarPattern.Field)
    /// A value that the field never has; `allowed` is the range counted from the start.
    case outOfRange(CalendarPattern.Field, value: Int, allowed: ClosedRange<Int>)
    /// More values than the field's limit.
    case tooManyValues(CalendarPattern.Field, limit: Int)
    /// `firstWeekday` beyond 1...7.
    case firstWeekdayOutOfRange(Int)
    /// `minimumDaysInFirstWeek` beyond 1...7.
    case minimumDaysOutOfRange(Int)
    /// The fields are each in range, and no date of the calendar has them all.
    case neverFires
    /// The text of a stored pattern does not read; the offset counts UTF-8 bytes from 0.
    case malformed(offset: Int)

    /// The wire's name of the field at fault, where there is one.
    package var field: String? {
        switch self {
        case .emptySet(let field), .outOfRange(let field, _, _), .tooManyValues(let field, _):
            field.name
        case .firstWeekdayOutOfRange: "firstWeekday"
        case .minimumDaysOutOfRange: "minimumDaysInFirstWeek"
        case .noFields, .neverFires, .malformed: nil
        }
    }
}

extension PatternError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noFields:
            "no field is set; give at least one, such as hour"
        case .emptySet(let field):
            "\(field.name) has no values; give at least one, or leave the field out"
        case .outOfRange(let field, let value, let allowed):
            "\(field.name) \(value) is out of range; it takes "
                + "\(allowed.lowerBound) to \(allowed.upperBound)"
                + (field.countsFromEnd ? ", or -1 to -\(allowed.upperBound) from the end" : "")
        case .tooManyValues(let field, let limit):
            "\(field.name) has too many values; the limit is \(limit)"
        case .firstWeekdayOutOfRange(let value):
            "firstWeekday \(value) is out of range; it takes 1 (Sunday) to 7 (Saturday)"
        case .minimumDaysOutOfRange(let value):
            "minimumDaysInFirstWeek \(value) is out of range; it takes 1 to 7"
        case .neverFires:
            "no date has all of the given fields together, so this would never fire"
        case .malformed(let offset):
            "the text of the pattern does not read at byte \(offset)"
        }
    }
}
