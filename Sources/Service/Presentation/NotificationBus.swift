// The thin shell around the Presenter: carries out its actions on the session bus and turns what
// comes back into events. It decides nothing. Everything runs on the one queue; nothing blocks it.

import Dispatch
package import Platform

/// Shows deliveries through the desktop's notification server, whenever there is one.
///
/// Confined to its queue: every entry asserts it, which is the reason why `@unchecked Sendable`
/// holds.
package final class NotificationBus: @unchecked Sendable {
    static let busName = "org.freedesktop.DBus"
    static let busPath = "/org/freedesktop/DBus"
    static let serverName = "org.freedesktop.Notifications"
    static let serverPath = "/org/freedesktop/Notifications"

    private let loop: EventLoop
    private var queue: DispatchQueue { loop.queue }
    private let address: String?
    private let bootClock: () -> Int64
    private let report: (PresenterReport) -> Void
    private var presenter: Presenter
    private var connection: BusConnection?
    private var timer: TimerSource?
    /// Events that came up while an earlier one was being acted on.
    private var events: [PresenterEvent] = []
    private var isActing = false
    private var isStopped = false
    /// What a server said that it is called.
    private var information: (server: String, title: String)?

    /// - Parameter loop: serves the queue that owns the daemon's state.
    /// - Parameter address: the bus to use; nil for the session bus of the environment.
    /// - Parameter bootClock: microseconds of the boot-time clock, on which the timer runs too.
    /// - Parameter report: called on the queue; it may call `present` and `withdraw`.
    package init(
        loop: EventLoop, address: String? = nil, timing: PresenterTiming = PresenterTiming(),
        bootClock: @escaping () -> Int64 = Clock.bootMicroseconds,
        report: @escaping (PresenterReport) -> Void
    ) {
        self.loop = loop
        self.address = address
        self.bootClock = bootClock
        self.report = report
        presenter = Presenter(timing: timing)
        timer = TimerSource(on: loop) { [weak self] in self?.handle(.timerFired) }
    }

    /// Connects already now, so that the first delivery does not have to wait for it.
    package func start() {
        handle(.started)
    }

    /// Shows it as soon as possible, in the order of the calls.
    package func present(_ presentation: Presentation) {
        handle(.present(presentation))
    }

    /// Takes it off the screen, or out of what waits. An unknown key is nothing to do.
    package func withdraw(deliveryID: Int64) {
        handle(.withdraw(deliveryID: deliveryID))
    }

    /// Closes the connection; nothing is reported any more. What is on the screen stays if the
    /// server lets it.
    package func stop() {
        dispatchPrecondition(condition: .onQueue(queue))
        isStopped = true
        events = []
        connection?.close()
        connection = nil
        timer?.cancel()
        timer = nil
    }

    package var summary: PresenterSummary {
        dispatchPrecondition(condition: .onQueue(queue))
        var summary = presenter.summary
        if let information, information.server == summary.serverName {
            summary.serverTitle = information.title
        }
        return summary
    }

    /// Events are handled one after the other: one that comes up in an action waits for its end.
    private func handle(_ event: PresenterEvent) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isStopped else { return }
        events.append(event)
        guard !isActing else { return }
        isActing = true
        while !events.isEmpty {
            for action in presenter.handle(events.removeFirst(), at: bootClock()) {
                guard !isStopped else { break }
                perform(action)
            }
        }
        isActing = false
    }

    private func perform(_ action: PresenterAction) {
        switch action {
        case .connect:
            connect()
        case .disconnect:
            connection?.close()
            connection = nil
        case .startServer:
            startServer()
        case .queryCapabilities(let server):
            queryCapabilities(of: server)
            queryInformation(of: server)
        case .notify(let call, let server, let arguments):
            notify(arguments, at: server, call: call)
        case .closeNotification(let server, let serverID):
            closeNotification(serverID, at: server)
        case .report(let news):
            report(news)
        case .armTimer(let instant):
            timer?.arm(at: instant)
        }
    }
}

// MARK: - The bus

extension NotificationBus {
    private func connect() {
        guard let address = address ?? BusConnection.sessionAddress() else {
            handle(.busLost(reason: "no session bus: DBUS_SESSION_BUS_ADDRESS is not set"))
            return
        }
        do throws(SystemError) {
            let connection = try BusConnection(
                loop: loop, address: address,
                onMessage: { [weak self] message in self?.received(message) },
                onLost: { [weak self] error in self?.lost(error) })
            self.connection = connection
            // All matches go out before the first question, so no signal can slip past them.
            try connection.addMatch(
                Self.rule(
                    sender: Self.busName, path: Self.busPath, interface: Self.busName,
                    member: "NameOwnerChanged") + ",arg0='\(Self.serverName)'")
            for member in ["NotificationClosed", "ActionInvoked"] {
                try connection.addMatch(
                    Self.rule(
                        sender: Self.serverName, path: Self.serverPath,
                        interface: Self.serverName, member: member))
            }
            try askForServer(connection)
        } catch {
            lost(error)
        }
    }

    private static func rule(
        sender: String, path: String, interface: String, member: String
    ) -> String {
        "type='signal',sender='\(sender)',path='\(path)',interface='\(interface)',"
            + "member='\(member)'"
    }

    private func lost(_ error: SystemError) {
        connection?.close()
        connection = nil
        handle(.busLost(reason: error.description))
    }

