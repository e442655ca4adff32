// Decides when a delivery is shown: a pure state machine from what has happened to what to do. One
// Notify call is unanswered at a time, so that the order on the screen is the order of firing, and
// so that at most one delivery is in doubt when a server dies. A delivery is `presented` only once
// the server has answered; until then it waits here, whatever happens to bus and server.

/// Shows deliveries on whatever notification server there is, each once.
///
/// The waits are the presenter's own, never sd-bus's: a call that took too long is still recognised
/// when its answer comes, so that a slow server does not show a delivery twice for good.
package struct Presenter: Sendable {
    private enum Link: Sendable {
        case offline(retryAt: Int64)
        case connecting(until: Int64)
        case connected
    }

    /// Whether the bus would start a server for us; asked only while something waits.
    enum Activation: Sendable {
        case untried
        case starting
        /// The bus knows no server to start; asked again when there is more to show.
        case impossible
        case retry(at: Int64)
    }

    struct Server: Sendable {
        enum Capabilities: Sendable {
            case asked(until: Int64)
            /// nil when the server refused to tell.
            case known(Set<String>?)
        }

        let name: String
        var capabilities: Capabilities
        /// Calls in a row that it has not answered in time.
        var unanswered = 0
    }

    let timing: PresenterTiming
    private var link = Link.offline(retryAt: .min)
    private var connectFailures = 0
    var activation = Activation.untried
    private var activationFailures = 0
    var server: Server?
    var line = WaitingLine()
    var calls = NotifyCalls()
    var screen: Screen
    var pausedUntil = Int64.min
    private var lastError: String?
    private var isErrorReported = false
    private var armedUntil: Int64?
    /// What the event being handled has led to.
    var actions: [PresenterAction] = []

    package init(timing: PresenterTiming = PresenterTiming()) {
        self.timing = timing
        screen = Screen(lateAnswerUsec: timing.lateAnswerUsec)
    }

    package var summary: PresenterSummary {
        var isConnected = false
        if case .connected = link { isConnected = true }
        return PresenterSummary(
            isConnected: isConnected, serverName: server?.name,
            waiting: line.count + (calls.current == nil ? 0 : 1), lastError: lastError)
    }

    /// - Parameter now: microseconds of the boot-time clock, never less than at the event before.
    /// - Returns: what to do, in order. Events that it leads to are handled after this one.
    package mutating func handle(_ event: PresenterEvent, at now: Int64) -> [PresenterAction] {
        switch event {
        case .started:
            connect(at: now)
        case .present(let presentation):
            enqueue(presentation)
        case .withdraw(let deliveryID):
            withdraw(deliveryID, at: now)
        case .busConnected:
            guard case .connecting = link else { break }
            link = .connected
            connectFailures = 0
            succeeded()
        case .busLost(let reason):
            busLost(reason, at: now)
        case .serverAppeared(let name):
            serverAppeared(name, at: now)
        case .serverVanished:
            dropServer()
        case .serverStarted, .serverStartFailed, .capabilitiesReceived, .capabilitiesFailed:
            serverAnswered(event, at: now)
        case .notifyReturned(let call, let serverID):
            notifyReturned(call, serverID: serverID, at: now)
        case .notifyFailed(let call, let errorName):
            notifyFailed(call, errorName: errorName, at: now)
        case .closed(let server, let serverID, let reason):
            receive(.closed(CloseReason(number: reason)), from: server, for: serverID, at: now)
        case .actionInvoked(let server, let serverID, let key):
            receive(.actionInvoked(key: key), from: server, for: serverID, at: now)
        case .timerFired:
            armedUntil = nil
        }
        proceed(at: now)
        arm()
        defer { actions = [] }
        return actions
    }
}

// MARK: - The bus and the server

extension Presenter {
    private mutating func connect(at now: Int64) {
        guard case .offline = link else { return }
        link = .connecting(until: now + timing.connectTimeoutUsec)
        actions.append(.connect)
    }

    private mutating func busLost(_ reason: String, at now: Int64) {
        if case .offline = link { return }
        dropServer()
        activation = .untried
        connectFailures += 1
        link = .offline(
            retryAt: now
                + PresenterTiming.pause(failures: connectFailures, in: timing.connectRetryUsec))
        fail(reason)
    }

    private mutating func serverAppeared(_ name: String, at now: Int64) {
        guard case .connected = link, server?.name != name else { return }
        dropServer()
        server = Server(
            name: name, capabilities: .asked(until: now + timing.answerTimeoutUsec))
        actions.append(.queryCapabilities(server: name))
        activation = .untried
        activationFailures = 0
        succeeded()
    }

