// Any JSON value, for the interface type `object`, whose content is not the service's business.

/// A JSON value. Integers are kept apart from other numbers and exact.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue: JSONReadable, JSONWritable {
    package init(_ reader: JSONReader) throws(JSONMistake) {
        self = try reader.value()
    }

    /// Members are written in the order of their names, so that equal values are equal bytes.
    package func write(to text: inout JSONText) {
        switch self {
        case .null: text.null()
        case .bool(let value): text.value(value)
        case .int(let value): text.value(value)
        case .double(let value): text.value(value)
        case .string(let value): text.value(value)
        case .array(let elements):
            text.array { text in
                for element in elements { element.write(to: &text) }
            }
        case .object(let members):
            text.object { text in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    text.member(name, value)
                }
            }
        }
    }
}

extension JSONValue {
    /// Reads a JSON text as strictly as the wire is read.
    ///
    /// Throws `JSONError` for the grammar, `ServiceError.invalidParameter` for content: text that
    /// is none, a duplicate member, a number that neither Int64 nor Double can hold.
    package init(jsonText: String) throws {
        self = try Payload(jsonText: Array(jsonText.utf8)).decode(JSONValue.self)
    }
}
