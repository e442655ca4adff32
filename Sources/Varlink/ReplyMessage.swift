// A service's reply, encoded once; the same one may go to many subscribers.

/// One reply with its NUL, ready for `ServerConnection.reply(to:_:)`.
package struct ReplyMessage: Hashable, Sendable {
    package let bytes: [UInt8]
    /// Whether further replies to the same call follow.
    package let continues: Bool

    /// The only reply, or the last of many.
    package static func reply(_ parameters: some Encodable) -> ReplyMessage {
        ReplyMessage(text: Envelope.begin(parameters: parameters), continues: false)
    }

    /// The same for parameters that write themselves.
    package static func reply(_ parameters: some JSONWritable) -> ReplyMessage {
        var text = JSONText(after: Array("{\"parameters\":".utf8))
        parameters.write(to: &text)
        return ReplyMessage(text: text.bytes, continues: false)
    }

    /// One of many replies, with more to come.
    package static func update(_ parameters: some Encodable) -> ReplyMessage {
        var text = Envelope.begin(parameters: parameters)
        Envelope.append("\"continues\":true", to: &text)
        return ReplyMessage(text: text, continues: true)
    }

    /// One of the errors that every service has.
    package static func failure(_ error: ServiceError) -> ReplyMessage {
        var text = Envelope.begin(text: error.name, as: "error")
        Envelope.append(parameters: error.parameters, to: &text)
        return ReplyMessage(text: text, continues: false)
    }

    /// An error of the service's own.
    package static func failure<Failure: VarlinkError>(_ error: Failure) -> ReplyMessage {
        var text = Envelope.begin(text: Failure.name, as: "error")
        Envelope.append(parameters: error, to: &text)
        return ReplyMessage(text: text, continues: false)
    }

    private init(text: [UInt8], continues: Bool) {
        var bytes = text
        bytes.append(UInt8(ascii: "}"))
        bytes.append(0)
        self.bytes = bytes
        self.continues = continues
    }
}

/// Spells the outer object of messages; empty parameters are left out.
enum Envelope {
    static func begin(parameters: some Encodable) -> [UInt8] {
        var text = [UInt8(ascii: "{")]
        append(parameters: parameters, to: &text)
        return text
    }

    static func begin(text value: String, as name: String) -> [UInt8] {
        JSONWriter.encode(value, after: Array("{\"\(name)\":".utf8))
    }

    static func append(_ member: String, to text: inout [UInt8]) {
        if text.count > 1 { text.append(UInt8(ascii: ",")) }
        text.append(contentsOf: member.utf8)
    }

    static func append(parameters: some Encodable, to text: inout [UInt8]) {
        var longer = text
        append("\"parameters\":", to: &longer)
        let start = longer.count
        longer = JSONWriter.encode(parameters, after: longer)
        let isEmpty = longer.count == start + 2 && longer[start] == UInt8(ascii: "{")
        if !isEmpty { text = longer }
    }
}
