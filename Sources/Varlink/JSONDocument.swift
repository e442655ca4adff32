// A scanned JSON text and the reading of single values out of it. Paths are not kept while
// decoding: they are found from a token's index when something is wrong.

/// A JSON text whose grammar has been checked, with its values found.
struct JSONDocument: Sendable {
    let bytes: [UInt8]
    let tokens: [JSONToken]
    /// Index of the first string token that is not text.
    let textFault: Int?

    init(_ bytes: [UInt8]) throws(JSONError) {
        var scanner = JSONScanner(bytes)
        try scanner.scan()
        self.bytes = bytes
        tokens = scanner.tokens
        textFault = scanner.textFault
    }

    private init(bytes: [UInt8], tokens: [JSONToken]) {
        self.bytes = bytes
        self.tokens = tokens
        textFault = nil
    }

    /// The text `{}`.
    static let emptyObject = JSONDocument(
        bytes: Array("{}".utf8), tokens: [JSONToken(kind: .object, start: 0, length: 0, next: 1)])

    func next(after index: Int) -> Int { Int(tokens[index].next) }

    func kind(_ index: Int) -> JSONToken.Kind { tokens[index].kind }

    func bytes(of index: Int) -> ArraySlice<UInt8> {
        let start = Int(tokens[index].start)
        return bytes[start..<start + Int(tokens[index].length)]
    }

    /// The text of a string token, nil for other tokens.
    func string(_ index: Int) -> String? {
        switch tokens[index].kind {
        case .plainString: String(decoding: bytes(of: index), as: UTF8.self)
        case .escapedString: unescaped(index)
        default: nil
        }
    }

    func bool(_ index: Int) -> Bool? {
        switch tokens[index].kind {
        case .yes: true
        case .no: false
        default: nil
        }
    }

    /// The integer, nil if the token is none or it does not fit. A fraction or exponent makes a
    /// float of a number, whatever its value.
    func integer(_ index: Int) -> Int64? {
        guard tokens[index].kind == .integer else { return nil }
        var digits = bytes(of: index)
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        var magnitude: UInt64 = 0
        for digit in digits {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit & 0x0F))
            if overflow || carry { return nil }
            magnitude = sum
        }
        guard isNegative else { return Int64(exactly: magnitude) }
        if magnitude == Int64.min.magnitude { return Int64.min }
        return Int64(exactly: magnitude).map { -$0 }
    }

    /// The number, nil if the token is none or it is too large for a Double.
    func double(_ index: Int) -> Double? {
        let kind = tokens[index].kind
        guard kind == .integer || kind == .fraction else { return nil }
        let number = Double(String(decoding: bytes(of: index), as: UTF8.self))
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Whether a member name is `text`, found without making a string of it where possible.
    func name(_ index: Int, is text: String) -> Bool {
        let token = tokens[index]
        guard token.kind == .plainString else {
            return string(index)?.utf8.elementsEqual(text.utf8) ?? false
        }
        guard text.utf8.count == Int(token.length) else { return false }
        let name = text.utf8.span
        let start = Int(token.start)
        let own = bytes.span.extracting(start..<start + name.count)
        for position in name.indices {
            guard own[position] == name[position] else { return false }
        }
        return true
    }

    private func unescaped(_ index: Int) -> String {
        let content = bytes(of: index)
        var units: [UInt8] = []
        units.reserveCapacity(content.count)
        var position = content.startIndex
        while position < content.endIndex {
            guard content[position] == UInt8(ascii: "\\") else {
                units.append(content[position])
                position += 1
                continue
            }
            let (scalar, length) = escape(at: position)
            units.append(contentsOf: String(scalar).utf8)
            position += length
        }
        return String(decoding: units, as: UTF8.self)
    }

    /// The character of an escape and the bytes that it takes; a lone surrogate, which only a
    /// document with a `textFault` has, reads as U+FFFD.
    private func escape(at position: Int) -> (Unicode.Scalar, Int) {
        switch bytes[position + 1] {
        case UInt8(ascii: "b"): return ("\u{8}", 2)
        case UInt8(ascii: "f"): return ("\u{C}", 2)
        case UInt8(ascii: "n"): return ("\n", 2)
        case UInt8(ascii: "r"): return ("\r", 2)
        case UInt8(ascii: "t"): return ("\t", 2)
        case UInt8(ascii: "u"): break
        case let byte: return (Unicode.Scalar(byte), 2)
        }
        let high = UInt32(JSONScanner.hexadecimal(bytes, at: position + 2) ?? 0xFFFD)
        if let scalar = Unicode.Scalar(high) { return (scalar, 6) }
        let low = UInt32(JSONScanner.hexadecimal(bytes, at: position + 8) ?? 0)
        guard high < 0xDC00, low & 0xFC00 == 0xDC00 else { return ("\u{FFFD}", 6) }
        let value = 0x1_0000 + (high & 0x3FF) << 10 + (low & 0x3FF)
        return (Unicode.Scalar(value) ?? "\u{FFFD}", 12)
    }
}

// MARK: - Members and paths

extension JSONDocument {
    /// Calls `body` with the tokens of name and value of every member of an object.
    func forEachMember<Failure: Error>(
        of object: Int, _ body: (_ name: Int, _ value: Int) throws(Failure) -> Void
    ) throws(Failure) {
        var name = object + 1
        let end = next(after: object)
        while name < end {
            try body(name, name + 1)
            name = next(after: name + 1)
        }
    }

    /// The way from the value at `root` to the one at `target`, which may also be a name, as it is
    /// written in `InvalidParameter`: `requests[0].trigger.colour`. Empty for `root` itself.
    func path(from root: Int, to target: Int) -> String {
        var path = ""
        var container = root
        descent: while container < target, target < next(after: container) {
            let isObject = kind(container) == .object
            var element = container + 1
            var number = 0
            while element < next(after: container) {
                let value = isObject ? element + 1 : element
                // A name that is not text has no place in a path: the object is named instead.
                if isObject, element == target { break descent }
                if target < next(after: value) {
                    path = isObject ? path.member(string(element) ?? "") : "\(path)[\(number)]"
                    container = value
                    continue descent
                }
                element = next(after: value)
                number += 1
            }
            break
        }
        return path
    }

    /// Where a mistake is; `parameters` if it is the value at `root` itself.
    func path(from root: Int, to mistake: JSONMistake) -> String {
        let path =
            switch mistake {
            case .value(let index), .unknownChoice(let index): path(from: root, to: index)
            case .missing(let object, let name): path(from: root, to: object).member(name)
            }
        return path.isEmpty ? "parameters" : path
    }
}

extension String {
    /// This path and a member of the value that it leads to.
    fileprivate func member(_ name: String) -> String { isEmpty ? name : "\(self).\(name)" }
}
