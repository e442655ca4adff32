// The keyed and the unkeyed container of JSONWriter: each writes its separator and name, then
// hands the value on.

struct JSONKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: JSONWriter
    /// Containers open while a member of this one is written, this one included.
    let depth: Int

    var codingPath: [any CodingKey] { [] }

    private func member(_ key: Key) -> JSONTokenEncoder {
        writer.text.beginMember(key.stringValue, of: depth)
        return JSONTokenEncoder(writer: writer, depth: depth)
    }

    func encodeNil(forKey key: Key) { member(key).encodeNil() }
    func encode(_ value: Bool, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: String, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: Double, forKey key: Key) throws { try member(key).encode(value) }
    func encode(_ value: Float, forKey key: Key) throws { try member(key).encode(value) }
    func encode(_ value: Int, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: Int8, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: Int16, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: Int32, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: Int64, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: UInt, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: UInt8, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: UInt16, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: UInt32, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: UInt64, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: some Encodable, forKey key: Key) throws { try member(key).encode(value) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        member(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        member(key).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { JSONTokenEncoder(writer: writer, depth: depth - 1) }
    func superEncoder(forKey key: Key) -> any Encoder { member(key) }
}

struct JSONUnkeyedEncoding: UnkeyedEncodingContainer {
    let writer: JSONWriter
    let depth: Int
    private(set) var count = 0

    init(writer: JSONWriter, depth: Int) {
        self.writer = writer
        self.depth = depth
    }

    var codingPath: [any CodingKey] { [] }

    private mutating func element() -> JSONTokenEncoder {
        count += 1
        writer.text.beginElement(of: depth)
        return JSONTokenEncoder(writer: writer, depth: depth)
    }

    mutating func encodeNil() { element().encodeNil() }
    mutating func encode(_ value: Bool) { element().encode(value) }
    mutating func encode(_ value: String) { element().encode(value) }
    mutating func encode(_ value: Double) throws { try element().encode(value) }
    mutating func encode(_ value: Float) throws { try element().encode(value) }
    mutating func encode(_ value: Int) { element().encode(value) }
    mutating func encode(_ value: Int8) { element().encode(value) }
    mutating func encode(_ value: Int16) { element().encode(value) }
    mutating func encode(_ value: Int32) { element().encode(value) }
    mutating func encode(_ value: Int64) { element().encode(value) }
    mutating func encode(_ value: UInt) { element().encode(value) }
    mutating func encode(_ value: UInt8) { element().encode(value) }
    mutating func encode(_ value: UInt16) { element().encode(value) }
    mutating func encode(_ value: UInt32) { element().encode(value) }
    mutating func encode(_ value: UInt64) { element().encode(value) }
    mutating func encode(_ value: some Encodable) throws { try element().encode(value) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        element().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        element().unkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder { element() }
}
