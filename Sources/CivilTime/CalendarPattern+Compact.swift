// The text of a pattern for the store and for people who need a field that no expression syntax
// has: `hour=9 weekday=2..6`. It is read when the daemon starts, so it is read in one pass over
// the bytes.

extension CalendarPattern {
    /// The fields as they were given: names and values, smallest first, runs of three as ranges.
    ///
    /// One space between fields, larger fields first; settings follow when they are not the
    /// default.
    package var compact: String {
        // One text that grows: it is written for every request that is stored.
        var text = ""
        for field in Field.allCases {
            guard let values = values(of: field) else { continue }
            Self.begin(field.name, in: &text)
            Self.append(values, to: &text)
        }
        if firstWeekday != Self.defaultFirstWeekday {
            Self.begin("firstWeekday", in: &text)
            text += String(firstWeekday)
        }
        if minimumDaysInFirstWeek != Self.defaultMinimumDaysInFirstWeek {
            Self.begin("minimumDaysInFirstWeek", in: &text)
            text += String(minimumDaysInFirstWeek)
        }
        if missingDay != .skip {
            Self.begin("missingDay", in: &text)
            text += "lastDay"
        }
        return text
    }

    private static func begin(_ name: String, in text: inout String) {
        if !text.isEmpty { text += " " }
        text += name
        text += "="
    }

    /// Reads what `compact` wrote, with fields in any order; each once.
    ///
    /// - Throws: `malformed` with the byte at which the text stops to read, or what
    ///   `init(fields:)` throws for the fields that it names.
    package init(compact text: String) throws(PatternError) {
        var reader = CompactReader(text)
        try reader.readAll()
        try self.init(
            reader.fields, firstWeekday: reader.firstWeekday, minimumDays: reader.minimumDays,
            missingDay: reader.missingDay)
    }

    private static func append(_ values: [Int], to text: inout String) {
        var index = 0
        while index < values.count {
            var end = index
            while end + 1 < values.count, values[end + 1] == values[end] + 1 { end += 1 }
            // Two neighbours are shorter as a list.
            if end < index + 2 { end = index }
            if index > 0 { text += "," }
            text += String(values[index])
            if end > index {
                text += ".."
                text += String(values[end])
            }
            index = end + 1
        }
    }
}

private struct CompactReader {
    var fields = FieldValues()
    var firstWeekday: Int?
    var minimumDays: Int?
    var missingDay = CalendarPattern.MissingDay.skip

    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func readAll() throws(PatternError) {
        skipSpaces()
        while position < bytes.count {
            try readPart()
            guard position == bytes.count || isAtSpace else {
                throw .malformed(offset: position)
            }
            skipSpaces()
        }
    }

    private mutating func readPart() throws(PatternError) {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "=") { position += 1 }
        guard position < bytes.count else { throw .malformed(offset: start) }
        let name = bytes[start..<position]
        position += 1
        if let field = Self.fields.first(where: { name.elementsEqual($0.name.utf8) }) {
            guard !fields.contains(field) else { throw .malformed(offset: start) }
            try readValues(of: field)
        } else if name.elementsEqual("firstWeekday".utf8), firstWeekday == nil {
            firstWeekday = try readNumber()
        } else if name.elementsEqual("minimumDaysInFirstWeek".utf8), minimumDays == nil {
            minimumDays = try readNumber()
        } else if name.elementsEqual("missingDay".utf8) {
            try readMissingDay()
        } else {
            throw .malformed(offset: start)
        }
    }

    private static let fields = CalendarPattern.Field.allCases

    private mutating func readValues(of field: CalendarPattern.Field) throws(PatternError) {
        var count = 0
        repeat {
            let first = try readNumber()
            try field.check(first)
            var last = first
            if consume(".") {
                guard consume(".") else { throw .malformed(offset: position) }
                let start = position
                last = try readNumber()
                try field.check(last)
                guard first <= last else { throw .malformed(offset: start) }
            }
            count += last - first + 1
            guard count <= field.limit else {
                throw .tooManyValues(field, limit: field.limit)
            }
            for value in first...last {
                try field.check(value)
                fields.insert(value, in: field)
            }
        } while consume(",")
    }

    private mutating func readMissingDay() throws(PatternError) {
        let start = position
        while position < bytes.count, !isAtSpace { position += 1 }
        let word = bytes[start..<position]
        if word.elementsEqual("lastDay".utf8) {
            missingDay = .lastDay
        } else if word.elementsEqual("skip".utf8) {
            missingDay = .skip
        } else {
            throw .malformed(offset: start)
        }
    }

    /// A decimal number of at most five digits; the ranges of the fields are narrower.
    private mutating func readNumber() throws(PatternError) -> Int {
        let isNegative = consume("-")
        let start = position
        var number = 0
        while position < bytes.count, 48...57 ~= bytes[position] {
            number = number * 10 + Int(bytes[position] - 48)
            position += 1
            guard position - start <= 5 else { throw .malformed(offset: start) }
        }
        guard position > start else { throw .malformed(offset: position) }
        return isNegative ? -number : number
    }

    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else {
            return false
        }
        position += 1
        return true
    }

    /// Asked only before the end.
    private var isAtSpace: Bool { ExpressionScanner.isSpace(bytes[position]) }

    private mutating func skipSpaces() {
        while position < bytes.count, isAtSpace { position += 1 }
    }
}
