// Any JSON value, for the interface type `object`, whose content is not the service's business.

/// A JSON value. Integers are kept apart from other numbers and exact.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue: Codable {
    package init(from decoder: any Decoder) throws {
        if let reader = decoder as? JSONTokenDecoder {
            self = try reader.value()
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .int(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let members):
            // In the order of names, so that equal values are equal bytes.
            var object = encoder.container(keyedBy: JSONPathKey.self)
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                try object.encode(value, forKey: JSONPathKey(stringValue: name))
            }
        }
    }
}

extension JSONValue {
    /// The JSON text, without whitespace and with members in the order of their names.
    package var jsonText: String {
        String(decoding: JSONWriter.encode(self), as: UTF8.self)
    }

    /// Reads a JSON text as strictly as the wire is read.
    ///
    /// Throws `JSONError` for the grammar, `ServiceError.invalidParameter` for content: text that
    /// is none, a duplicate member, a number that neither Int64 nor Double can hold.
    package init(jsonText: String) throws {
        let document = try JSONDocument(Array(jsonText.utf8))
        self = try Payload(document: document, root: 0).decode(JSONValue.self)
    }
}
