// Writes Codable types as JSON text in one pass, without whitespace and without building a tree.
// Each container remembers its depth; writing to an outer one closes those still open inside it.

/// The text written so far and the containers open in it.
final class JSONWriter {
    private enum Container { case object, array }

    private(set) var bytes: [UInt8] = []
    private var open: [(kind: Container, isEmpty: Bool)] = []

    /// Encodes a value, after `prefix` and before nothing.
    ///
    /// A value that JSON cannot hold (an infinite number, a type that encodes nothing twice) is a
    /// mistake of the program and traps.
    static func encode(_ value: some Encodable, after prefix: [UInt8] = []) -> [UInt8] {
        let writer = JSONWriter()
        writer.bytes = prefix
        do {
            try writer.encode(value)
        } catch {
            preconditionFailure("a message must be encodable: \(error)")
        }
        return writer.bytes
    }

    var depth: Int { open.count }

    func encode(_ value: some Encodable) throws {
        let depth = open.count
        let start = bytes.count
        try value.encode(to: JSONTokenEncoder(writer: self, depth: depth))
        close(to: depth)
        // A type without members may ask for no container at all.
        if bytes.count == start {
            bytes.append(contentsOf: [UInt8(ascii: "{"), UInt8(ascii: "}")])
        }
    }

    func beginObject() {
        bytes.append(UInt8(ascii: "{"))
        open.append((.object, true))
    }

    func beginArray() {
        bytes.append(UInt8(ascii: "["))
        open.append((.array, true))
    }

    /// Closes what is open inside the container at `depth` and writes the separator in it.
    func beginElement(of depth: Int) {
        close(to: depth)
        if !open[depth - 1].isEmpty { bytes.append(UInt8(ascii: ",")) }
        open[depth - 1].isEmpty = false
    }

    func beginMember(_ name: String, of depth: Int) {
        beginElement(of: depth)
        write(name)
        bytes.append(UInt8(ascii: ":"))
    }

    func close(to depth: Int) {
        while open.count > depth, let container = open.popLast() {
            bytes.append(container.kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        }
    }

    func writeNull() { bytes.append(contentsOf: "null".utf8) }

    func write(_ value: Bool) { bytes.append(contentsOf: (value ? "true" : "false").utf8) }

    func write(_ value: some FixedWidthInteger) { bytes.append(contentsOf: value.description.utf8) }

    func write(_ value: Double) throws {
        guard value.isFinite else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "JSON has no such number"))
        }
        bytes.append(contentsOf: value.description.utf8)
    }

    func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case UInt8(ascii: "\n"):
                bytes.append(contentsOf: "\\n".utf8)
            case 0x00..<0x20:
                let digits = String(byte, radix: 16)
                bytes.append(contentsOf: (digits.count == 1 ? "\\u000" : "\\u00").utf8)
                bytes.append(contentsOf: digits.utf8)
            default:
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
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
        if writer.depth == depth { writer.beginObject() }
        return KeyedEncodingContainer(JSONKeyedEncoding<Key>(writer: writer, depth: depth + 1))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if writer.depth == depth { writer.beginArray() }
        return JSONUnkeyedEncoding(writer: writer, depth: depth + 1)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONTokenEncoder: SingleValueEncodingContainer {
    func encodeNil() { writer.writeNull() }
    func encode(_ value: Bool) { writer.write(value) }
    func encode(_ value: String) { writer.write(value) }
    func encode(_ value: Double) throws { try writer.write(value) }
    func encode(_ value: Float) throws { try writer.write(Double(value)) }
    func encode(_ value: Int) { writer.write(value) }
    func encode(_ value: Int8) { writer.write(value) }
    func encode(_ value: Int16) { writer.write(value) }
    func encode(_ value: Int32) { writer.write(value) }
    func encode(_ value: Int64) { writer.write(value) }
    func encode(_ value: UInt) { writer.write(value) }
    func encode(_ value: UInt8) { writer.write(value) }
    func encode(_ value: UInt16) { writer.write(value) }
    func encode(_ value: UInt32) { writer.write(value) }
    func encode(_ value: UInt64) { writer.write(value) }
    func encode(_ value: some Encodable) throws { try writer.encode(value) }
}
