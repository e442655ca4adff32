// The few moves that reading a fixed date or time format needs. Every error shows the whole text,
// as a user has typed it, and the forms that are understood.

/// A text with a place in it, read from left to right.
struct DigitReader {
    private let text: String
    private var rest: Substring

    init(_ text: String) {
        self.text = text
        rest = text[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Whether the next character is `character`, which is passed over then.
    mutating func consume(_ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    mutating func expect(_ character: Character) throws(UsageError) {
        if !consume(character) { throw malformed() }
    }

    /// A number of so many digits; more digits than allowed are malformed.
    mutating func number(digits allowed: ClosedRange<Int>) throws(UsageError) -> Int64 {
        let digits = consumeDigits()
        guard allowed.contains(digits.count), let value = Int64(digits) else { throw malformed() }
        return value
    }

    /// `.25` in microseconds, 0 when there is none; digits beyond the sixth are dropped.
    mutating func fraction() throws(UsageError) -> Int64 {
        guard consume(".") else { return 0 }
        let digits = consumeDigits()
        if digits.isEmpty { throw malformed() }
        let six = (digits + "000000").prefix(6)
        return Int64(six) ?? 0
    }

    func malformed() -> UsageError {
        UsageError(
            "'\(EscapedText.line(text))' is not a point in time; write '2026-12-01 09:00', 09:00, "
                + "2026-12-01T09:00:00Z or @1796115600")
    }

    func refuse(_ reason: String) -> UsageError {
        UsageError("'\(EscapedText.line(text))' is not a point in time: \(reason)")
    }

    private mutating func consumeDigits() -> Substring {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest.dropFirst(digits.count)
        return digits
    }
}
