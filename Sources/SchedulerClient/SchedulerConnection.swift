// A blocking connection to schedd, for command-line programs and tests: one call at a time, each
// wait bounded. The protocol is Varlink's `ClientConnection`; this type only moves its bytes
// (`SchedulerConnection+Transfer`).

package import Platform
package import Varlink

/// One connection. It closes when the last reference goes.
package final class SchedulerConnection {
    /// Long enough for a disk that stalls; schedd itself answers in milliseconds.
    package static let defaultTimeout: Duration = .seconds(30)

    let descriptor: FileDescriptor
    let timeout: Duration
    var connection = ClientConnection()

    /// Connects to a socket; see `socketPath` for the usual one.
    package static func connect(
        path: String, timeout: Duration = defaultTimeout
    ) throws(ClientError) -> SchedulerConnection {
        do throws(SocketError) {
            let descriptor = try UnixConnection.open(path: path)
            return SchedulerConnection(descriptor, timeout: timeout)
        } catch {
            throw ClientError(connecting: error, to: path)
        }
    }

    /// Takes over a connected non-blocking socket.
    package init(_ descriptor: FileDescriptor, timeout: Duration = defaultTimeout) {
        self.descriptor = descriptor
        self.timeout = timeout
    }

    /// schedd's socket: the path given, else `$SCHEDD_SOCKET`, else `schedd/io.schedd` in the
    /// user's runtime directory.
    package static func socketPath(
        option: String?, environment: Environment = .process
    ) throws(ClientError) -> String {
        if let option { return option }
        do throws(DirectoryError) {
            return try UserDirectories.socket(environment).path
        } catch {
            throw .unknownPath(error)
        }
    }

    /// Calls a method and waits for its one reply.
    package func call<Method: VarlinkMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters
    ) throws(ClientError) -> Method.Reply {
        connection.send(method, parameters)
        return try decode(try reply(within: timeout).payload, of: method)
    }

    /// Calls a method with `more`. The connection does nothing else until the replies are all read.
    package func stream<Method: VarlinkMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters
    ) -> ReplyStream<Method> {
        connection.send(method, parameters, mode: .more)
        return ReplyStream(connection: self)
    }

    /// Calls a listing method with `more` and joins its parts.
    package func collect<Method: VarlinkMethod, Element>(
        _ method: Method.Type, _ parameters: Method.Parameters,
        part: (Method.Reply) -> [Element]
    ) throws(ClientError) -> [Element] {
        var elements: [Element] = []
        var replies = stream(method, parameters)
        while let reply = try replies.next() { elements += part(reply) }
        return elements
    }

    /// The replies to one call, as they come.
    package struct ReplyStream<Method: VarlinkMethod> {
        private let connection: SchedulerConnection
        private var isOver = false

        init(connection: SchedulerConnection) {
            self.connection = connection
        }

        /// The next reply; nil after the last. Waits the connection's timeout, or for ever.
        package mutating func next(
            waitingForEver: Bool = false
        ) throws(ClientError) -> Method.Reply? {
            if isOver { return nil }
            let (payload, isLast) = try connection.reply(
                within: waitingForEver ? nil : connection.timeout)
            isOver = isLast
            return try connection.decode(payload, of: Method.self)
        }
    }
}
