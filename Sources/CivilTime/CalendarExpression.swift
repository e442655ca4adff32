// A pattern written as one line of text: systemd's OnCalendar syntax, five-field cron, or the
// names and values of fields. All three become the same pattern, and each prints back in one
// canonical form that reads to an equal expression.

/// A pattern and the zone that its text names.
package struct CalendarExpression: Sendable, Hashable {
    package let pattern: CalendarPattern
    /// Only checked for its form; `nil` follows the zone of the machine.
    package let timeZone: String?

    package init(pattern: CalendarPattern, timeZone: String? = nil) {
        self.pattern = pattern
        self.timeZone = timeZone
    }

    /// The longest text that is read, in bytes: more than any pattern prints, which is 400 years
    /// of both kinds at five bytes each, 366 scattered days of the year at five, and 1 KB for the
    /// rest.
    package static let limitBytes = 8192

    package enum Syntax: Sendable, Hashable {
        /// The calendar events of systemd.time(7), without fractions of seconds.
        case onCalendar
        /// Five fields, or a name such as `@daily`; a zone may follow.
        case cron
        /// What `CalendarPattern.compact` writes; a zone may follow.
        case fields
    }

    /// Reads a text of either syntax, as `syntax(of:)` sees it.
    package init(_ text: String) throws(ExpressionError) {
        try self.init(text, syntax: Self.syntax(of: text))
    }

    package init(_ text: String, syntax: Syntax) throws(ExpressionError) {
        guard text.utf8.count <= Self.limitBytes else {
            throw ExpressionError(.tooLong(limit: Self.limitBytes), at: Self.limitBytes)
        }
        switch syntax {
        case .onCalendar: self = try OnCalendarParser.parse(text)
        case .cron: self = try CronParser.parse(text)
        case .fields: self = try Self.parseFields(text)
        }
    }

    /// The syntax that a text is meant in.
    ///
    /// An equals sign is in field lists alone (but for cron's `CRON_TZ=`), `@` and a letter begins
    /// cron's names, and five words without a colon are cron's fields, as OnCalendar has four at
    /// most.
    package static func syntax(of text: String) -> Syntax {
        let words = ExpressionScanner.words(text)
        guard let first = words.first else { return .onCalendar }
        if first.hasPrefix(CronParser.zonePrefix) { return .cron }
        if text.utf8.contains(UInt8(ascii: "=")) { return .fields }
        if first.hasPrefix("@"), let second = first.utf8.dropFirst().first, second > 57 {
            return .cron
        }
        // Fewer words are cron as well when the first is a bare cron value, which OnCalendar
        // refuses.
        let isBare = first.utf8.allSatisfy { 48...57 ~= $0 || "*/,".utf8.contains($0) }
        let hasColon = text.utf8.contains(UInt8(ascii: ":"))
        return !hasColon && (words.count > 4 || (words.count > 1 && isBare)) ? .cron : .onCalendar
    }

    /// The canonical text: OnCalendar where it can say it, and else the fields.
    package var text: String {
        let body = OnCalendarPrinter.text(pattern) ?? pattern.compact
        return timeZone.map { "\(body) \($0)" } ?? body
    }

    private static func parseFields(_ text: String) throws(ExpressionError) -> Self {
        let words = ExpressionScanner.words(text)
        var zone: String?
        var body = text[...]
        if let last = words.last, !last.utf8.contains(UInt8(ascii: "=")) {
            let offset = text.utf8.distance(from: text.startIndex, to: last.startIndex)
            zone = try ZoneName.read(Array(last.utf8), at: offset)
            body = text[..<last.startIndex]
        }
        do throws(PatternError) {
            return Self(pattern: try CalendarPattern(compact: String(body)), timeZone: zone)
        } catch {
            if case .malformed(let offset) = error {
                throw ExpressionError(.unexpected(expecting: "a field such as hour=9"), at: offset)
            }
            throw ExpressionError(.pattern(error), at: 0)
        }
    }
}

/// The form of a zone's name: what may follow an expression. Whether the zone is there is asked
/// later.
enum ZoneName {
    /// The longest name that is read; those of the IANA database have at most 32 bytes.
    private static let limitBytes = 64

    /// The checked name. `UTC` is read in any case, as systemd does; every other name is that of a
    /// file and stays as it is.
    static func read(_ name: [UInt8], at offset: Int) throws(ExpressionError) -> String {
        try check(name, at: offset)
        let text = String(decoding: name, as: UTF8.self)
        return text.uppercased() == "UTC" ? "UTC" : text
    }

    /// Letters, digits and `/_+-.`, beginning with a letter, without `..`.
    private static func check(_ name: [UInt8], at offset: Int) throws(ExpressionError) {
        // `09:00 Mon` has its words in the wrong order; no zone is called so.
        let word = String(decoding: name.map { $0 | 0x20 }, as: UTF8.self)
        if CalendarNames.weekday(word) != nil {
            throw ExpressionError(
                .unexpected(expecting: "a time zone; weekdays come first"), at: offset)
        }
        guard let first = name.first, isLetter(first) else {
            throw ExpressionError(.unexpected(expecting: "a time zone"), at: offset)
        }
        for (index, byte) in name.enumerated() {
            let isAllowed = isLetter(byte) || 48...57 ~= byte || "/_+-.".utf8.contains(byte)
            let isParent =
                byte == UInt8(ascii: ".") && index > 0 && name[index - 1] == UInt8(ascii: ".")
            guard isAllowed && !isParent && index < limitBytes else {
                throw ExpressionError(.unexpected(expecting: "a time zone"), at: offset + index)
            }
        }
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        65...90 ~= byte || 97...122 ~= byte
    }
}
