// The elements of one JSON array as a Codable type asks for them, each looked at once.

struct JSONUnkeyedDecoding {
    private let context: JSONDecodingContext
    private let array: Int32
    private var element: Int32
    private(set) var currentIndex = 0

    init(context: JSONDecodingContext, index: Int) throws {
        guard context.document.kind(index) == .array else {
            throw context.mismatch([JSONValue].self, index)
        }
        self.context = context
        array = Int32(index)
        element = array + 1
    }

    private mutating func take() throws -> Int {
        let index = Int(element)
        guard !isAtEnd else {
            throw context.corrupted(Int(array), "array too short")
        }
        element = context.document.tokens[index].next
        currentIndex += 1
        return index
    }
}

extension JSONUnkeyedDecoding: UnkeyedDecodingContainer {
    var codingPath: [any CodingKey] { context.path(to: Int(array)) }
    var count: Int? { nil }
    var isAtEnd: Bool { element >= context.document.tokens[Int(array)].next }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, context.document.kind(Int(element)) == .null else { return false }
        _ = try take()
        return true
    }
    mutating func decode(_ type: Bool.Type) throws -> Bool { try context.bool(take()) }
    mutating func decode(_ type: String.Type) throws -> String { try context.string(take()) }
    mutating func decode(_ type: Double.Type) throws -> Double { try context.double(take()) }
    mutating func decode(_ type: Float.Type) throws -> Float { Float(try context.double(take())) }
    mutating func decode(_ type: Int.Type) throws -> Int { try context.integer(take()) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try context.integer(take()) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try context.integer(take()) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try context.integer(take()) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try context.integer(take()) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try context.integer(take()) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try context.integer(take()) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try context.integer(take()) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try context.integer(take()) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try context.integer(take()) }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try context.decode(type, take())
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try JSONTokenDecoder(context: context, index: take()).container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try JSONUnkeyedDecoding(context: context, index: take())
    }
    mutating func superDecoder() throws -> any Decoder {
        JSONTokenDecoder(context: context, index: try take())
    }
}
