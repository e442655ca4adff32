// Takes the outer object of a received message apart. Whatever is wrong here ends the connection,
// since a reply could not be matched to anything; what is wrong inside `parameters` does not.

/// Why a peer has broken the protocol, so that the connection cannot go on.
package enum ProtocolViolation: Error, Equatable, Sendable {
    case malformed(JSONError)
    case notAnObject
    /// Strings of the envelope that are no text.
    case notText
    case missingMethod
    /// Of a wrong type.
    case invalidMember(String)
    /// Not in the specification, and not a vendor's (those have a dot in the name).
    case unknownMember(String)
    case duplicateMember(String)
    /// More than one of `oneway`, `more` and `upgrade`.
    case conflictingFlags
    case messageTooLong(limitBytes: Int)
    /// The peer closed after a part of a message.
    case endedInsideMessage
    /// A reply without a call, or to a call that wants none.
    case unexpectedReply
    /// `continues` in a reply to a call without `more`, or together with `error`.
    case unexpectedContinuation
    /// Parameters of a reply that are not what the method declares; the path says where.
    case invalidReply(String)
}

/// A member that both directions know, before it is interpreted.
struct EnvelopeMembers {
    let document: JSONDocument
    /// Value tokens by name.
    private var values: [(name: String, value: Int)] = []

    init(_ message: [UInt8], known: [String]) throws(ProtocolViolation) {
        do {
            document = try JSONDocument(message)
        } catch {
            throw .malformed(error)
        }
        guard document.kind(0) == .object else { throw .notAnObject }
        let document = document
        var values: [(name: String, value: Int)] = []
        try document.forEachMember(of: 0) { (name, value) throws(ProtocolViolation) in
            if let fault = document.textFault, fault == name { throw .notText }
            guard let text = known.first(where: { document.name(name, is: $0) }) else {
                let text = document.string(name) ?? ""
                guard text.contains(".") else { throw .unknownMember(text) }
                // A vendor's members are ignored, so they need not even be counted.
                return
            }
            guard !values.contains(where: { $0.name == text }) else {
                throw .duplicateMember(text)
            }
            values.append((text, value))
        }
        self.values = values
    }

    func value(_ name: String) -> Int? { values.first { $0.name == name }?.value }

    func text(_ name: String) throws(ProtocolViolation) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = document.string(value) else { throw .invalidMember(name) }
        return text
    }

    func flag(_ name: String) throws(ProtocolViolation) -> Bool {
        guard let value = value(name) else { return false }
        guard let flag = document.bool(value) else { throw .invalidMember(name) }
        return flag
    }

    /// Text that is none is left to the payload if it is inside the parameters.
    func payload() throws(ProtocolViolation) -> Payload {
        let value = value("parameters")
        let payload: Payload
        switch value.map(document.kind) {
        case nil, .null: payload = .empty
        case .object: payload = Payload(document: document, root: value ?? 0)
        default: throw .invalidMember("parameters")
        }
        guard document.textFault == nil || payload.textFault != nil else { throw .notText }
        return payload
    }
}

/// What a client's message says.
struct IncomingCall {
    let method: String
    let payload: Payload
    let mode: CallMode
    let upgrade: Bool

    private static let members = ["method", "parameters", "more", "oneway", "upgrade"]

    init(_ message: [UInt8]) throws(ProtocolViolation) {
        let members = try EnvelopeMembers(message, known: IncomingCall.members)
        payload = try members.payload()
        guard let method = try members.text("method") else { throw .missingMethod }
        self.method = method
        let more = try members.flag("more")
        let oneway = try members.flag("oneway")
        upgrade = try members.flag("upgrade")
        switch (more, oneway, upgrade) {
        case (false, false, _): mode = .single
        case (true, false, false): mode = .more
        case (false, true, false): mode = .oneway
        default: throw .conflictingFlags
        }
    }
}

/// What a service's message says.
struct IncomingReply {
    let error: String?
    let payload: Payload
    let continues: Bool

    private static let members = ["parameters", "continues", "error"]

    init(_ message: [UInt8]) throws(ProtocolViolation) {
        let members = try EnvelopeMembers(message, known: IncomingReply.members)
        payload = try members.payload()
        error = try members.text("error")
        continues = try members.flag("continues")
        guard error == nil || !continues else { throw .unexpectedContinuation }
    }
}
