// The service's side of one connection: bytes in, calls out, replies in, bytes out. The rule is
// order: replies leave in the order of their calls, whatever order they are completed in, and
// nothing after a `more` call is looked at before that call is over. All that a peer can make
// grow has a limit in `ConnectionLimits`; beyond it the connection stops reading, or closes.

/// A call that a client has made. Every call, a oneway one too, must be completed by a last reply.
package struct Call: Sendable {
    package let id: CallID
    /// With the interface: `io.schedd.Scheduler.Add`.
    package let method: String
    package let payload: Payload
    package let mode: CallMode

    /// The parameters, once it is sure that the call asks for more where the method needs it.
    package func parameters<Method: VarlinkMethod>(
        of method: Method.Type
    ) throws(ServiceError) -> Method.Parameters {
        guard mode == .more || !method.requiresMore else { throw .expectedMore }
        return try payload.decode(Method.Parameters.self)
    }
}

/// What one client may make a connection keep.
package struct ConnectionLimits: Sendable {
    /// One message without its NUL.
    package var messageBytes = MessageFramer.defaultLimitBytes
    /// Calls handed out and not yet replied to.
    package var outstandingCalls = 64
    /// Input kept while no further call may be handed out.
    package var heldInputBytes = 64 << 10
    /// Output that waits before further calls are held back.
    package var outputHighWaterBytes = 256 << 10
    /// Output that waits before the client counts as not reading: 4 MiB. One reply may be
    /// larger, so that up to this much and one reply more can wait.
    package var outputBytes = 4 << 20

    package init() {}
}

