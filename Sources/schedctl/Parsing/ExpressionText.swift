// The expression of --on, read here only to say at once what is wrong with it and where: schedd
// gets the text as it was written.

package import CivilTime

/// Checks calendar expressions.
package enum ExpressionText {
    /// The expression; the error has a mark under the place of the mistake.
    package static func expression(_ text: String) throws(UsageError) -> CalendarExpression {
        do throws(ExpressionError) {
            return try CalendarExpression(text)
        } catch {
            let before = EscapedText.line(String(text.prefix(error.offset)))
            let mark = String(repeating: " ", count: DisplayWidth.of(before)) + "^"
            throw UsageError(
                "--on: \(EscapedText.block(error.description))\n"
                    + "  \(EscapedText.line(text))\n  \(mark)")
        }
    }
}
