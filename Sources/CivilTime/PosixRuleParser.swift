// Reads a TZ string such as `EST5EDT,M3.2.0,M11.1.0` or `<-02>2<-01>,M3.5.0/-1,M10.5.0/0`.
// The grammar is that of POSIX with the extension of RFC 9636 (hours -167 to 167 in the time of a
// change). A daylight name without its rule is refused: POSIX leaves its meaning open, and a guess
// would be an hour wrong in most of the world.

/// Why a TZ string was refused; positions are UTF-8 offsets into it.
package enum PosixRuleError: Error, Equatable {
    case tooLong(limit: Int)
    /// The text ended where more was needed.
    case ended(at: Int)
    case unexpected(UInt8, at: Int)
    /// An abbreviation has 3 to `PosixRuleParser.longestAbbreviation` characters.
    case badAbbreviation(at: Int)
    case outOfRange(allowed: ClosedRange<Int>, at: Int)
    /// Daylight time is named, but not when it begins and ends.
    case missingRule(at: Int)
}

extension PosixRuleError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLong(let limit): "longer than \(limit) bytes"
        case .ended(let position): "ends too early, at position \(position)"
        case .unexpected(let byte, let position):
            switch byte {
            case 0x20...0x7E:
                "unexpected '\(Character(Unicode.Scalar(byte)))' at position \(position)"
            default: "unexpected byte \(byte) at position \(position)"
            }
        case .badAbbreviation(let position):
            "abbreviation at position \(position) is not of 3 to"
                + " \(PosixRuleParser.longestAbbreviation) characters"
        case .outOfRange(let allowed, let position):
            "number at position \(position) is not in"
                + " \(allowed.lowerBound)...\(allowed.upperBound)"
        case .missingRule(let position):
            "daylight time without its rule (such as ',M3.2.0,M11.1.0') at position \(position)"
        }
    }
}

extension PosixRule {
    /// Reads a TZ string; the whole of it must be the rule.
    package init(_ text: some Sequence<UInt8>) throws(PosixRuleError) {
        var bytes: [UInt8] = []
        for byte in text {
            bytes.append(byte)
            guard bytes.count <= PosixRuleParser.longestRule else {
                throw .tooLong(limit: PosixRuleParser.longestRule)
            }
        }
        var parser = PosixRuleParser(bytes: bytes)
        self = try parser.parseRule()
    }
}

/// One pass over the bytes, without backtracking.
struct PosixRuleParser {
    /// Longer than any meaningful rule: the longest in use has 44 bytes.
    static let longestRule = 256
    static let longestAbbreviation = 31

    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func parseRule() throws(PosixRuleError) -> PosixRule {
        let standardName = try parseAbbreviation()
        // The text counts hours west of Greenwich.
        let standardSeconds = -(try parseTime(hours: 0...24))
        let standard = ZoneOffset(
            seconds: standardSeconds, isDST: false, abbreviation: standardName)
        guard current != nil else { return PosixRule(standard: standard, daylight: nil) }

        let daylightName = try parseAbbreviation()
        var daylightSeconds = standardSeconds + 3_600
        if let byte = current, byte != UInt8(ascii: ",") {
            daylightSeconds = -(try parseTime(hours: 0...24))
        }
        guard current != nil else { throw .missingRule(at: position) }
        try expect(UInt8(ascii: ","))
        let start = try parseChange()
        try expect(UInt8(ascii: ","))
        let end = try parseChange()
        if let byte = current { throw .unexpected(byte, at: position) }
        let offset = ZoneOffset(seconds: daylightSeconds, isDST: true, abbreviation: daylightName)
        return PosixRule(
            standard: standard,
            daylight: PosixRule.Daylight(offset: offset, start: start, end: end))
    }

    private var current: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func expect(_ byte: UInt8) throws(PosixRuleError) {
        guard let current else { throw .ended(at: position) }
        guard current == byte else { throw .unexpected(current, at: position) }
        position += 1
    }

    /// `EST`, letters only, or `<+0330>`, where digits and signs may stand as well.
    private mutating func parseAbbreviation() throws(PosixRuleError) -> String {
        guard let first = current else { throw .ended(at: position) }
        let isQuoted = first == UInt8(ascii: "<")
        if isQuoted { position += 1 }
        let start = position
        while let byte = current, Self.isAbbreviationByte(byte, quoted: isQuoted) { position += 1 }
        guard (3...Self.longestAbbreviation).contains(position - start) else {
            // Nothing at all is a stranger rather than a short name.
            if position == start, let byte = current { throw .unexpected(byte, at: position) }
            throw .badAbbreviation(at: start)
        }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        if isQuoted { try expect(UInt8(ascii: ">")) }
        return name
    }

    private static func isAbbreviationByte(_ byte: UInt8, quoted: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): quoted
        default: false
        }
    }

    /// `[+|-]hh[:mm[:ss]]` as seconds.
    private mutating func parseTime(hours: ClosedRange<Int>) throws(PosixRuleError) -> Int32 {
        var sign: Int32 = 1
        if let byte = current, byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
            sign = byte == UInt8(ascii: "-") ? -1 : 1
            position += 1
        }
        var seconds = try parseNumber(in: hours) * 3_600
        for unit in [60, 1] {
            guard current == UInt8(ascii: ":") else { break }
            position += 1
            seconds += try parseNumber(in: 0...59) * unit
        }
        return sign * Int32(seconds)
    }

    /// `Jn`, `n` or `Mm.w.d`, then perhaps `/time`; without it 02:00:00.
    private mutating func parseChange() throws(PosixRuleError) -> PosixRule.Change {
        let day: PosixRule.Day
        switch current {
        case UInt8(ascii: "J"):
            position += 1
            day = .julian(try parseNumber(in: 1...365))
        case UInt8(ascii: "M"):
            position += 1
            let month = try parseNumber(in: 1...12)
            try expect(UInt8(ascii: "."))
            let week = try parseNumber(in: 1...5)
            try expect(UInt8(ascii: "."))
            day = .monthly(month: month, week: week, weekday: try parseNumber(in: 0...6))
        default:
            day = .zeroBased(try parseNumber(in: 0...365))
        }
        var seconds: Int32 = 2 * 3_600
        if current == UInt8(ascii: "/") {
            position += 1
            seconds = try parseTime(hours: 0...167)
        }
        return PosixRule.Change(day: day, seconds: seconds)
    }

    /// Digits, however many zeros lead; cannot overflow, since it stops beyond the upper bound.
    private mutating func parseNumber(in allowed: ClosedRange<Int>) throws(PosixRuleError) -> Int {
        let start = position
        var number = 0
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
            guard number <= allowed.upperBound else {
                throw .outOfRange(allowed: allowed, at: start)
            }
            position += 1
        }
        guard position > start else {
            if let byte = current { throw .unexpected(byte, at: position) }
            throw .ended(at: position)
        }
        guard allowed.contains(number) else { throw .outOfRange(allowed: allowed, at: start) }
        return number
    }
}
