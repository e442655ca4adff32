// The client's side of one connection: calls out, replies in, matched by order alone. A service
// that breaks the protocol ends the connection with a reason; an error that it answers with does
// not.

/// An error that a service has answered a call with.
package struct ErrorReply: Error, Hashable, Sendable {
    /// With the interface: `io.schedd.Scheduler.QueueFull`.
    package let name: String
    /// An object; `.null` if it could not be kept exactly.
    package let parameters: JSONValue

    /// The error as one of those that every service has, nil if it is none.
    package var serviceError: ServiceError? { ServiceError(name: name, parameters: parameters) }

    /// The error as a type, nil if it is another one or its parameters are not the type's.
    package func decode<Failure: VarlinkError>(as type: Failure.Type) -> Failure? {
        guard name == Failure.name else { return nil }
        return try? Payload(jsonObject: parameters).decodeTolerantly(type)
    }
}

extension Payload {
    /// The reply of a method, in which members that a later version added are passed over.
    ///
    /// Throws `.invalidReply` with the path of what is not as the method declares it.
    package func reply<Method: VarlinkMethod>(
        of method: Method.Type
    ) throws(ProtocolViolation) -> Method.Reply {
        do {
            return try decodeTolerantly(Method.Reply.self)
        } catch {
            guard case .invalidParameter(let path) = error else { throw .invalidReply("") }
            throw .invalidReply(path)
        }
    }
}

/// The state of a connection as its client sees it.
package struct ClientConnection: Sendable {
    /// Replies may be longer than calls: 16 MiB, as systemd's client takes them.
    package static let replyLimitBytes = 16 << 20

    package enum Event: Sendable {
        /// `isLast` unless the call asked for more and more will come.
        case reply(CallID, Payload, isLast: Bool)
        case failure(CallID, ErrorReply)
        /// The end; calls without a last reply will get none.
        case closed(CloseReason)
    }

    package enum CloseReason: Error, Equatable, Sendable {
        case peerClosed
        case violation(ProtocolViolation)
    }

    private var framer: MessageFramer
    private var output = OutputBuffer()
    /// Calls that wait for a reply, oldest first.
    private var waiting: [(id: CallID, mode: CallMode)] = []
    private var firstWaiting = 0
    private var calls: UInt64 = 0
    private var isInputEnded = false
    private var isClosed = false

    package init(replyLimitBytes: Int = ClientConnection.replyLimitBytes) {
        framer = MessageFramer(limitBytes: replyLimitBytes)
    }

    // MARK: Output

    /// Puts a call into the output. Calls may be sent before earlier ones are replied to; those
    /// behind a `more` call wait until it is over, so that it is best made on a connection alone.
    @discardableResult
    package mutating func send<Method: VarlinkMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, mode: CallMode = .single
    ) -> CallID {
        send(method: Method.name, parameters: parameters, mode: mode)
    }

    /// The same for a method that is known by name only.
    @discardableResult
    package mutating func send(
        method: String, parameters: some JSONWritable, mode: CallMode = .single
    ) -> CallID {
        var text = JSONText()
        text.object { text in
            text.member("method", method)
            text.parameters(parameters)
            switch mode {
            case .single: break
            case .more: text.member("more", true)
            case .oneway: text.member("oneway", true)
            }
        }
        output.append(text.message())
        calls += 1
        let id = CallID(number: calls)
        if mode != .oneway { waiting.append((id, mode)) }
        return id
    }

    /// What can be written now.
    package var pendingOutput: ArraySlice<UInt8> { output.pending }

    /// The first `count` bytes of `pendingOutput` have been written.
    package mutating func outputWritten(_ count: Int) {
        output.consume(count)
    }

    // MARK: Input

    /// Whether a reply is still to come.
    package var isWaiting: Bool { firstWaiting < waiting.count }

    package mutating func receive(_ bytes: some Collection<UInt8>) {
        guard !isClosed else { return }
        framer.append(bytes)
    }

    /// The service has closed the connection.
    package mutating func inputEnded() {
        isInputEnded = true
    }

    /// What has arrived, nil when more input is needed. After `.closed` there is nothing more.
    package mutating func nextEvent() -> Event? {
        guard !isClosed else { return nil }
        do {
            if let message = try framer.next() {
                return try reply(try IncomingReply(message))
            }
        } catch let violation as ProtocolViolation {
            return close(.violation(violation))
        } catch let error as MessageTooLong {
            return close(.violation(.messageTooLong(limitBytes: error.limitBytes)))
        } catch {
            preconditionFailure("a message fails in the ways listed: \(error)")
        }
        guard isInputEnded else { return nil }
        return close(framer.bufferedBytes == 0 ? .peerClosed : .violation(.endedInsideMessage))
    }

    private mutating func close(_ reason: CloseReason) -> Event {
        isClosed = true
        return .closed(reason)
    }

    private mutating func reply(_ message: IncomingReply) throws(ProtocolViolation) -> Event {
        guard isWaiting else { throw .unexpectedReply }
        let call = waiting[firstWaiting]
        guard !message.continues || call.mode == .more else { throw .unexpectedContinuation }
        if let fault = message.payload.textFault { throw .invalidReply(fault) }
        if !message.continues { advance() }
        guard let error = message.error else {
            return .reply(call.id, message.payload, isLast: !message.continues)
        }
        let parameters = try? message.payload.decodeTolerantly(JSONValue.self)
        return .failure(call.id, ErrorReply(name: error, parameters: parameters ?? .null))
    }

    /// The oldest call is over. The list is shortened only now and then, so that many calls in
    /// flight cost no more each than few.
    private mutating func advance() {
        firstWaiting += 1
        if firstWaiting * 2 >= waiting.count {
            waiting.removeFirst(firstWaiting)
            firstWaiting = 0
        }
    }
}
