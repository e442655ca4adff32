// Reads one JSON text (RFC 8259) exactly once, strictly, and notes every value in a flat list of
// tokens. It neither recurses nor grows with the depth of the text: an open container's token
// holds its parent's index until it is closed. What is wrong with the grammar throws; a
// string that is well framed but is not valid text (bad UTF-8, U+0000, lone surrogates) is only
// noted, so that the server can name the member and keep the connection.

/// What is wrong with the grammar of a JSON text; offsets count bytes from its start.
package enum JSONError: Error, Equatable, Sendable {
    case unexpectedByte(UInt8, offset: Int)
    case truncated
    case trailingBytes(offset: Int)
    case tooDeep(offset: Int)
    case numberTooLong(offset: Int)
    case malformedNumber(offset: Int)
    case malformedEscape(offset: Int)
    case controlCharacter(offset: Int)
}

/// One value or member name of a scanned text.
struct JSONToken {
    enum Kind: UInt8 {
        case object, array, plainString, escapedString, integer, fraction, yes, no, null
    }

    var kind: Kind
    /// First byte of the value; for a string the first byte after the quote.
    var start: Int32
    /// Bytes of the value; for a string without its quotes. Of no use in a container.
    var length: Int32
    /// Index of the token that follows this value and all that it contains.
    var next: Int32
}

struct JSONScanner {
    private enum Expected {
        case value, firstElement, firstName, name, colon, separator, end
    }

    /// Containers inside each other, as systemd's reader allows.
    static let depthLimit = 64
    /// An Int64 takes 20 bytes, the longest shortest spelling of a Double 24.
    static let numberLimitBytes = 64

    let bytes: [UInt8]
    private(set) var tokens: [JSONToken] = []
    /// Index of the first string token that is not text.
    private(set) var textFault: Int?
    private var position = 0
    private var open: Int32 = -1
    private var depth = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        tokens.reserveCapacity(bytes.count / 8 + 8)
    }

    /// Scans the whole text.
    mutating func scan() throws(JSONError) {
        var expected = Expected.value
        while skipWhitespace() {
            let byte = bytes[position]
            switch expected {
            case .end:
                throw .trailingBytes(offset: position)
            case .colon:
                guard byte == UInt8(ascii: ":") else { throw unexpected(byte) }
                position += 1
                expected = .value
            case .separator:
                expected = try separator(byte)
            case .firstName where byte == UInt8(ascii: "}"),
                .firstElement where byte == UInt8(ascii: "]"):
                expected = close()
            case .firstName, .name:
                guard byte == UInt8(ascii: "\"") else { throw unexpected(byte) }
                try string()
                expected = .colon
            case .value, .firstElement:
                expected = try value(byte)
            }
        }
        guard expected == .end else { throw .truncated }
    }

    private mutating func separator(_ byte: UInt8) throws(JSONError) -> Expected {
        let isObject = tokens[Int(open)].kind == .object
        switch byte {
        case UInt8(ascii: ","):
            position += 1
            return isObject ? .name : .value
        case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject:
            return close()
        default:
            throw unexpected(byte)
        }
    }

    private mutating func value(_ byte: UInt8) throws(JSONError) -> Expected {
        switch byte {
        case UInt8(ascii: "\""):
            try string()
        case UInt8(ascii: "{"):
            try begin(.object)
            return .firstName
        case UInt8(ascii: "["):
            try begin(.array)
            return .firstElement
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try number()
        case UInt8(ascii: "t"):
            try word("true", .yes)
        case UInt8(ascii: "f"):
            try word("false", .no)
        case UInt8(ascii: "n"):
            try word("null", .null)
        default:
            throw unexpected(byte)
        }
        return open < 0 ? .end : .separator
    }

    private mutating func begin(_ kind: JSONToken.Kind) throws(JSONError) {
        guard depth < JSONScanner.depthLimit else { throw .tooDeep(offset: position) }
        let index = Int32(tokens.count)
        tokens.append(JSONToken(kind: kind, start: Int32(position), length: 0, next: open))
        open = index
        depth += 1
        position += 1
    }

    private mutating func close() -> Expected {
        let index = Int(open)
        open = tokens[index].next
        tokens[index].next = Int32(tokens.count)
        depth -= 1
        position += 1
        return open < 0 ? .end : .separator
    }

    private mutating func word(_ word: StaticString, _ kind: JSONToken.Kind) throws(JSONError) {
        let start = position
        for expected in word.description.utf8 {
            guard position < bytes.count else { throw .truncated }
            guard bytes[position] == expected else { throw unexpected(bytes[position]) }
            position += 1
        }
        append(kind, from: start, to: position)
    }

    private mutating func append(_ kind: JSONToken.Kind, from start: Int, to end: Int) {
        tokens.append(
            JSONToken(
                kind: kind, start: Int32(start), length: Int32(end - start),
                next: Int32(tokens.count + 1)))
    }

    /// False at the end of the text.
    private mutating func skipWhitespace() -> Bool {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return true
            }
        }
        return false
    }

    private func unexpected(_ byte: UInt8) -> JSONError {
        .unexpectedByte(byte, offset: position)
    }
}

