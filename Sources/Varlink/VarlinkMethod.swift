// How a method of an interface is told to the compiler: its full name, its parameters, its reply.

/// A method; conforming types are caseless enums that only name things.
package protocol VarlinkMethod {
    associatedtype Parameters: JSONReadable & JSONWritable & Sendable
    associatedtype Reply: JSONReadable & JSONWritable & Sendable
    /// With the interface: `io.schedd.Scheduler.Add`.
    static var name: String { get }
    /// Whether a call must ask for more than one reply; false unless said otherwise.
    static var requiresMore: Bool { get }
}

extension VarlinkMethod {
    package static var requiresMore: Bool { false }
}

/// Parameters or reply of a method that has none.
package struct NoParameters: JSONReadable, JSONWritable, Hashable, Sendable {
    package init() {}

    package init(_ reader: JSONReader) throws(JSONMistake) {
        _ = try reader.members([])
    }

    package func write(to text: inout JSONText) {
        text.object { _ in }
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
