// The members of one JSON object as a Codable type asks for them. Small objects are searched
// in place; large ones get an index, so that no input makes a search quadratic.

struct JSONKeyedDecoding<Key: CodingKey> {
    private let context: JSONDecodingContext
    private let object: Int
    /// Value tokens by name; nil for a small object.
    private let index: [String: Int]?

    init(context: JSONDecodingContext, index object: Int) throws {
        let document = context.document
        guard document.kind(object) == .object else {
            throw context.mismatch([String: JSONValue].self, object)
        }
        self.context = context
        self.object = object
        var members = 0
        try document.forEachMember(of: object) { name, value in
            members += 1
            if context.ignoresUnknownMembers { return }
            // Strings are equal by canonical equivalence, names on the wire are not.
            guard let key = Key(stringValue: try context.string(name)),
                document.name(name, is: key.stringValue)
            else {
                throw context.corrupted(value, "unknown member")
            }
        }
        index = try members <= 16 ? nil : JSONKeyedDecoding.index(context, object)
        if index == nil { try refuseDuplicates() }
    }

    private static func index(
        _ context: JSONDecodingContext, _ object: Int
    ) throws -> [String: Int] {
        var index: [String: Int] = [:]
        try context.document.forEachMember(of: object) { name, value in
            let old = index.updateValue(value, forKey: try context.string(name))
            guard old == nil else { throw context.corrupted(value, "duplicate member") }
        }
        return index
    }

    /// Each name against those before it; only for small objects.
    private func refuseDuplicates() throws {
        let document = context.document
        try document.forEachMember(of: object) { name, value in
            var earlier = object + 1
            while earlier < name {
                guard !document.isSameText(earlier, name) else {
                    throw context.corrupted(value, "duplicate member")
                }
                earlier = document.next(after: earlier + 1)
            }
        }
    }

    private func find(_ key: Key) -> Int? {
        let text = key.stringValue
        if let index { return index[text] }
        let document = context.document
        var name = object + 1
        let end = document.next(after: object)
        while name < end {
            if document.name(name, is: text) { return name + 1 }
            name = document.next(after: name + 1)
        }
        return nil
    }

    private func value(_ key: Key) throws -> Int {
        guard let value = find(key) else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "missing member"))
        }
        return value
    }

    /// The member's value unless it is absent or null, which mean the same.
    private func present(_ key: Key) -> Int? {
        find(key).flatMap { context.document.kind($0) == .null ? nil : $0 }
    }
}

extension JSONKeyedDecoding: KeyedDecodingContainerProtocol {
    var codingPath: [any CodingKey] { context.path(to: object) }

    var allKeys: [Key] {
        var keys: [Key] = []
        context.document.forEachMember(of: object) { name, _ in
            if let key = context.document.string(name).flatMap(Key.init(stringValue:)) {
                keys.append(key)
            }
        }
        return keys
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool {
        context.document.kind(try value(key)) == .null
    }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try context.bool(value(key))
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try context.string(value(key))
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try context.double(value(key))
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        Float(try context.double(value(key)))
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try context.integer(value(key))
    }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try context.integer(value(key))
    }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try context.integer(value(key))
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try context.integer(value(key))
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try context.integer(value(key))
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try context.integer(value(key))
    }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try context.integer(value(key))
    }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try context.integer(value(key))
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try context.integer(value(key))
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try context.integer(value(key))
    }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try context.decode(type, value(key))
    }

    // One search instead of the three of the default implementation, for the common types.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try present(key).map(context.bool)
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key).map(context.string)
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try present(key).map(context.double)
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try present(key).map { try context.integer($0) }
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try present(key).map { try context.integer($0) }
    }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try present(key).map { try context.decode(type, $0) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try JSONTokenDecoder(context: context, index: value(key)).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try JSONTokenDecoder(context: context, index: value(key)).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder {
        JSONTokenDecoder(context: context, index: object)
    }
    func superDecoder(forKey key: Key) throws -> any Decoder {
        JSONTokenDecoder(context: context, index: try value(key))
    }
}
