// Just enough of Swift's grammar to count lines and look for words: identifiers and punctuation
// with their lines, without comments and string literals. Interpolations count as string.

struct SwiftToken: Equatable {
    let text: String
    let line: Int
    /// Bytes from the start of the file to the end of the token.
    let end: Int

    /// Whether nothing, not even a space, stands between the two.
    func touches(_ next: SwiftToken) -> Bool { end + next.text.utf8.count == next.end }
}

struct SwiftTokens {
    private(set) var tokens: [SwiftToken] = []
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(_ text: String) {
        bytes = Array(text.utf8)
        while position < bytes.count { step() }
    }

    private func peek(_ offset: Int = 0) -> UInt8 {
        position + offset < bytes.count ? bytes[position + offset] : 0
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count {
            if peek() == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
    }

    private mutating func step() {
        let byte = peek()
        if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "/") {
            while position < bytes.count, peek() != UInt8(ascii: "\n") { advance() }
        } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
            skipBlockComment()
        } else if byte == UInt8(ascii: "\"") || startsRawString {
            skipString()
        } else if byte == UInt8(ascii: "`") {
            takeQuotedIdentifier()
        } else if isWordByte(byte) {
            takeWord()
        } else {
            if byte > UInt8(ascii: " ") {
                take(1)
            } else {
                advance()
            }
        }
    }

    private var startsRawString: Bool {
        var offset = 0
        while peek(offset) == UInt8(ascii: "#") { offset += 1 }
        return offset > 0 && peek(offset) == UInt8(ascii: "\"")
    }

    private func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    /// The next `count` bytes as one token.
    private mutating func take(_ count: Int) {
        let end = min(position + count, bytes.count)
        let text = String(decoding: bytes[position..<end], as: UTF8.self)
        tokens.append(SwiftToken(text: text, line: line, end: end))
        advance(end - position)
    }

    private mutating func takeWord() {
        var count = 0
        while isWordByte(peek(count)) { count += 1 }
        take(count)
    }

    private mutating func takeQuotedIdentifier() {
        var count = 1
        while position + count < bytes.count, peek(count) != UInt8(ascii: "`") { count += 1 }
        take(count + 1)
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if peek() == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                depth += 1
                advance(2)
            } else if peek() == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                depth -= 1
                advance(2)
            } else {
                advance()
            }
        } while depth > 0 && position < bytes.count
    }

    /// Skips one literal of any form: `"…"`, `"""…"""`, and both with `#` around.
    private mutating func skipString() {
        var pounds = 0
        while peek() == UInt8(ascii: "#") {
            pounds += 1
            advance()
        }
        let quote = UInt8(ascii: "\"")
        let quotes = peek(1) == quote && peek(2) == quote ? 3 : 1
        if quotes == 1, pounds == 0, peek(1) == quote { return advance(2) }
        advance(quotes)
        while position < bytes.count, !ends(quotes: quotes, pounds: pounds) {
            guard isEscape(pounds: pounds) else {
                advance()
                continue
            }
            advance(1 + pounds)
            if peek() == UInt8(ascii: "(") { skipInterpolation() } else { advance() }
        }
        advance(quotes + pounds)
    }

    private func ends(quotes: Int, pounds: Int) -> Bool {
        (0..<quotes).allSatisfy { peek($0) == UInt8(ascii: "\"") }
            && (0..<pounds).allSatisfy { peek(quotes + $0) == UInt8(ascii: "#") }
    }

    private func isEscape(pounds: Int) -> Bool {
        peek() == UInt8(ascii: "\\")
            && (0..<pounds).allSatisfy { peek(1 + $0) == UInt8(ascii: "#") }
    }

    private mutating func skipInterpolation() {
        var depth = 0
        repeat {
            switch peek() {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "\""):
                skipString()
                continue
            default: break
            }
            advance()
        } while depth > 0 && position < bytes.count
    }
}

extension SwiftTokens {
    /// A function, initializer, deinitializer or subscript with a body.
    struct Body: Equatable {
        let name: String
        let firstLine: Int
        let lastLine: Int

        var lineCount: Int { lastLine - firstLine + 1 }
    }

    /// Every body in the file; a nested one is part of the outer one, and listed as well.
    var bodies: [Body] {
        tokens.indices.compactMap { index in
            let token = tokens[index]
            guard ["func", "init", "deinit", "subscript"].contains(token.text) else { return nil }
            if index > 0, tokens[index - 1].text == "." { return nil }
            guard let end = endOfBody(after: index) else { return nil }
            let name = token.text == "func" ? tokens[index + 1].text : token.text
            return Body(name: name, firstLine: token.line, lastLine: end)
        }
    }

    /// The line of the brace that closes the declaration at `index`; nil if it has no body, as in
    /// a protocol.
    private func endOfBody(after index: Int) -> Int? {
        var parentheses = 0
        var braces = 0
        for token in tokens[(index + 1)...] {
            switch token.text {
            case "(", "[": parentheses += 1
            case ")", "]": parentheses -= 1
            case "{":
                braces += 1
            case "}":
                braces -= 1
                if braces < 0 { return nil }
                if braces == 0, parentheses == 0 { return token.line }
            case "func", "init", "deinit", "subscript", "var", "let", "case":
                if braces == 0, parentheses == 0 { return nil }
            default: break
            }
        }
        return nil
    }
}
