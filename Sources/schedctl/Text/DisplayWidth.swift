// How many columns text takes on a terminal: East Asian wide characters and emoji take two,
// combining marks none (Unicode UAX #11 and UTS #51). Counted by grapheme cluster, as terminals of
// today draw.

/// Widths in terminal columns.
package enum DisplayWidth {
    /// Of a text without control characters.
    package static func of(_ text: String) -> Int {
        // Most of what is printed is ASCII.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The text cut to at most `width` columns; a cut one ends in an ellipsis.
    package static func truncate(_ text: String, to width: Int) -> String {
        if of(text) <= width { return text }
        if width < 1 { return "" }
        var result = ""
        var used = 0
        for character in text {
            let next = used + of(character)
            // One column is the ellipsis's.
            if next > width - 1 { break }
            result.append(character)
            used = next
        }
        return result + "…"
    }

    /// The text with spaces up to `width` columns.
    package static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - of(text)))
    }

    private static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        // U+FE0F asks for the emoji form of a character that also has a text form.
        if scalars.count > 1, scalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
        return scalars.map(of).max() ?? 0
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return isWide(scalar.value) ? 2 : 1
    }

    /// The ranges whose East_Asian_Width is W or F (EastAsianWidth.txt), joined over unassigned
    /// holes; emoji are told by their own property.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
        0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
        0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]

    private static func isWide(_ value: UInt32) -> Bool {
        value >= 0x1100 && wideRanges.contains { $0.contains(value) }
    }
}
