// Cuts the text of an interface into words and marks, each with its place and the comment lines
// directly above it.

/// What is wrong with the text of an interface, and where; lines and columns count from 1.
package struct InterfaceError: Error, Equatable, Sendable {
    package enum Reason: Hashable, Sendable {
        case unexpectedCharacter
        case expected(String)
        case invalidName(String)
        case duplicateName(String)
        case unknownType(String)
        /// Allowed by some parsers and refused by others.
        case notPortable(String)
        case tooDeep
    }

    package let reason: Reason
    package let line: Int
    /// In bytes.
    package let column: Int

    package init(reason: Reason, line: Int, column: Int) {
        self.reason = reason
        self.line = line
        self.column = column
    }
}

struct InterfaceToken {
    enum Kind: Hashable {
        case word(String)
        /// One of `( ) [ ] , : ?` or `->`.
        case mark(String)
        case end
    }

    let kind: Kind
    let line: Int
    let column: Int
    let documentation: String
    let isFirstInLine: Bool

    func error(_ reason: InterfaceError.Reason) -> InterfaceError {
        InterfaceError(reason: reason, line: line, column: column)
    }
}

struct InterfaceLexer {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var lineStart = 0
    private var isFirstInLine = true
    private var comments: [String] = []
    private var lastCommentLine = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func next() throws(InterfaceError) -> InterfaceToken {
        try skipSpace()
        let documentation = lastCommentLine == line - 1 ? comments.joined(separator: "\n") : ""
        let start = position
        let kind = try kind()
        defer {
            comments = []
            isFirstInLine = false
        }
        return InterfaceToken(
            kind: kind, line: line, column: start - lineStart + 1, documentation: documentation,
            isFirstInLine: isFirstInLine)
    }

    private mutating func kind() throws(InterfaceError) -> InterfaceToken.Kind {
        guard let byte = byte(at: position) else { return .end }
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "?"):
            position += 1
            return .mark(String(Unicode.Scalar(byte)))
        case UInt8(ascii: "-") where self.byte(at: position + 1) == UInt8(ascii: ">"):
            position += 2
            return .mark("->")
        case _ where isLetterOrDigit(byte):
            let start = position
            while isInWord() { position += 1 }
            return .word(String(decoding: bytes[start..<position], as: UTF8.self))
        default:
            throw error(.unexpectedCharacter)
        }
    }

    private func isInWord() -> Bool {
        guard let byte = byte(at: position) else { return false }
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "_"): return true
        case UInt8(ascii: "-"): return self.byte(at: position + 1) != UInt8(ascii: ">")
        default: return isLetterOrDigit(byte)
        }
    }

    private mutating func skipSpace() throws(InterfaceError) {
        while let byte = byte(at: position) {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"):
                position += 1
            case UInt8(ascii: "\n"):
                position += 1
                line += 1
                lineStart = position
                isFirstInLine = true
            case UInt8(ascii: "\r"):
                throw error(.notPortable("carriage return"))
            case UInt8(ascii: "#"):
                try comment()
            default:
                return
            }
        }
    }

    private mutating func comment() throws(InterfaceError) {
        let start = position + 1
        while let byte = byte(at: position), byte != UInt8(ascii: "\n") {
            guard byte != UInt8(ascii: "\r") else { throw error(.notPortable("carriage return")) }
            position += 1
        }
        // A comment behind something documents nothing.
        guard isFirstInLine else { return }
        if lastCommentLine != line - 1 { comments = [] }
        let text = bytes[start..<position]
        comments.append(
            String(decoding: text.first == 0x20 ? text.dropFirst() : text, as: UTF8.self))
        lastCommentLine = line
    }

    private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private func error(_ reason: InterfaceError.Reason) -> InterfaceError {
        InterfaceError(reason: reason, line: line, column: position - lineStart + 1)
    }
}

func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"):
        true
    default: false
    }
}
