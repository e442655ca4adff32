// Decodes Codable types from scanned tokens, more strictly than Foundation's JSONDecoder can be
// told to: a member that the type does not ask for, a duplicate member and an integer written as
// a fraction are errors, and every error can be traced to a path. Unknown members are found by
// asking the type's own CodingKeys, so that synthesized conformances need nothing for it.

/// What one decoding has in common; a class so that a decoder fits in an existential.
final class JSONDecodingContext {
    let document: JSONDocument
    /// Where paths start.
    let root: Int
    /// Whether members that the type does not know are passed over.
    let ignoresUnknownMembers: Bool

    init(document: JSONDocument, root: Int, ignoresUnknownMembers: Bool) {
        self.document = document
        self.root = root
        self.ignoresUnknownMembers = ignoresUnknownMembers
    }

    func path(to index: Int) -> [any CodingKey] { document.path(from: root, to: index) }

    func corrupted(_ index: Int, _ reason: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: path(to: index), debugDescription: reason))
    }

    func mismatch(_ type: any Any.Type, _ index: Int) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: path(to: index), debugDescription: "not a value of this type")
        return document.kind(index) == .null
            ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    func string(_ index: Int) throws -> String {
        guard let value = document.string(index) else { throw mismatch(String.self, index) }
        return value
    }

    func bool(_ index: Int) throws -> Bool {
        guard let value = document.bool(index) else { throw mismatch(Bool.self, index) }
        return value
    }

    func double(_ index: Int) throws -> Double {
        guard let value = document.double(index) else { throw mismatch(Double.self, index) }
        return value
    }

    func integer<Integer: FixedWidthInteger>(_ index: Int) throws -> Integer {
        guard let value = document.integer(index, as: Integer.self) else {
            throw mismatch(Integer.self, index)
        }
        return value
    }

    func decode<T: Decodable>(_ type: T.Type, _ index: Int) throws -> T {
        // The standard library decodes an array through a box and a lookup for each element, which
        // costs more than all else for the many short lists of a calendar trigger.
        if type == [Int64].self, let list = try integers(index) as? T { return list }
        return try T(from: JSONTokenDecoder(context: self, index: index))
    }

    private func integers(_ index: Int) throws -> [Int64] {
        guard document.kind(index) == .array else { throw mismatch([Int64].self, index) }
        let end = document.next(after: index)
        var list: [Int64] = []
        list.reserveCapacity(end - index - 1)
        var element = index + 1
        while element < end {
            list.append(try integer(element))
            element = document.next(after: element)
        }
        return list
    }

    /// The value as it is; recursion is bounded by the scanner's depth limit.
    func value(_ index: Int) throws -> JSONValue {
        switch document.kind(index) {
        case .null: return .null
        case .yes: return .bool(true)
        case .no: return .bool(false)
        case .plainString, .escapedString: return .string(try string(index))
        case .integer: return .int(try integer(index))
        case .fraction: return .double(try double(index))
        case .array:
            var elements: [JSONValue] = []
            var element = index + 1
            while element < document.next(after: index) {
                elements.append(try value(element))
                element = document.next(after: element)
            }
            return .array(elements)
        case .object:
            var members: [String: JSONValue] = [:]
            try document.forEachMember(of: index) { name, token in
                let old = members.updateValue(try value(token), forKey: try string(name))
                guard old == nil else { throw corrupted(token, "duplicate member") }
            }
            return .object(members)
        }
    }
}

struct JSONTokenDecoder: Decoder {
    let context: JSONDecodingContext
    let index: Int

    var codingPath: [any CodingKey] { context.path(to: index) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func value() throws -> JSONValue { try context.value(index) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try JSONKeyedDecoding<Key>(context: context, index: index))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try JSONUnkeyedDecoding(context: context, index: index)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension JSONTokenDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { context.document.kind(index) == .null }
    func decode(_ type: Bool.Type) throws -> Bool { try context.bool(index) }
    func decode(_ type: String.Type) throws -> String { try context.string(index) }
    func decode(_ type: Double.Type) throws -> Double { try context.double(index) }
    func decode(_ type: Float.Type) throws -> Float { Float(try context.double(index)) }
    func decode(_ type: Int.Type) throws -> Int { try context.integer(index) }
    func decode(_ type: Int8.Type) throws -> Int8 { try context.integer(index) }
    func decode(_ type: Int16.Type) throws -> Int16 { try context.integer(index) }
    func decode(_ type: Int32.Type) throws -> Int32 { try context.integer(index) }
    func decode(_ type: Int64.Type) throws -> Int64 { try context.integer(index) }
    func decode(_ type: UInt.Type) throws -> UInt { try context.integer(index) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try context.integer(index) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try context.integer(index) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try context.integer(index) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try context.integer(index) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try context.decode(type, index) }
}
