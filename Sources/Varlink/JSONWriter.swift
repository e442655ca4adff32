// Writes Codable types as JSON text in one pass, without whitespace and without building a tree.
// Each container remembers its depth; writing to an outer one closes those still open inside it.

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
