// JSON text as it grows. Two callers write it: JSONWriter, which Codable asks for one value after
// another and which has to keep book of what is open, and types that write themselves whole.

/// A value that writes itself, for replies that are sent by the thousand: Codable's containers cost
/// far more than the writing. It writes an object, and what its Codable conformance would.
package protocol JSONWritable: Encodable {
    func write(to text: inout JSONText)
}

/// The text written so far and the containers open in it. A value of its own, so that a write
/// through the class below is one access to it.
package struct JSONText {
    private enum Container { case object, array }

    private(set) var bytes: [UInt8]
    private var open: [(kind: Container, isEmpty: Bool)] = []

    /// Room for the reply to a call that adds one request, so that it need not grow.
    private static let usualBytes = 256

    init(after prefix: [UInt8]) {
        bytes = prefix
        bytes.reserveCapacity(JSONText.usualBytes)
    }

    var depth: Int { open.count }

    mutating func beginObject() {
        bytes.append(UInt8(ascii: "{"))
        open.append((.object, true))
    }

    mutating func beginArray() {
        bytes.append(UInt8(ascii: "["))
        open.append((.array, true))
    }

    /// Closes what is open inside the container at `depth` and writes the separator in it.
    mutating func beginElement(of depth: Int) {
        close(to: depth)
        if !open[depth - 1].isEmpty { bytes.append(UInt8(ascii: ",")) }
        open[depth - 1].isEmpty = false
    }

    mutating func beginMember(_ name: String, of depth: Int) {
        beginElement(of: depth)
        write(name)
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func close(to depth: Int) {
        while open.count > depth, let container = open.popLast() {
            bytes.append(container.kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        }
    }

    mutating func writeEmptyObject() { bytes.append(contentsOf: "{}".utf8) }

    mutating func writeNull() { bytes.append(contentsOf: "null".utf8) }

    mutating func write(_ value: Bool) { bytes.append(contentsOf: (value ? "true" : "false").utf8) }

    mutating func write(_ value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    mutating func write(_ value: some FixedWidthInteger) {
        bytes.append(contentsOf: value.description.utf8)
    }

    mutating func write(_ value: Double) throws {
        guard value.isFinite else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "JSON has no such number"))
        }
        bytes.append(contentsOf: value.description.utf8)
    }

    mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.span.endOfPlainText(from: 0) == text.utf8.count {
            bytes.append(contentsOf: text.utf8)
        } else {
            for byte in text.utf8 { writeEscaped(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func writeEscaped(_ byte: UInt8) {
        guard JSONText.needsEscape(byte) else {
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
}

// MARK: - For types that write themselves

extension JSONText {
    package mutating func object(_ writeMembers: (inout JSONText) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        writeMembers(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    /// An array as a member of an object.
    package mutating func array(_ name: String, _ writeElements: (inout JSONText) -> Void) {
        begin(name)
        bytes.append(UInt8(ascii: "["))
        writeElements(&self)
        bytes.append(UInt8(ascii: "]"))
    }

    package mutating func member(_ name: String, _ value: String) {
        begin(name)
        write(value)
    }

    package mutating func member(_ name: String, _ value: Int64) {
        begin(name)
        write(value)
    }

    package mutating func member(_ name: String, _ value: Bool) {
        begin(name)
        write(value)
    }

    private mutating func begin(_ name: String) {
        separate()
        write(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// A comma, unless the last byte says that the value is the first one or has a name.
    private mutating func separate() {
        switch bytes.last {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), nil: break
        default: bytes.append(UInt8(ascii: ","))
        }
    }
}
