// Finds what a Decodable type looks like in JSON by letting it decode from a decoder that has
// nothing and notes what is asked for. Interface texts are held against it.

package import Varlink

/// The shape of a type that decodes as synthesized conformances do. Enumerations have to be
/// CaseIterable with String raw values.
package func shape<T: Decodable>(of type: T.Type) throws -> TypeShape {
    let recorder = Recorder()
    _ = try recorder.decode(type)
    return recorder.shape ?? .structure([:])
}

/// The types whose own decoding would not show their shape.
private protocol ShapedType {
    static func recordShape() throws -> (shape: TypeShape, value: Any)
}

extension Array: ShapedType where Element: Decodable {
    fileprivate static func recordShape() throws -> (shape: TypeShape, value: Any) {
        (.array(try shape(of: Element.self)), [] as [Element])
    }
}

extension Dictionary: ShapedType where Key == String, Value: Decodable {
    fileprivate static func recordShape() throws -> (shape: TypeShape, value: Any) {
        (.map(try shape(of: Value.self)), [:] as [String: Value])
    }
}

extension Optional: ShapedType where Wrapped: Decodable {
    fileprivate static func recordShape() throws -> (shape: TypeShape, value: Any) {
        (.nullable(try shape(of: Wrapped.self)), Wrapped?.none as Any)
    }
}

extension JSONValue: ShapedType {
    fileprivate static func recordShape() throws -> (shape: TypeShape, value: Any) {
        (.object, JSONValue.object([:]))
    }
}

/// A decoder without content. It notes the shape of the one value that is decoded from it.
private final class Recorder: Decoder {
    var shape: TypeShape?
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if let shaped = T.self as? any ShapedType.Type {
            let (shape, value) = try shaped.recordShape()
            self.shape = shape
            if let value = value as? T { return value }
        }
        if let cases = T.self as? any CaseIterable.Type, let value = enumeration(cases) as? T {
            return value
        }
        return try T(from: self)
    }

    private func enumeration<Cases: CaseIterable>(_ type: Cases.Type) -> Any? {
        let names = type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
        guard names.count == type.allCases.count else { return nil }
        shape = .enumeration(names.sorted())
        return type.allCases.first
    }

    func note(_ shape: TypeShape, forKey name: String) {
        var members: [String: TypeShape] = [:]
        if case .structure(let known) = self.shape { members = known }
        members[name] = shape
        self.shape = .structure(members)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        shape = shape ?? .structure([:])
        return KeyedDecodingContainer(RecordingMembers<Key>(recorder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw ShapeError.notSupported("an array that is no Array")
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        RecordingValue(recorder: self)
    }
}

/// A type decodes in a way that shows nothing.
package enum ShapeError: Error, Equatable {
    case notSupported(String)
}

private struct RecordingValue: SingleValueDecodingContainer {
    let recorder: Recorder
    var codingPath: [any CodingKey] { [] }

    private func record<T>(_ shape: TypeShape, _ value: T) -> T {
        recorder.shape = shape
        return value
    }

    func decodeNil() -> Bool { false }
    func decode(_ type: Bool.Type) -> Bool { record(.bool, false) }
    func decode(_ type: String.Type) -> String { record(.string, "") }
    func decode(_ type: Double.Type) -> Double { record(.float, 0) }
    func decode(_ type: Float.Type) -> Float { record(.float, 0) }
    func decode(_ type: Int.Type) -> Int { record(.int, 0) }
    func decode(_ type: Int8.Type) -> Int8 { record(.int, 0) }
    func decode(_ type: Int16.Type) -> Int16 { record(.int, 0) }
    func decode(_ type: Int32.Type) -> Int32 { record(.int, 0) }
    func decode(_ type: Int64.Type) -> Int64 { record(.int, 0) }
    func decode(_ type: UInt.Type) -> UInt { record(.int, 0) }
    func decode(_ type: UInt8.Type) -> UInt8 { record(.int, 0) }
    func decode(_ type: UInt16.Type) -> UInt16 { record(.int, 0) }
    func decode(_ type: UInt32.Type) -> UInt32 { record(.int, 0) }
    func decode(_ type: UInt64.Type) -> UInt64 { record(.int, 0) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try recorder.decode(type) }
}

private struct RecordingMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: Recorder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    private func record<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
        let member = Recorder()
        let value = try member.decode(type)
        recorder.note(member.shape ?? .structure([:]), forKey: key.stringValue)
        return value
    }

    private func recordOptional<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T? {
        recorder.note(.nullable(try shape(of: type)), forKey: key.stringValue)
        return nil
    }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try record(type, key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try record(type, key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try record(type, key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try record(type, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try record(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try record(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try record(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try record(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try record(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try record(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try record(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try record(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try record(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try record(type, key) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try record(type, key)
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try recordOptional(type, key)
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try recordOptional(type, key)
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try recordOptional(type, key)
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try recordOptional(type, key)
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try recordOptional(type, key)
    }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try recordOptional(type, key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        throw ShapeError.notSupported("nested container \(key.stringValue)")
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw ShapeError.notSupported("nested container \(key.stringValue)")
    }
    func superDecoder() throws -> any Decoder { recorder }
    func superDecoder(forKey key: Key) throws -> any Decoder { recorder }
}
