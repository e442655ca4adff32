// The socket and its clients: accepts, reads, writes, and hands calls to the daemon. It knows
// Varlink's rules through `ServerConnection` and nothing of requests.

import Glibc
import Platform
import Scheduling
import SchedulerInterface
import Varlink

/// What the endpoint wants a turn for; sent by event sources.
enum EndpointWake: Sendable {
    case connection
    case session(SessionID)
}

/// Confined to the daemon's queue.
final class Endpoint {
    /// Clients at a time; one more is closed at once.
    static let connectionLimit = 64
    /// Bytes of one read.
    private static let readBytes = 16 << 10
    /// One client may be read so often before the others have their turn.
    private static let readsPerTurn = 16
    /// A subscriber is sent at most so many events in one message.
    private static let eventsPerMessage = 128
    /// More output than this waits: no further part or event is made for the client.
    private static let outputBytes = 256 << 10

    /// Where every read goes first.
    private var input = [UInt8](repeating: 0, count: readBytes)
    private let listener: UnixListener
    private let loop: EventLoop
    private let journal: Journal
    private var wake: @Sendable (EndpointWake) -> Void = { _ in }
    private var acceptor: DescriptorSource?
    private var sessions: [SessionID: ClientSession] = [:]
    private var lastSession: UInt64 = 0
    private(set) var log: EventHistory
    /// Sessions whose output or stream has changed since they were last served.
    private var touched: Set<SessionID> = []

    init(listener: UnixListener, loop: EventLoop, journal: Journal, log: EventHistory) {
        self.listener = listener
        self.loop = loop
        self.journal = journal
        self.log = log
    }

    /// Begins to accept; `wake` is called on the queue whenever `handle` has something to do.
    func start(wake: @escaping @Sendable (EndpointWake) -> Void) throws(SystemError) {
        self.wake = wake
        do throws(Errno) {
            acceptor = try DescriptorSource(listener.descriptor, .reading, on: loop) {
                wake(.connection)
            }
        } catch {
            throw SystemError(doing: "watching the socket", errno: error)
        }
    }

    /// Accepts no more; the socket's file goes if it was made here.
    func stop() {
        acceptor?.cancel()
        for session in sessions.values {
            write(session)
            session.stop()
        }
        sessions = [:]
        do {
            try listener.unlink()
        } catch {
            journal.log(.warning, "\(error)")
        }
    }

    var connectionCount: Int { sessions.count }

    /// Adds a part to the import that a session sends; returns what it has sent so far.
    func gatherImport(
        _ part: [Wire.ExportedRequest], callBytes: Int, in id: SessionID
    ) throws(RequestError) -> [Wire.ExportedRequest] {
        guard let session = sessions[id] else { return part }
        try session.gatheredImport.add(part, callBytes: callBytes)
        return session.gatheredImport.requests
    }

    /// Forgets the parts of an import: they are being decided on, or one of them was refused.
    func endImport(of id: SessionID) {
        sessions[id]?.gatheredImport = GatheredImport()
    }

    // MARK: Input

    /// Serves a wake-up; `onCall` is called for every call that came in, in order per client.
    func handle(_ wake: EndpointWake, onCall: (SessionID, Call) -> Void) {
        switch wake {
        case .connection:
            acceptAll()
        case .session(let id):
            guard let session = sessions[id] else { return }
            read(session)
            serve(session, onCall)
        }
    }

    private func acceptAll() {
        do {
            while let descriptor = try listener.accept() { admit(descriptor) }
        } catch {
            // The connection stays in the queue of the socket; the next one that ends makes room.
            journal.log(.error, "accepting a connection: \(error)")
            acceptor?.interest = []
        }
    }

    private func admit(_ descriptor: FileDescriptor) {
        do {
            let peer = try descriptor.peerCredentials()
            guard peer.userID == geteuid() || peer.userID == 0 else {
                journal.log(
                    .warning,
                    "refused a connection of user \(peer.userID), process \(peer.processID)")
                return
            }
            guard sessions.count < Self.connectionLimit else {
                journal.log(
                    .warning,
                    "refused a connection of process \(peer.processID): "
                        + "\(Self.connectionLimit) clients are connected")
                return
            }
            lastSession += 1
            let session = ClientSession(
                id: SessionID(number: lastSession), peer: peer, descriptor: descriptor)
            let id = session.id
            let wake = wake
            session.source = try DescriptorSource(descriptor, .reading, on: loop) {
                wake(.session(id))
            }
            sessions[id] = session
        } catch {
            journal.log(.warning, "taking in a connection: \(error)")
        }
    }

    /// Reads what is there, or as much as the connection wants; the source tells what is left.
    private func read(_ session: ClientSession) {
        for _ in 0..<Self.readsPerTurn where session.connection.wantsRead {
            do {
                switch try session.descriptor.read(into: &input) {
                case nil: return
                case 0: session.connection.inputEnded()
                case let count?:
                    session.connection.receive(input[..<count])
                    if count < input.count { return }
                }
            } catch {
                // A peer that has reset the connection sends no more; what it sent counts.
                session.connection.inputEnded()
            }
        }
    }

    // MARK: Output

