// What holds for the three syntaxes alike: any text gives an error at a position within it, or an
// expression that prints to a text which reads back as equal.

package import CivilTime

/// Checks what is made of the bytes that libFuzzer gives; it owns them for the length of the call.
package func checkExpression(
    _ start: UnsafePointer<UInt8>?, _ count: Int, _ syntax: CalendarExpression.Syntax
) {
    let text = unsafe String(
        decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    do throws(ExpressionError) {
        let expression = try CalendarExpression(text, syntax: syntax)
        let again = try CalendarExpression(expression.text)
        precondition(again == expression && again.text == expression.text)
        guard count % 16 == 7 else { return }
        precondition(!expression.words.isEmpty)
        let now = WallInstant(seconds: 1_800_000_000)
        if let next = expression.pattern.next(after: now, in: .utc) {
            precondition(next > now)
            let after = WallInstant(microseconds: next.microseconds + 1)
            precondition(expression.pattern.previous(before: after, in: .utc) == next)
        }
    } catch {
        precondition(error.offset >= 0 && error.offset <= text.utf8.count)
        precondition(!error.description.isEmpty)
    }
}
