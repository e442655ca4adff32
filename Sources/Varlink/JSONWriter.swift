// Writes Codable types as JSON text in one pass, without whitespace and without building a tree.
// Each container remembers its depth; writing to an outer one closes those still open inside it.

/// The text written so far and the containers open in it. A value of its own, so that a write
/// through the class below is one access to it.
struct JSONText {
    private enum Container { case object, array }

    private(set) var bytes: [UInt8]
    private var open: [(kind: Container, isEmpty: Bool)] = []

    init(after prefix: [UInt8]) {
        bytes = prefix
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
        if text.utf8.contains(where: JSONText.needsEscape) {
            for byte in text.utf8 { writeEscaped(byte) }
        } else {
            bytes.append(contentsOf: text.utf8)
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

/// What the encoder and the containers of one text share.
final class JSONWriter {
    var text: JSONText

    private init(after prefix: [UInt8]) {
        text = JSONText(after: prefix)
    }

    /// Encodes a value behind `prefix`.
    ///
    /// A value that JSON cannot hold (an infinite number, a type whose own encoding fails) is a
    /// mistake of the program and traps.
    static func encode(_ value: some Encodable, after prefix: [UInt8] = []) -> [UInt8] {
        let writer = JSONWriter(after: prefix)
        do {
            try writer.encode(value)
        } catch {
            preconditionFailure("a message must be encodable: \(error)")
        }
        return writer.text.bytes
    }

    func encode(_ value: some Encodable) throws {
        let depth = text.depth
        let start = text.bytes.count
        try value.encode(to: JSONTokenEncoder(writer: self, depth: depth))
        text.close(to: depth)
        // A type without members may ask for no container at all.
        if text.bytes.count == start { text.writeEmptyObject() }
    }
}

/// Encoder and single-value container in one; `depth` containers are open around its value.
struct JSONTokenEncoder: Encoder {
    let writer: JSONWriter
    let depth: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        // A type may ask twice for its container: it is the same object.
        if writer.text.depth == depth { writer.text.beginObject() }
        return KeyedEncodingContainer(JSONKeyedEncoding<Key>(writer: writer, depth: depth + 1))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if writer.text.depth == depth { writer.text.beginArray() }
        return JSONUnkeyedEncoding(writer: writer, depth: depth + 1)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONTokenEncoder: SingleValueEncodingContainer {
    func encodeNil() { writer.text.writeNull() }
    func encode(_ value: Bool) { writer.text.write(value) }
    func encode(_ value: String) { writer.text.write(value) }
    func encode(_ value: Double) throws { try writer.text.write(value) }
    func encode(_ value: Float) throws { try writer.text.write(Double(value)) }
    func encode(_ value: Int) { writer.text.write(value) }
    func encode(_ value: Int8) { writer.text.write(value) }
    func encode(_ value: Int16) { writer.text.write(value) }
    func encode(_ value: Int32) { writer.text.write(value) }
    func encode(_ value: Int64) { writer.text.write(value) }
    func encode(_ value: UInt) { writer.text.write(value) }
    func encode(_ value: UInt8) { writer.text.write(value) }
    func encode(_ value: UInt16) { writer.text.write(value) }
    func encode(_ value: UInt32) { writer.text.write(value) }
    func encode(_ value: UInt64) { writer.text.write(value) }
    func encode(_ value: some Encodable) throws { try writer.encode(value) }
}
