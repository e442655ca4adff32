// Any Codable value as JSON outside a message, such as what a command-line program prints.

/// JSON as text.
package enum JSONOutput {
    /// The value without whitespace, members in the order in which the type encodes them.
    package static func text(_ value: some Encodable) -> String {
        String(decoding: JSONWriter.encode(value), as: UTF8.self)
    }
}
