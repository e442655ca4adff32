// Makes any text fit for a notification server: valid for D-Bus, free of characters that break a
// renderer, short enough, and literal. The rule: whatever an app writes is shown as written and is
// never read as markup.

/// The text rules of notifications, each a pure function over strings.
package enum NotificationText {
    /// Longest title that is sent, in bytes of UTF-8; a longer one is cut.
    package static let summaryLimitBytes = 1024
    /// Longest subtitle that is sent, in bytes of UTF-8.
    package static let subtitleLimitBytes = 1024
    /// Longest body that is sent, in bytes of UTF-8 before escaping, which makes it at most six
    /// times as long (`"` to `&quot;`): 48 KiB, far below the bus limit of 128 MiB per message.
    package static let bodyLimitBytes = 8 * 1024
    /// Longest app name, desktop entry, action key or label, in bytes of UTF-8.
    package static let nameLimitBytes = 256

    /// What a cut text ends with, so that the reader can see that it was cut.
    package static let cutMark = "…"

    /// `text` on one line: line breaks and tabs become spaces.
    package static func singleLine(_ text: String, limitBytes: Int) -> String {
        // Cut first, so that a text of megabytes costs no more than the limit.
        var line = ""
        for character in cut(text, limitBytes: limitBytes) {
            if character.isNewline || character == "\t" {
                line.append(" ")
            } else {
                line.append(character)
            }
        }
        return showable(line)
    }

    /// `text` with its line breaks kept, each as a line feed: those of other systems (CR, CR LF,
    /// U+0085 and the like) would be left out as control characters, and words run together.
    package static func paragraph(_ text: String, limitBytes: Int) -> String {
        var lines = ""
        for character in cut(text, limitBytes: limitBytes) {
            lines.append(character.isNewline ? "\n" : character)
        }
        return showable(lines)
    }

    /// The text for a server that reads markup in the body.
    ///
    /// `'` is written as a number because `&apos;` is XML but not HTML 4, which Qt's renderer
    /// reads.
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// The longest start of `text` that ends between two characters as people see them (grapheme
    /// clusters) and fits into `limitBytes`, the cut mark included; `text` itself if it fits.
    package static func cut(_ text: String, limitBytes: Int) -> String {
        guard text.utf8.count > limitBytes else { return text }
        let room = limitBytes - cutMark.utf8.count
        var used = 0
        var end = text.startIndex
        while end < text.endIndex {
            let next = text.index(after: end)
            used += text.utf8.distance(from: end, to: next)
            guard used <= room else { break }
            end = next
        }
        return text[..<end] + cutMark
    }

    /// `text` without what no server shows and some choke on.
    ///
    /// U+0000 cannot be sent over D-Bus; GMarkup refuses the other control characters; the
    /// noncharacters of Unicode, which some versions of sd-bus refuse, become U+FFFD.
    private static func showable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { !isShowable($0) }) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            if isShowable(scalar) {
                shown.unicodeScalars.append(scalar)
            } else if isNoncharacter(scalar) {
                shown.unicodeScalars.append("\u{FFFD}")
            }
        }
        return shown
    }

    private static func isShowable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: true
        case 0..<0x20, 0x7F..<0xA0: false
        default: !isNoncharacter(scalar)
        }
    }

    /// U+FDD0...U+FDEF and the last two code points of each plane.
    private static func isNoncharacter(_ scalar: Unicode.Scalar) -> Bool {
        (0xFDD0...0xFDEF).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE
    }
}
