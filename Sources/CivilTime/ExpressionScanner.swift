// The letters, numbers and value lists that OnCalendar and cron have in common. Positions are byte
// offsets: everything up to the first mistake is ASCII, so they count characters as well.

struct ExpressionScanner {
    let bytes: [UInt8]
    var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { position == bytes.count }
    var current: UInt8? { position < bytes.count ? bytes[position] : nil }
    var isAtSpace: Bool { current.map { Self.isSpace($0) } ?? true }

    /// Between words a tab is as good as a space: crontabs are often set in columns.
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    /// The words of a text, none of them empty.
    static func words(_ text: String) -> [Substring] {
        text.split { $0 == " " || $0 == "\t" }
    }

    mutating func skipSpaces() {
        while let byte = current, Self.isSpace(byte) { position += 1 }
    }

    mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// The two dots of a range.
    mutating func consumeDots() -> Bool {
        guard current == UInt8(ascii: "."), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: ".")
        else { return false }
        position += 2
        return true
    }

    /// Letters as they come, in lower case.
    mutating func consumeWord() -> String {
        var word = ""
        while let byte = current, ZoneName.isLetter(byte) {
            word.unicodeScalars.append(Unicode.Scalar(byte | 0x20))
            position += 1
        }
        return word
    }

    /// Up to the next space.
    func wordEnd() -> Int {
        bytes[position...].firstIndex { Self.isSpace($0) } ?? bytes.count
    }

    func unexpected(_ expecting: String) -> ExpressionError {
        ExpressionError(.unexpected(expecting: expecting), at: position)
    }

    /// A decimal number of at most four digits; all that an expression counts is below 10,000.
    mutating func number(_ expecting: String) throws(ExpressionError) -> Int {
        let start = position
        var number = 0
        while let byte = current, 48...57 ~= byte {
            number = number * 10 + Int(byte - 48)
            position += 1
            guard position - start <= 4 else {
                position = start
                throw unexpected("\(expecting) of at most four digits")
            }
        }
        guard position > start else { throw unexpected(expecting) }
        return number
    }

    /// What may follow `/`.
    mutating func step() throws(ExpressionError) -> Int {
        let start = position
        let step = try number("a step")
        guard step > 0 else { throw ExpressionError(.step, at: start) }
        return step
    }

    /// The name of a zone, which ends the text.
    mutating func zoneName() throws(ExpressionError) -> String {
        let end = wordEnd()
        let name = try ZoneName.read(Array(bytes[position..<end]), at: position)
        position = end
        skipSpaces()
        guard isAtEnd else { throw unexpected("the end, as the time zone comes last") }
        return name
    }
}

/// Names of weekdays and months: English, at least the first three letters.
enum CalendarNames {
    static let weekdays = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]
    static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]

    /// 1 = Sunday; the whole name or its first three letters, in lower case.
    static func weekday(_ word: String) -> Int? { number(of: word, in: weekdays) }

    /// 1 = January.
    static func month(_ word: String) -> Int? { number(of: word, in: months) }

    private static func number(of word: String, in names: [String]) -> Int? {
        names.firstIndex { $0 == word || (word.utf8.count == 3 && $0.hasPrefix(word)) }
            .map { $0 + 1 }
    }
}
