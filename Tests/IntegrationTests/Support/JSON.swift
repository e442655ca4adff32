// Replies as the other side sent them, read by another JSON reader than schedd's own.

import Foundation

/// A JSON value that answers nil for what is not there.
struct JSON: CustomStringConvertible {
    let value: Any?

    init(_ value: Any?) { self.value = value }

    init(parsing bytes: [UInt8]) throws {
        value = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    }

    init(parsing text: String) throws { try self.init(parsing: Array(text.utf8)) }

    subscript(_ name: String) -> JSON { JSON((value as? [String: Any])?[name]) }
    subscript(_ index: Int) -> JSON {
        guard let array, array.indices.contains(index) else { return JSON(nil) }
        return array[index]
    }

    var array: [JSON]? { (value as? [Any])?.map { JSON($0) } }
    var string: String? { value as? String }
    var int: Int? { value as? Int }
    var bool: Bool? { value as? Bool }
    var description: String { value.map { "\($0)" } ?? "nothing" }

    /// Whether the object has this member.
    func has(_ name: String) -> Bool { (value as? [String: Any])?[name] != nil }

    /// As text, for sending.
    static func text(_ value: Any) throws -> String {
        let data = try JSONSerialization.data(
            withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
        return String(decoding: data, as: UTF8.self)
    }
}