/// The state of a connection as its service sees it.
///
/// The endpoint's turn: `receive` what was read, take `nextEvent` until nil, `reply`, take
/// `nextEvent` again (a reply may let held-back calls go on), write `pendingOutput`, tell
/// `outputWritten`, and take `nextEvent` once more; read on only while `wantsRead`.
package struct ServerConnection: Sendable {
    package enum Event: Sendable {
        case call(Call)
        /// A call that no service could serve, and that is answered with an error already.
        case refused(method: String)
        /// The client has gone, or closed its side, during a `more` call: no reply is needed any
        /// more.
        case abandoned(CallID)
        /// The end: write what is pending if the peer still takes it, and close.
        case close(CloseReason)
    }

    package enum CloseReason: Error, Equatable, Sendable {
        case peerClosed
        case violation(ProtocolViolation)
        /// More output waits than `ConnectionLimits.outputBytes`; it has been dropped.
        case doesNotRead
    }

    private struct Slot: Sendable {
        let id: CallID
        let mode: CallMode
        /// Replies that wait for those of earlier calls.
        var held: [UInt8] = []
        var isFinished = false
    }

    private let limits: ConnectionLimits
    private var framer: MessageFramer
    private var output = OutputBuffer()
    /// Outstanding calls, oldest first, their numbers without a gap up to `calls`.
    private var slots: [Slot] = []
    private var heldOutputBytes = 0
    private var calls: UInt64 = 0
    private var isInputEnded = false
    private var isOutputFailed = false
    private var closeReason: CloseReason?
    private var isClosed = false

    package init(limits: ConnectionLimits = ConnectionLimits()) {
        self.limits = limits
        framer = MessageFramer(limitBytes: limits.messageBytes)
    }

    // MARK: Input

    /// Whether the endpoint should read from the socket now.
    package var wantsRead: Bool {
        guard closeReason == nil, !isInputEnded else { return false }
        return !isHoldingBack || framer.bufferedBytes < limits.heldInputBytes
    }

    /// Bytes have been read.
    package mutating func receive(_ bytes: some Collection<UInt8>) {
        guard closeReason == nil, !isInputEnded else { return }
        framer.append(bytes)
    }

    /// The peer has closed, or shut down its sending side. What it sent completely still counts.
    package mutating func inputEnded() {
        isInputEnded = true
    }

    /// What has to be done next, nil when nothing is left to do until more input, a reply or a
    /// write. After `.close` there is nothing more.
    package mutating func nextEvent() -> Event? {
        guard !isClosed else { return nil }
        if isInputEnded || isOutputFailed,
            let index = slots.firstIndex(where: { $0.mode == .more && !$0.isFinished })
        {
            let id = slots[index].id
            finish(index)
            return .abandoned(id)
        }
        if closeReason == nil, !isHoldingBack {
            do {
                if let message = try nextMessage() { return begin(try IncomingCall(message)) }
            } catch {
                closeReason = .violation(error)
            }
        }
        guard let closeReason, slots.isEmpty else { return nil }
        isClosed = true
        return .close(closeReason)
    }

    private mutating func nextMessage() throws(ProtocolViolation) -> [UInt8]? {
        do {
            if let message = try framer.next() { return message }
        } catch {
            throw .messageTooLong(limitBytes: error.limitBytes)
        }
        guard isInputEnded else { return nil }
        guard framer.bufferedBytes == 0 else { throw .endedInsideMessage }
        closeReason = .peerClosed
        return nil
    }

    /// A call that needs no service to be refused is answered here.
    private mutating func begin(_ incoming: IncomingCall) -> Event {
        calls += 1
        let id = CallID(number: calls)
        slots.append(Slot(id: id, mode: incoming.mode))
        if incoming.upgrade {
            reply(to: id, .failure(.methodNotImplemented(incoming.method)))
        } else if let fault = incoming.payload.textFault {
            reply(to: id, .failure(.invalidParameter(fault)))
        } else {
            return .call(
                Call(
                    id: id, method: incoming.method, payload: incoming.payload,
                    mode: incoming.mode))
        }
        return .refused(method: incoming.method)
    }

    /// Whether messages stay in the framer for now. A `more` call that goes on is the last one,
    /// since nothing behind it is taken.
    private var isHoldingBack: Bool {
        slots.count >= limits.outstandingCalls
            || pendingOutputBytes >= limits.outputHighWaterBytes
            || slots.last.map { $0.mode == .more && !$0.isFinished } ?? false
    }

    // MARK: Output

    /// Replies made and not yet written, those that wait for earlier calls included.
    package var pendingOutputBytes: Int { output.count + heldOutputBytes }

    /// What can be written now. Let go of it before calling anything that changes the connection,
    /// or it is copied.
    package var pendingOutput: ArraySlice<UInt8> { output.pending }

    /// The first `count` bytes of `pendingOutput` have been written.
    package mutating func outputWritten(_ count: Int) {
        output.consume(count)
    }

    /// The peer takes no more output (EPIPE). What it has sent completely still counts, so that
    /// reading goes on to the end of the input; replies are thrown away.
    package mutating func outputFailed() {
        isOutputFailed = true
        for index in slots.indices { slots[index].held = [] }
        heldOutputBytes = 0
        output.removeAll()
    }

    /// Sends a reply, or keeps it until the calls before it are done.
    ///
    /// False if the call is over: its connection is closing, or the client has gone. To continue
    /// a call without `more` is a mistake of the service and traps; oneway calls are completed
    /// like all others, and nothing is sent.
    @discardableResult
    package mutating func reply(to id: CallID, _ message: ReplyMessage) -> Bool {
        guard let index = index(of: id), !slots[index].isFinished else { return false }
        precondition(
            !message.continues || slots[index].mode != .single,
            "only a call with more has more than one reply")
        if slots[index].mode != .oneway, !isOutputFailed {
            guard unreadBytes(before: message) <= limits.outputBytes else {
                dropSlowReader()
                return false
            }
            if index == 0 {
                output.append(message.bytes)
            } else {
                slots[index].held += message.bytes
                heldOutputBytes += message.bytes.count
            }
        }
        if !message.continues { finish(index) }
        return true
    }

    /// What tells, when a reply is made, whether the client reads. The reply itself does not: one
    /// large reply is no sign of a client that does not read, whatever small one is before it. Nor
    /// does what waits for earlier calls, since nobody could have read that; only a call that goes
    /// on may not pile it up, while the others are few (`ConnectionLimits.outstandingCalls`).
    private func unreadBytes(before message: ReplyMessage) -> Int {
        message.continues ? pendingOutputBytes : output.count
    }

    private func index(of id: CallID) -> Int? {
        let index = slots.count - 1 - (Int(calls) - Int(id.number))
        return slots.indices.contains(index) ? index : nil
    }

    /// Marks a call as over and lets out what has waited for it.
    private mutating func finish(_ index: Int) {
        slots[index].isFinished = true
        var done = 0
        while done < slots.count {
            if !slots[done].held.isEmpty {
                output.append(slots[done].held)
                heldOutputBytes -= slots[done].held.count
                slots[done].held = []
            }
            guard slots[done].isFinished else { break }
            done += 1
        }
        slots.removeFirst(done)
    }

    private mutating func dropSlowReader() {
        closeReason = .doesNotRead
        slots = []
        heldOutputBytes = 0
        output.removeAll()
    }
}
