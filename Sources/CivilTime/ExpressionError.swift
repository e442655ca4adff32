// Why a text is not a calendar expression, and where: the offset lets a terminal put a mark under
// the place. The texts tell what to write instead.

/// A mistake in an expression.
package struct ExpressionError: Error, Hashable {
    package enum Problem: Sendable, Hashable {
        /// Nothing but spaces.
        case empty
        case tooLong(limit: Int)
        /// Something else stands here.
        case unexpected(expecting: String)
        /// A number that its place does not take.
        case outOfRange(CalendarPattern.Field, value: Int)
        /// A range whose end lies before its start.
        case backwards
        /// A step of 0, or one too large to be meant.
        case step
        /// A fraction of a second; a pattern names whole seconds.
        case fraction
        /// Cron's day and weekday are both given, and cron means "or"; `both` is the text for
        /// "and".
        case dayOrWeekday(both: String)
        /// Not five fields.
        case cronFieldCount(Int)
        /// `@reboot`, which is not a time.
        case reboot
        /// The values are each in order, and the pattern is not.
        case pattern(PatternError)
    }

    package let problem: Problem
    /// Characters before the mistake.
    package let offset: Int

    package init(_ problem: Problem, at offset: Int) {
        self.problem = problem
        self.offset = offset
    }
}

extension ExpressionError: CustomStringConvertible {
    /// What is wrong, without the position.
    package var description: String {
        switch problem {
        case .empty:
            "the expression is empty; write for example Mon..Fri 09:00"
        case .tooLong(let limit):
            "the expression is longer than \(limit) bytes"
        case .unexpected(let expected):
            "expected \(expected)"
        case .outOfRange(let field, let value):
            "\(field.name) \(value) is out of range"
        case .backwards:
            "the range ends before it starts"
        case .step:
            "the step must be from 1 to 9999"
        case .fraction:
            "fractions of a second are not supported; write whole seconds"
        case .dayOrWeekday(let both):
            """
            cron means that the day or the weekday matches; for dates that are both write \
            '\(both)', for either one add two requests
            """
        case .cronFieldCount(let count):
            """
            cron takes five fields (minute hour day month weekday), not \(count); for seconds \
            write OnCalendar syntax, such as *-*-* 09:00:30
            """
        case .reboot:
            "@reboot is not a time; add a request that fires now when the session starts"
        case .pattern(let error):
            error.description
        }
    }
}