    /// Forgets the server and all that only it could know. A delivery whose call it had not
    /// answered waits again, in its old place; nothing that was shown is shown again.
    private mutating func dropServer() {
        guard server != nil else { return }
        server = nil
        screen = Screen(lateAnswerUsec: timing.lateAnswerUsec)
        if let call = calls.dropAll(), call.isWanted {
            line.putBack(call.item)
        }
        line.forgetRefusals()
        pausedUntil = .min
    }

    private mutating func serverAnswered(_ event: PresenterEvent, at now: Int64) {
        switch event {
        case .serverStarted where server == nil:
            retryActivation("the notification server started and did not appear", at: now)
        case .serverStartFailed(let errorName) where server == nil:
            if errorName == "org.freedesktop.DBus.Error.ServiceUnknown" {
                activation = .impossible
                fail("no notification server on the session bus")
            } else {
                retryActivation("starting the notification server: \(errorName)", at: now)
            }
        case .capabilitiesReceived(let name, let capabilities) where server?.name == name:
            server = Server(name: name, capabilities: .known(capabilities))
            pausedUntil = .min
        case .capabilitiesFailed(let name, _) where server?.name == name:
            server = Server(name: name, capabilities: .known(nil))
            pausedUntil = .min
        default:
            // An answer about a server that has gone, or that has come by itself.
            break
        }
    }

    private mutating func retryActivation(_ reason: String, at now: Int64) {
        activationFailures += 1
        activation = .retry(
            at: now + PresenterTiming.pause(failures: activationFailures, in: timing.retryUsec))
        fail(reason)
    }

    mutating func fail(_ reason: String) {
        guard lastError != reason || !isErrorReported else { return }
        lastError = reason
        isErrorReported = summary.waiting > 0
        guard isErrorReported else { return }
        actions.append(.report(.failing(reason: reason)))
    }

    mutating func succeeded() {
        lastError = nil
        isErrorReported = false
    }
}

// MARK: - Going on

extension Presenter {
    /// Does what has become possible or due.
    private mutating func proceed(at now: Int64) {
        switch link {
        case .offline(let retryAt):
            if !line.isEmpty, now >= retryAt {
                connect(at: now)
            }
        case .connecting(let until):
            guard now >= until else { return }
            actions.append(.disconnect)
            busLost("the session bus does not answer", at: now)
        case .connected:
            if let server {
                proceed(with: server, at: now)
            } else {
                startServer(at: now)
            }
        }
    }

    private mutating func startServer(at now: Int64) {
        guard !line.isEmpty else { return }
        switch activation {
        case .starting, .impossible: return
        case .retry(let instant) where instant > now: return
        case .untried, .retry: break
        }
        activation = .starting
        actions.append(.startServer)
    }

    private mutating func proceed(with server: Server, at now: Int64) {
        switch server.capabilities {
        case .asked(let until):
            guard server.unanswered < timing.answerTries, now >= until else { return }
            serverUnanswered(at: now)
            guard server.unanswered + 1 < timing.answerTries else { return }
            self.server?.capabilities = .asked(until: now + timing.answerTimeoutUsec)
            actions.append(.queryCapabilities(server: server.name))
        case .known:
            if let call = calls.takeOverdue(at: now) {
                notifyUnanswered(call, at: now)
            }
            guard calls.current == nil, now >= pausedUntil,
                (self.server?.unanswered ?? 0) < timing.notifyTries,
                let item = line.takeNext(at: now)
            else { return }
            notify(item, at: now)
        }
    }

    /// The one instant at which something is to be done without an event; nil while idle.
    private var nextInstant: Int64? {
        switch link {
        case .offline(let retryAt):
            return line.isEmpty ? nil : retryAt
        case .connecting(let until):
            return until
        case .connected:
            guard let server else {
                guard !line.isEmpty, case .retry(let instant) = activation else { return nil }
                return instant
            }
            if let current = calls.current {
                return current.deadline
            }
            switch server.capabilities {
            case .asked(let until):
                return server.unanswered < timing.answerTries ? until : nil
            case .known:
                guard server.unanswered < timing.notifyTries else { return nil }
                return line.nextInstant.map { max($0, pausedUntil) }
            }
        }
    }

    private mutating func arm() {
        let instant = nextInstant
        guard instant != armedUntil else { return }
        armedUntil = instant
        actions.append(.armTimer(until: instant))
    }
}
