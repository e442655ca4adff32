// A notification server on a real bus that does as a test tells it: answers late, wrongly, not at
// all, sends signals before its answer, dies. It knows nothing of the code under test but the bus
// connection.

import CSystemd
import Dispatch
import Platform
import Service
import TestSupport

/// One owner of `org.freedesktop.Notifications`, on a queue of its own.
final class FakeServer: Sendable {
    struct Notify: Sendable, Equatable {
        var appName = ""
        var replacesID: UInt32 = 0
        var summary = ""
        var body = ""
        var actions: [String] = []
        /// As the hint came: its D-Bus type and its value.
        var hints: [String: String] = [:]
        var expireTimeout: Int32 = 0
        var sender = ""
    }

    enum Call: Sendable, Equatable {
        case capabilities
        case notify(Notify)
        case close(UInt32)
    }

    enum Answer: Sendable {
        case serverID(UInt32)
        case error(String)
        case silence
        /// Signals on the bus, to everyone or to the caller only, before the answer.
        case signalsFirst([Signal], serverID: UInt32)
    }

    enum Signal: Sendable {
        case closed(UInt32, reason: UInt32)
        case actionInvoked(UInt32, key: String)
    }

    let calls: EventLog<Call>
    private let loop: EventLoop
    private let owner: NameOwner

    /// - Parameter capabilities: nil does not answer GetCapabilities.
    /// - Parameter answer: called on the server's queue for each Notify.
    init(
        capabilities: [String]? = ["body", "body-markup", "actions"],
        answer: @escaping @Sendable (Notify) -> Answer
    ) throws {
        loop = try EventLoop(queue: DispatchQueue(label: "fake notification server"))
        owner = NameOwner(capabilities: capabilities, answer: answer)
        calls = owner.calls
    }

    /// The last reference may go on the queue itself, so nothing is waited for.
    deinit { loop.queue.async { [owner] in owner.stop() } }

    /// Comes back when the name is owned.
    func start(on address: String) async throws {
        try loop.queue.sync { try owner.start(on: address, loop: loop) }
        try await owner.owned.first { $0 }
    }

    /// Leaves the bus at once, as a killed server does.
    func stop() {
        loop.queue.sync { owner.stop() }
    }

    func emit(_ signal: Signal, to destination: String? = nil) throws {
        try loop.queue.sync { try owner.send(signal, to: destination) }
    }
}

/// What the server has on its queue; `@unchecked Sendable` because it is used there only.
private final class NameOwner: @unchecked Sendable {
    typealias Call = FakeServer.Call
    typealias Notify = FakeServer.Notify
    typealias Answer = FakeServer.Answer
    typealias Signal = FakeServer.Signal

    let calls = EventLog<Call>()
    let owned = EventLog<Bool>()
    private let capabilities: [String]?
    private let answer: (Notify) -> Answer
    private var connection: BusConnection?

    init(capabilities: [String]?, answer: @escaping (Notify) -> Answer) {
        self.capabilities = capabilities
        self.answer = answer
    }

