// JSON text as it grows. A type writes itself whole, member after member, so that nothing has to be
// remembered of what is open.

/// A value that writes itself as JSON.
package protocol JSONWritable {
    func write(to text: inout JSONText)
}

extension JSONWritable {
    /// The JSON text, without whitespace.
    package var jsonText: String {
        var text = JSONText()
        write(to: &text)
        return String(decoding: text.bytes, as: UTF8.self)
    }
}

extension Int64: JSONWritable {
    package func write(to text: inout JSONText) { text.value(self) }
}

extension String: JSONWritable {
    package func write(to text: inout JSONText) { text.value(self) }
}

extension Array: JSONWritable where Element: JSONWritable {
    package func write(to text: inout JSONText) {
        text.array { text in
            for element in self { element.write(to: &text) }
        }
    }
}

extension JSONWritable where Self: RawRepresentable<String> {
    package func write(to text: inout JSONText) { text.value(rawValue) }
}

/// The text written so far, without whitespace.
package struct JSONText {
    private(set) var bytes: [UInt8]

    /// Room for the reply to a call that adds one request, so that it need not grow.
    private static let usualBytes = 256

    init() {
        bytes = []
        bytes.reserveCapacity(JSONText.usualBytes)
    }

    /// A comma, unless the last byte says that what follows is the first one or has a name.
    private mutating func separate() {
        switch bytes.last {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), nil: break
        default: bytes.append(UInt8(ascii: ","))
        }
    }

    private mutating func begin(_ name: String) {
        separate()
        append(name)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.span.endOfPlainText(from: 0) == text.utf8.count {
            bytes.append(contentsOf: text.utf8)
        } else {
            for byte in text.utf8 { appendEscaped(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
            bytes.append(byte)
            return
        }
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case 0x00..<0x20:
            let digits = String(byte, radix: 16)
            bytes.append(contentsOf: (digits.utf8.count == 1 ? "u000" : "u00").utf8)
            bytes.append(contentsOf: digits.utf8)
        default: bytes.append(byte)
        }
    }

    private mutating func append(_ value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    private mutating func append(_ value: Double) {
        precondition(value.isFinite, "JSON has no number for \(value)")
        bytes.append(contentsOf: value.description.utf8)
    }

    /// The bytes of a message that is this text: a NUL ends it.
    mutating func message() -> [UInt8] {
        bytes.append(0)
        return bytes
    }

    /// Takes away what was written since there were `count` bytes.
    mutating func removeBytes(from count: Int) {
        bytes.removeSubrange(count...)
    }

    // MARK: Values

    package mutating func object(_ writeMembers: (inout JSONText) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        writeMembers(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    package mutating func array(_ writeElements: (inout JSONText) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "["))
        writeElements(&self)
        bytes.append(UInt8(ascii: "]"))
    }

    package mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    package mutating func value(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    package mutating func value(_ value: Int64) {
        separate()
        append(value)
    }

    /// A value that JSON has no number for, such as an infinite one, is a mistake of the program
    /// and traps.
    package mutating func value(_ value: Double) {
        separate()
        append(value)
    }

    package mutating func value(_ value: String) {
        separate()
        append(value)
    }

    package mutating func value(_ value: some JSONWritable) { value.write(to: &self) }

    // MARK: Members; nil is left out

    package mutating func member(_ name: String, _ value: Bool?) {
        guard let value else { return }
        begin(name)
        self.value(value)
    }

    package mutating func member(_ name: String, _ value: Int64?) {
        guard let value else { return }
        begin(name)
        append(value)
    }

    package mutating func member(_ name: String, _ value: Double?) {
        guard let value else { return }
        begin(name)
        append(value)
    }

    package mutating func member(_ name: String, _ value: String?) {
        guard let value else { return }
        begin(name)
        append(value)
    }

    package mutating func member(_ name: String, _ value: (some JSONWritable)?) {
        guard let value else { return }
        begin(name)
        value.write(to: &self)
    }
}
