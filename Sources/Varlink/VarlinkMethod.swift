// How a method of an interface is told to the compiler: its full name, its parameters, its reply.

/// A method; conforming types are caseless enums that only name things.
package protocol VarlinkMethod {
    associatedtype Parameters: Codable & Sendable
    associatedtype Reply: Codable & Sendable
    /// With the interface: `io.schedd.Scheduler.Add`.
    static var name: String { get }
    /// Whether a call must ask for more than one reply; false unless said otherwise.
    static var requiresMore: Bool { get }
    /// Decodes what a client sent; `payload.decode` unless said otherwise.
    static func parameters(in payload: Payload) throws(ServiceError) -> Parameters
}

extension VarlinkMethod {
    package static var requiresMore: Bool { false }

    package static func parameters(in payload: Payload) throws(ServiceError) -> Parameters {
        try payload.decode(Parameters.self)
    }
}

/// Parameters or reply of a method that has none.
///
/// Use it rather than an empty structure: the conformance that the compiler makes for one asks
/// for no members, and so does not find unknown ones.
package struct NoParameters: Codable, Hashable, Sendable {
    private enum CodingKeys: CodingKey {}

    package init() {}

    package init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: CodingKeys.self)
    }
}

/// How many replies a call asks for.
package enum CallMode: Hashable, Sendable {
    /// One reply or one error.
    case single
    /// Any number of replies, the last one marked by not continuing.
    case more
    /// No reply, not even an error.
    case oneway
}

/// Which of a connection's calls; unique within the connection.
package struct CallID: Hashable, Sendable {
    let number: UInt64
}