    func start(on address: String, loop: EventLoop) throws {
        let connection = try BusConnection(
            loop: loop, address: address, onMessage: { _ in }, onLost: { _ in })
        self.connection = connection
        // This object outlives the filter: whoever lets go of it calls `stop` first.
        let result = unsafe sd_bus_add_filter(
            connection.bus, nil, filter, Unmanaged.passUnretained(self).toOpaque())
        try SystemError.checkBus(result, "adding a filter")
        let request = try connection.makeCall(
            to: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus", member: "RequestName")
        try request.append("org.freedesktop.Notifications")
        try request.append(UInt32(0))
        try connection.call(request) { [owned] reply in
            owned.append(reply.errorName == nil)
        }
    }

    func stop() {
        connection?.close()
        connection = nil
    }

    func send(_ signal: Signal, to destination: String?) throws {
        guard let connection else { return }
        let member =
            switch signal {
            case .closed: "NotificationClosed"
            case .actionInvoked: "ActionInvoked"
            }
        var made: OpaquePointer?
        let result = unsafe sd_bus_message_new_signal(
            connection.bus, &made, "/org/freedesktop/Notifications",
            "org.freedesktop.Notifications", member)
        try SystemError.checkBus(result, "making a signal")
        guard let pointer = unsafe made else { return }
        let message = unsafe OutgoingBusMessage(taking: pointer)
        if let destination {
            let result = unsafe sd_bus_message_set_destination(message.pointer, destination)
            try SystemError.checkBus(result, "addressing a signal")
        }
        switch signal {
        case .closed(let serverID, let reason):
            try message.append(serverID)
            try message.append(reason)
        case .actionInvoked(let serverID, let key):
            try message.append(serverID)
            try message.append(key)
        }
        try connection.send(message)
    }

    /// True when the message was for the server.
    fileprivate func receive(_ message: borrowing IncomingBusMessage) throws -> Bool {
        guard message.interface == "org.freedesktop.Notifications", let connection else {
            return false
        }
        switch message.member {
        case "GetCapabilities":
            calls.append(.capabilities)
            guard let capabilities else { return true }
            let reply = try reply(to: message)
            try reply.append(capabilities)
            try connection.send(reply)
        case "CloseNotification":
            let serverID = message.readUInt32() ?? 0
            calls.append(.close(serverID))
            try connection.send(reply(to: message))
            try send(.closed(serverID, reason: 3), to: message.sender)
        case "Notify":
            let call = read(message)
            calls.append(.notify(call))
            try respond(to: message, with: answer(call), on: connection)
        default:
            return false
        }
        return true
    }

    private func respond(
        to message: borrowing IncomingBusMessage, with answer: Answer, on connection: BusConnection
    ) throws {
        switch answer {
        case .serverID(let serverID):
            let reply = try reply(to: message)
            try reply.append(serverID)
            try connection.send(reply)
        case .signalsFirst(let signals, let serverID):
            for signal in signals {
                try send(signal, to: message.sender)
            }
            let reply = try reply(to: message)
            try reply.append(serverID)
            try connection.send(reply)
        case .error(let name):
            var error = unsafe sd_bus_error()
            unsafe sd_bus_error_set(&error, name, "as told")
            let result = unsafe sd_bus_reply_method_error(message.pointer, &error)
            unsafe sd_bus_error_free(&error)
            try SystemError.checkBus(result, "answering with an error")
        case .silence:
            break
        }
    }

    private func reply(to message: borrowing IncomingBusMessage) throws -> OutgoingBusMessage {
        var made: OpaquePointer?
        let result = unsafe sd_bus_message_new_method_return(message.pointer, &made)
        try SystemError.checkBus(result, "making a reply")
        guard let pointer = unsafe made else {
            throw SystemError(doing: "making a reply", errno: Errno(code: 12))
        }
        return unsafe OutgoingBusMessage(taking: pointer)
    }

    private func read(_ message: borrowing IncomingBusMessage) -> Notify {
        var call = Notify()
        call.sender = message.sender
        call.appName = message.readString() ?? "?"
        call.replacesID = message.readUInt32() ?? .max
        _ = message.readString()
        call.summary = message.readString() ?? "?"
        call.body = message.readString() ?? "?"
        call.actions = message.readStrings() ?? ["?"]
        if message.enter(BusType.array, "{sv}") {
            while message.enter(BusType.dictionaryEntry, "sv") {
                let name = message.readString() ?? "?"
                if message.enter(BusType.variant, "y") {
                    call.hints[name] = "y \(message.readByte() ?? 99)"
                    message.leave()
                } else if message.enter(BusType.variant, "s") {
                    call.hints[name] = "s \(message.readString() ?? "?")"
                    message.leave()
                }
                message.leave()
            }
            message.leave()
        }
        call.expireTimeout = message.readInt32() ?? .min
        return call
    }
}

/// `userdata` is the name's owner, which closes the connection before it goes.
private func filter(
    _ message: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message = unsafe message, let userdata = unsafe userdata else { return 0 }
    let server = unsafe Unmanaged<NameOwner>.fromOpaque(userdata).takeUnretainedValue()
    let isOurs = (try? unsafe server.receive(IncomingBusMessage(borrowing: message))) ?? true
    return isOurs ? 1 : 0
}
