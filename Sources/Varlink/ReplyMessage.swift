// A service's reply, encoded once; the same one may go to many subscribers.

/// One reply with its NUL, ready for `ServerConnection.reply(to:_:)`.
package struct ReplyMessage: Hashable, Sendable {
    package let bytes: [UInt8]
    /// Whether further replies to the same call follow.
    package let continues: Bool

    /// The only reply, or the last of many.
    package static func reply(_ parameters: some JSONWritable) -> ReplyMessage {
        var text = JSONText()
        text.object { text in text.parameters(parameters) }
        return ReplyMessage(bytes: text.message(), continues: false)
    }

    /// One of many replies, with more to come.
    package static func update(_ parameters: some JSONWritable) -> ReplyMessage {
        var text = JSONText()
        text.object { text in
            text.parameters(parameters)
            text.member("continues", true)
        }
        return ReplyMessage(bytes: text.message(), continues: true)
    }

    /// One of the errors that every service has.
    package static func failure(_ error: ServiceError) -> ReplyMessage {
        failure(error.name, error.parameters)
    }

    /// An error of the service's own.
    package static func failure<Failure: VarlinkError>(_ error: Failure) -> ReplyMessage {
        failure(Failure.name, error)
    }

    private static func failure(_ name: String, _ parameters: some JSONWritable) -> ReplyMessage {
        var text = JSONText()
        text.object { text in
            text.member("error", name)
            text.parameters(parameters)
        }
        return ReplyMessage(bytes: text.message(), continues: false)
    }
}

extension JSONText {
    /// The parameters of a message; empty ones are left out.
    mutating func parameters(_ parameters: some JSONWritable) {
        let start = bytes.count
        member("parameters", parameters)
        if bytes[start...].elementsEqual("\"parameters\":{}".utf8)
            || bytes[start...].elementsEqual(",\"parameters\":{}".utf8)
        {
            removeBytes(from: start)
        }
    }
}
