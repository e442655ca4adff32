// Text of others on a terminal. A title may hold anything; what could move the cursor, change
// colours, or turn the direction of writing is shown as an escape, so that it cannot lie.

/// Makes text safe to print.
package enum EscapedText {
    /// On one line: controls, separators and invisible formatting as escapes.
    package static func line(_ text: String) -> String {
        escape(text, keepsNewlines: false)
    }

    /// On several lines: newlines are kept.
    package static func block(_ text: String) -> String {
        escape(text, keepsNewlines: true)
    }

    private static func escape(_ text: String, keepsNewlines: Bool) -> String {
        if text.unicodeScalars.allSatisfy({ !isUnsafe($0) }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar), !(keepsNewlines && scalar == "\n") {
                result.append(contentsOf: name(of: scalar).unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format:
            // The joiners and the tags of emoji and of some scripts draw nothing of their own.
            !(0x200C...0x200D).contains(scalar.value) && !(0xE0020...0xE007F).contains(scalar.value)
        default: false
        }
    }

    private static func name(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default:
            let digits = String(scalar.value, radix: 16)
            return scalar.value < 0x100
                ? "\\x" + String(repeating: "0", count: 2 - digits.count) + digits
                : "\\u{\(digits)}"
        }
    }
}