// MARK: - Numbers

extension JSONScanner {
    private mutating func number() throws(JSONError) {
        let start = position
        var kind = JSONToken.Kind.integer
        skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try digits(of: start) }
        if skip(UInt8(ascii: ".")) {
            kind = .fraction
            try digits(of: start)
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            kind = .fraction
            if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
            try digits(of: start)
        }
        append(kind, from: start, to: position)
    }

    private mutating func digits(of start: Int) throws(JSONError) {
        let first = position
        while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 {
            position += 1
            guard position - start <= JSONScanner.numberLimitBytes else {
                throw .numberTooLong(offset: start)
            }
        }
        guard position > first else { throw .malformedNumber(offset: position) }
    }

    @discardableResult
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }
}

// MARK: - Strings

extension JSONScanner {
    private mutating func string() throws(JSONError) {
        position += 1
        let start = position
        var kind = JSONToken.Kind.plainString
        var isText = true
        while true {
            position = bytes.span.endOfPlainText(from: position)
            guard position < bytes.count else { throw .truncated }
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                if !isText, textFault == nil { textFault = tokens.count }
                append(kind, from: start, to: position)
                position += 1
                return
            case UInt8(ascii: "\\"):
                kind = .escapedString
                if try !escape() { isText = false }
            case 0x00..<0x20:
                throw .controlCharacter(offset: position)
            default:
                let length = characterLength(byte)
                if length == 0 { isText = false }
                position += max(length, 1)
            }
        }
    }

    /// Passes one escape, or both halves of a surrogate pair; false if it stands for no character
    /// or for U+0000.
    private mutating func escape() throws(JSONError) -> Bool {
        guard position + 1 < bytes.count else { throw .truncated }
        switch bytes[position + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 2
            return true
        case UInt8(ascii: "u"):
            break
        default:
            throw .malformedEscape(offset: position)
        }
        let unit = try hexadecimal(at: position)
        position += 6
        guard unit & 0xF800 == 0xD800 else { return unit != 0 }
        // A high surrogate needs a low one right behind it; what follows a lone one is read anew.
        guard unit < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u"),
            try hexadecimal(at: position) & 0xFC00 == 0xDC00
        else { return false }
        position += 6
        return true
    }

    private func hexadecimal(at escape: Int) throws(JSONError) -> UInt16 {
        guard let unit = JSONScanner.hexadecimal(bytes, at: escape + 2) else {
            throw .malformedEscape(offset: escape)
        }
        return unit
    }

    /// The four hexadecimal digits at `offset`, or nil.
    static func hexadecimal(_ bytes: [UInt8], at offset: Int) -> UInt16? {
        guard offset + 4 <= bytes.count else { return nil }
        var unit: UInt16 = 0
        for index in offset..<offset + 4 {
            let byte = bytes[index]
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    /// Bytes of the UTF-8 sequence that starts here (RFC 3629 section 4), 0 if it is none.
    private func characterLength(_ lead: UInt8) -> Int {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF:
            length = 3
            if lead == 0xE0 { second = 0xA0...0xBF }
            if lead == 0xED { second = 0x80...0x9F }
        case 0xF0...0xF4:
            length = 4
            if lead == 0xF0 { second = 0x90...0xBF }
            if lead == 0xF4 { second = 0x80...0x8F }
        default: return 0
        }
        guard position + length <= bytes.count, second.contains(bytes[position + 1]) else {
            return 0
        }
        for index in position + 2..<position + length where bytes[index] & 0xC0 != 0x80 {
            return 0
        }
        return length
    }
}