    /// Answers a call, or continues to; the bytes leave with the end of the turn.
    func reply(to address: CallAddress, _ message: ReplyMessage) {
        guard let session = sessions[address.session] else { return }
        session.connection.reply(to: address.call, message)
        touched.insert(session.id)
    }

    /// Answers a call in parts, as the client takes them.
    func stream(to address: CallAddress, _ stream: PartStream) {
        guard let session = sessions[address.session] else { return }
        session.parts = (address.call, stream)
        touched.insert(session.id)
    }

    /// Streams the log to a call from `position` on, after the parts that it is being sent.
    func subscribe(_ address: CallAddress, app: String?, from position: Int) {
        guard let session = sessions[address.session] else { return }
        session.subscription = Subscription(call: address.call, app: app, position: position)
        touched.insert(session.id)
    }

    /// Tells every subscriber that is concerned.
    func publish(_ event: Wire.Event) {
        log.append(event)
        for session in sessions.values where session.subscription != nil {
            touched.insert(session.id)
        }
    }

    /// What was told may never have been: every subscription ends, and no cursor is good any more.
    func forgetPast() {
        log.forget()
        for session in sessions.values where session.subscription != nil { drop(session) }
    }

    /// Sends what the turn produced. New calls may come of it, since some had to wait.
    func finishTurn(onCall: (SessionID, Call) -> Void) {
        while let id = touched.popFirst() {
            if let session = sessions[id] { serve(session, onCall) }
        }
    }

    /// Takes calls, makes output and writes it, until neither can go on.
    private func serve(_ session: ClientSession, _ onCall: (SessionID, Call) -> Void) {
        handleEvents(session, onCall)
        var goesOn = true
        while goesOn {
            produce(session)
            write(session)
            let waiting = session.connection.pendingOutputBytes
            // What has left makes room for calls that were held back, or for the end.
            handleEvents(session, onCall)
            goesOn =
                !session.isClosing
                && (session.connection.pendingOutputBytes > waiting
                    || waiting == 0 && hasMore(session))
        }
        touched.remove(session.id)
        updateInterest(session)
    }

    private func hasMore(_ session: ClientSession) -> Bool {
        if session.parts != nil { return true }
        return session.subscription.map { $0.position < log.end } ?? false
    }

    private func handleEvents(_ session: ClientSession, _ onCall: (SessionID, Call) -> Void) {
        while let event = session.connection.nextEvent() {
            switch event {
            case .call(let call):
                onCall(session.id, call)
            case .refused(let method):
                if method == ManagerMethod.Import.name { endImport(of: session.id) }
            case .abandoned:
                session.parts = nil
                session.subscription = nil
            case .close(let reason):
                session.isClosing = true
                if reason == .doesNotRead {
                    journal.log(
                        .notice,
                        "dropped process \(session.peer.processID), "
                            + "which does not read its replies or events")
                }
            }
        }
    }

    /// Makes parts and events while the client takes them.
    private func produce(_ session: ClientSession) {
        while session.connection.pendingOutputBytes < Self.outputBytes, !session.isClosing {
            if let (call, stream) = session.parts {
                let (message, isLast) = stream.makeNext()
                session.connection.reply(to: call, message)
                if isLast { session.parts = nil }
            } else if !produceEvents(session) {
                return
            }
        }
    }

    private func produceEvents(_ session: ClientSession) -> Bool {
        guard var subscription = session.subscription, subscription.position < log.end else {
            return false
        }
        let found = log.events(
            from: subscription.position, app: subscription.app, limit: Self.eventsPerMessage)
        guard let (events, next) = found else {
            journal.log(
                .notice,
                "dropped process \(session.peer.processID), which is too far behind the events")
            session.isClosing = true
            return false
        }
        subscription.position = next
        session.subscription = subscription
        guard !events.isEmpty else { return true }
        let reply = SchedulerMethod.Subscribe.Reply(
            cursor: log.cursor(at: next), pending: nil, delivered: nil, resumed: nil, ready: nil,
            events: events)
        session.connection.reply(to: subscription.call, .update(reply))
        return true
    }

    /// Writes what the socket takes. A peer that takes nothing any more may have sent calls before
    /// it went: those are still served.
    private func write(_ session: ClientSession) {
        // Replies that wait for those of earlier calls are not in `pendingOutput`.
        while !session.connection.pendingOutput.isEmpty {
            do {
                let count = try session.descriptor.send(session.connection.pendingOutput)
                if count == 0 { return }
                session.connection.outputWritten(count)
            } catch {
                session.connection.outputFailed()
            }
        }
    }

    /// Turns the source to what the session waits for.
    private func updateInterest(_ session: ClientSession) {
        let hasOutput = !session.connection.pendingOutput.isEmpty
        if session.isClosing && !hasOutput {
            drop(session)
            return
        }
        var interest: Interest = hasOutput ? .writing : []
        if !session.isClosing, session.connection.wantsRead { interest.insert(.reading) }
        session.source?.interest = interest
    }

    private func drop(_ session: ClientSession) {
        session.stop()
        sessions[session.id] = nil
        touched.remove(session.id)
        acceptor?.interest = .reading
    }
}
