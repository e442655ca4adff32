// What running a command needs from the world: a connection, two streams, the time. Tests put a
// made-up world here.

package import Platform
package import SchedulerClient
package import Varlink

/// Something that went wrong in a way that the user's words are not to blame for; exit code 1.
package struct Failure: Error, Equatable, Sendable {
    package var message: String

    package init(_ message: String) {
        self.message = message
    }
}

/// The world of one run.
package struct Session: Sendable {
    package var globals: GlobalOptions
    package var environment: Environment
    package var time: TimeContext
    package var style: TextStyle
    /// Columns of the terminal; nil when the output is none, and nothing is cut.
    package var width: Int?
    /// Writes to standard output at once.
    package var output: @Sendable (String) throws(Failure) -> Void
    /// Writes to standard error at once; what fails there is lost.
    package var notes: @Sendable (String) -> Void

    package init(
        globals: GlobalOptions, environment: Environment, time: TimeContext, style: TextStyle,
        width: Int?, output: @escaping @Sendable (String) throws(Failure) -> Void,
        notes: @escaping @Sendable (String) -> Void
    ) {
        self.globals = globals
        self.environment = environment
        self.time = time
        self.style = style
        self.width = width
        self.output = output
        self.notes = notes
    }

    package func print(_ text: String) throws(Failure) {
        try output(text)
    }

    /// One JSON value on one line.
    package func printJSON(_ value: some JSONWritable) throws(Failure) {
        try output(value.jsonText + "\n")
    }

    package func connect() throws(ClientError) -> SchedulerConnection {
        let path = try SchedulerConnection.socketPath(
            option: globals.socket, environment: environment)
        return try SchedulerConnection.connect(path: path)
    }

    /// One call on a connection of its own.
    package func call<Method: VarlinkMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters,
        naming: FieldNaming = .options(given: [])
    ) throws(Failure) -> Method.Reply {
        try client(naming: naming) { () throws(ClientError) in
            try connect().call(method, parameters)
        }
    }

    /// A whole listing.
    package func list<Method: VarlinkMethod, Element>(
        _ method: Method.Type, _ parameters: Method.Parameters,
        part: (Method.Reply) -> [Element]
    ) throws(Failure) -> [Element] {
        try client { () throws(ClientError) in
            try connect().collect(method, parameters, part: part)
        }
    }

    /// Turns a client's error into what the user is told.
    package func client<Result>(
        naming: FieldNaming = .options(given: []), _ body: () throws(ClientError) -> Result
    ) throws(Failure) -> Result {
        do {
            return try body()
        } catch {
            throw Failure(FailureText.text(error, naming: naming, time))
        }
    }

    /// Eight characters of Crockford's alphabet, which has no two that look alike: 40 random bits.
    package func newIdentifier() throws(Failure) -> String {
        do throws(SystemError) {
            let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
            return String(try SystemRandom.bytes(count: 8).map { alphabet[Int($0 & 31)] })
        } catch {
            throw Failure("\(error)")
        }
    }
}