    /// The answer to this also says that the connection works.
    private func askForServer(_ connection: BusConnection) throws(SystemError) {
        let message = try connection.makeCall(
            to: Self.busName, path: Self.busPath, interface: Self.busName, member: "GetNameOwner")
        try message.append(Self.serverName)
        try connection.call(message) { [weak self] reply in
            guard let self else { return }
            handle(.busConnected)
            if reply.errorName == nil, let name = reply.readString() {
                handle(.serverAppeared(name: name))
            }
        }
    }

    private func startServer() {
        attempt(
            failing: { .serverStartFailed(errorName: $0) },
            { connection throws(SystemError) in
                let message = try connection.makeCall(
                    to: Self.busName, path: Self.busPath, interface: Self.busName,
                    member: "StartServiceByName")
                try message.append(Self.serverName)
                try message.append(UInt32(0))
                return message
            },
            answer: { reply in
                reply.errorName.map { .serverStartFailed(errorName: $0) } ?? .serverStarted
            })
    }

    private func received(_ message: borrowing IncomingBusMessage) {
        switch (message.interface, message.member) {
        case (Self.busName, "NameOwnerChanged"):
            guard message.readString() == Self.serverName, message.readString() != nil,
                let owner = message.readString()
            else { return }
            handle(owner.isEmpty ? .serverVanished : .serverAppeared(name: owner))
        case (Self.serverName, "NotificationClosed"):
            guard let serverID = message.readUInt32(), let reason = message.readUInt32() else {
                return
            }
            handle(.closed(server: message.sender, serverID: serverID, reason: reason))
        case (Self.serverName, "ActionInvoked"):
            guard let serverID = message.readUInt32(), let key = message.readString() else {
                return
            }
            handle(.actionInvoked(server: message.sender, serverID: serverID, actionKey: key))
        default:
            // Nothing else was asked for.
            break
        }
    }
}

// MARK: - The server

extension NotificationBus {
    private func queryCapabilities(of server: String) {
        attempt(
            failing: { .capabilitiesFailed(server: server, errorName: $0) },
            { connection throws(SystemError) in
                try connection.makeCall(
                    to: server, path: Self.serverPath, interface: Self.serverName,
                    member: "GetCapabilities")
            },
            answer: { reply in
                if let name = reply.errorName {
                    return .capabilitiesFailed(server: server, errorName: name)
                }
                guard let capabilities = reply.readStrings() else {
                    return .capabilitiesFailed(server: server, errorName: "not a list of strings")
                }
                return .capabilitiesReceived(server: server, Set(capabilities))
            })
    }

    /// Asks what the server calls itself, for people; without an answer its bus name has to do.
    private func queryInformation(of server: String) {
        attempt(
            failing: { _ in nil },
            { connection throws(SystemError) in
                try connection.makeCall(
                    to: server, path: Self.serverPath, interface: Self.serverName,
                    member: "GetServerInformation")
            },
            answer: { [weak self] reply in
                // Name, vendor, version, version of the specification.
                if let name = reply.readString(), reply.readString() != nil,
                    let version = reply.readString()
                {
                    self?.information = (server, "\(name) \(version)")
                }
                return nil
            })
    }

    private func notify(_ arguments: NotificationCall, at server: String, call: UInt64) {
        attempt(
            failing: { .notifyFailed(call: call, errorName: $0) },
            { connection throws(SystemError) in
                let message = try connection.makeCall(
                    to: server, path: Self.serverPath, interface: Self.serverName,
                    member: "Notify")
                try message.append(arguments)
                return message
            },
            answer: { reply in
                if let name = reply.errorName {
                    return .notifyFailed(call: call, errorName: name)
                }
                guard let serverID = reply.readUInt32() else {
                    return .notifyFailed(call: call, errorName: "an answer without a number")
                }
                return .notifyReturned(call: call, serverID: serverID)
            })
    }

    /// Not waited for: the server says by signal when it is gone, and an error would tell nothing
    /// (some servers have one for a number that they do not know).
    private func closeNotification(_ serverID: UInt32, at server: String) {
        attempt(
            failing: { _ in nil },
            { connection throws(SystemError) in
                let message = try connection.makeCall(
                    to: server, path: Self.serverPath, interface: Self.serverName,
                    member: "CloseNotification")
                try message.append(serverID)
                return message
            },
            answer: { _ in nil })
    }

    /// Makes and sends a call; every outcome becomes the event that the closures make of it.
    private func attempt(
        failing: (String) -> PresenterEvent?,
        _ make: (BusConnection) throws(SystemError) -> OutgoingBusMessage,
        answer: @escaping (borrowing IncomingBusMessage) -> PresenterEvent?
    ) {
        guard let connection else {
            // The connection went in an action before; its busLost is on the way.
            return
        }
        do throws(SystemError) {
            try connection.call(make(connection)) { [weak self] reply in
                if let event = answer(reply) { self?.handle(event) }
            }
        } catch {
            if let event = failing(error.description) { handle(event) }
        }
    }
}

extension OutgoingBusMessage {
    /// The arguments of Notify, `susssasa{sv}i`.
    fileprivate borrowing func append(_ arguments: NotificationCall) throws(SystemError) {
        try append(arguments.appName)
        try append(arguments.replacesID)
        // No icon of our own; the server finds the app's by its desktop entry.
        try append("")
        try append(arguments.summary)
        try append(arguments.body)
        try append(arguments.actions)
        try open(BusType.array, "{sv}")
        for hint in arguments.hints {
            try open(BusType.dictionaryEntry, "sv")
            try append(hint.name)
            switch hint.value {
            case .byte(let byte):
                try open(BusType.variant, "y")
                try append(byte: byte)
            case .string(let text):
                try open(BusType.variant, "s")
                try append(text)
            }
            try close()
            try close()
        }
        try close()
        try append(arguments.expireTimeout)
    }
}
