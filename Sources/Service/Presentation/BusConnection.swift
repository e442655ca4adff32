// One connection to a message bus, driven by an event loop on the owner's queue: nothing here
// blocks, also not while connecting, and there is no thread of its own. sd-bus says what it waits
// for (events, timeout) and is asked again after everything that may have changed that.

import Dispatch
import CSystemd
import Glibc
package import Platform

/// A connection that is opened once and never reopened; when it is lost, make another.
///
/// Confined to its queue. It is `@unchecked Sendable` only so that source handlers and the owner's
/// actor may hold it: every entry asserts the queue. It is `@safe` because no pointer of sd-bus's
/// gets out except `bus`, and every one is dropped in `releaseAll`.
@safe
package final class BusConnection: @unchecked Sendable {
    package typealias Handler = (borrowing IncomingBusMessage) -> Void

    /// Messages handled before others get their turn on the queue.
    private static let messagesPerTurn = 64

    private let loop: EventLoop
    private var queue: DispatchQueue { loop.queue }
    /// sd-bus's connection object, owned here until `close`; for what this class does not offer.
    package private(set) var bus: OpaquePointer?
    /// Match slots and filter slots; dropped, and with them their callbacks, before the bus is.
    private var slots: [OpaquePointer] = unsafe []
    /// Calls without an answer by the cookie that the answer will carry.
    private var calls: [UInt64: (slot: OpaquePointer, handler: Handler)] = unsafe [:]
    private var onMessage: Handler
    private var onLost: (SystemError) -> Void
    private var watchedDescriptor: Int32 = -1
    private var source: DescriptorSource?
    private var timer: (any DispatchSourceTimer)?

    /// Starts to connect; whether that works shows in the first answer, or in `onLost`.
    ///
    /// - Parameter onMessage: gets the signals of all matches.
    /// - Parameter onLost: called once, from the queue, never from within another call.
    package init(
        loop: EventLoop, address: String, onMessage: @escaping Handler,
        onLost: @escaping (SystemError) -> Void
    ) throws(SystemError) {
        dispatchPrecondition(condition: .onQueue(loop.queue))
        self.loop = loop
        self.onMessage = onMessage
        self.onLost = onLost
        var created: OpaquePointer?
        try SystemError.checkBus(unsafe sd_bus_new(&created), "making a bus connection")
        unsafe bus = created
        do throws(SystemError) {
            try SystemError.checkBus(
                unsafe sd_bus_set_address(bus, address), "reading the bus address")
            try SystemError.checkBus(unsafe sd_bus_set_bus_client(bus, 1), "being a bus client")
            // Nobody has reason to send us descriptors.
            try SystemError.checkBus(unsafe sd_bus_negotiate_fds(bus, 0), "refusing descriptors")
            try SystemError.checkBus(unsafe sd_bus_start(bus), "connecting to the session bus")
        } catch {
            close()
            throw error
        }
        watch()
    }

    deinit {
        // Nobody else has a reference, so nothing on the queue can be using the connection.
        releaseAll()
    }

    /// Ends the connection without a word: no handler is called any more.
    package func close() {
        dispatchPrecondition(condition: .onQueue(queue))
        releaseAll()
    }

    /// Where the session bus is, by the rules of sd-bus, and when both variables are unset in the
    /// runtime directory that schedd's own socket is in then; nil when that is not there either.
    package static func sessionAddress(
        _ environment: Environment = .process, userRoot: String = "/run/user"
    ) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"] { return address }
        let set = environment.nonEmpty("XDG_RUNTIME_DIR")
        let directory =
            set ?? (try? UserDirectories.runtime(environment, userRoot: userRoot))?.path
        return directory.map { "unix:path=" + escaped($0) + "/bus" }
    }

    /// A value of a bus address: all but a few characters as %XX (D-Bus specification, addresses).
    static func escaped(_ value: String) -> String {
        let plain = Set(
            "-_/.\\*0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        var escaped = ""
        for byte in value.utf8 {
            if plain.contains(byte) {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                escaped += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
            }
        }
        return escaped
    }
}

// MARK: - Messages

extension BusConnection {
    /// Asks for the messages that match; a bus that refuses the rule loses the connection.
    package func addMatch(_ rule: String) throws(SystemError) {
        var slot: OpaquePointer?
        // Here and below: `self` outlives the slot, because `close` drops the slots first.
        let result = unsafe sd_bus_add_match_async(
            bus, &slot, rule, messageCallback, nil, Unmanaged.passUnretained(self).toOpaque())
        try SystemError.checkBus(result, "adding a match rule")
        if let slot = unsafe slot { unsafe slots.append(slot) }
    }

    package func makeCall(
        to destination: String, path: String, interface: String, member: String
    ) throws(SystemError) -> OutgoingBusMessage {
        var message: OpaquePointer?
        try SystemError.checkBus(
            unsafe sd_bus_message_new_method_call(
                bus, &message, destination, path, interface, member),
            "making a call of \(member)")
        guard let message = unsafe message else {
            throw SystemError(doing: member, errno: Errno(code: ENOMEM))
        }
        return unsafe OutgoingBusMessage(taking: message)
    }

    /// Sends a call; `handler` gets the reply or the error, unless the connection closes first.
    ///
    /// sd-bus sets no time limit of its own: who waits decides how long.
    package func call(
        _ message: consuming OutgoingBusMessage, handler: @escaping Handler
    ) throws(SystemError) {
        dispatchPrecondition(condition: .onQueue(queue))
        var slot: OpaquePointer?
        let result = unsafe sd_bus_call_async(
            bus, &slot, message.pointer, replyCallback,
            Unmanaged.passUnretained(self).toOpaque(), UInt64.max)
        try SystemError.checkBus(result, "sending a call")
        var cookie: UInt64 = 0
        try SystemError.checkBus(
            unsafe sd_bus_message_get_cookie(message.pointer, &cookie), "numbering a call")
        if let slot = unsafe slot { unsafe calls[cookie] = (slot, handler) }
        watch()
    }

    /// Sends a message that nobody answers.
    package func send(_ message: consuming OutgoingBusMessage) throws(SystemError) {
        dispatchPrecondition(condition: .onQueue(queue))
        try SystemError.checkBus(unsafe sd_bus_send(bus, message.pointer, nil), "sending a message")
        watch()
    }

    fileprivate func received(_ message: borrowing IncomingBusMessage) {
        onMessage(message)
    }

    fileprivate func answered(_ message: borrowing IncomingBusMessage) {
        guard let cookie = message.replyCookie,
            let call = unsafe calls.removeValue(forKey: cookie)
        else { return }
        // sd-bus holds the slot itself while its callback runs.
        unsafe sd_bus_slot_unref(call.slot)
        unsafe call.handler(message)
    }
}

// MARK: - Events

extension BusConnection {
    private func process() {
        dispatchPrecondition(condition: .onQueue(queue))
        var result: Int32 = 1
        var handled = 0
        while result > 0, handled < Self.messagesPerTurn, unsafe bus != nil {
            result = unsafe sd_bus_process(bus, nil)
            handled += 1
        }
        guard unsafe bus != nil else { return }
        guard result >= 0 else {
            lose(SystemError(doing: "speaking to the session bus", errno: Errno(code: -result)))
            return
        }
        watch()
    }

    /// Makes source and timer fit what sd-bus waits for now.
    private func watch() {
        guard unsafe bus != nil else { return }
        let descriptor = unsafe sd_bus_get_fd(bus)
        let events = unsafe sd_bus_get_events(bus)
        var monotonicUsec: UInt64 = 0
        let timeout = unsafe sd_bus_get_timeout(bus, &monotonicUsec)
        guard descriptor >= 0, events >= 0, timeout >= 0 else {
            // Told from a clean stack: the caller may be in the middle of something.
            setTimer(monotonicUsec: 0)
            return
        }
        if descriptor != watchedDescriptor {
            // The first time, or because the next address of a list has another socket.
            guard makeSource(on: descriptor) else { return }
        }
        source?.interest = events & Int32(POLLOUT) != 0 ? [.reading, .writing] : .reading
        setTimer(monotonicUsec: monotonicUsec)
    }

    /// The source watches a duplicate, which stays open as long as the source; sd-bus closes its
    /// own descriptor whenever it likes.
    private func makeSource(on descriptor: Int32) -> Bool {
        cancelSource()
        do throws(Errno) {
            source = try DescriptorSource(
                FileDescriptor(duplicating: descriptor), .reading, on: loop
            ) { [weak self] in self?.process() }
            watchedDescriptor = descriptor
            return true
        } catch {
            queue.async { [self] in
                lose(SystemError(doing: "watching the session bus", errno: error))
            }
            return false
        }
    }

    private func setTimer(monotonicUsec: UInt64) {
        guard monotonicUsec != UInt64.max else {
            timer?.cancel()
            timer = nil
            return
        }
        let timer = self.timer ?? DispatchSource.makeTimerSource(queue: queue)
        if self.timer == nil {
            timer.setEventHandler { [weak self] in self?.process() }
            timer.resume()
            self.timer = timer
        }
        var now = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        let nowUsec = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
        let wait = monotonicUsec > nowUsec ? monotonicUsec - nowUsec : 0
        timer.schedule(deadline: .now() + .microseconds(Int(clamping: wait)))
    }

    private func lose(_ error: SystemError) {
        let report = onLost
        releaseAll()
        report(error)
    }

    private func cancelSource() {
        source?.cancel()
        source = nil
        watchedDescriptor = -1
    }

    private func releaseAll() {
        cancelSource()
        timer?.cancel()
        timer = nil
        unsafe slots.forEach { _ = unsafe sd_bus_slot_unref($0) }
        unsafe calls.values.forEach { _ = unsafe sd_bus_slot_unref($0.slot) }
        unsafe slots = []
        unsafe calls = [:]
        unsafe sd_bus_close_unref(bus)
        unsafe bus = nil
        onMessage = { _ in }
        onLost = { _ in }
    }
}

/// `userdata` is the connection, which is alive while its slots are. A C function pointer cannot
/// capture, hence the two global functions.
private func messageCallback(
    _ message: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message = unsafe message, let userdata = unsafe userdata else { return 0 }
    let connection = unsafe Unmanaged<BusConnection>.fromOpaque(userdata).takeUnretainedValue()
    unsafe connection.received(IncomingBusMessage(borrowing: message))
    return 0
}

private func replyCallback(
    _ message: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message = unsafe message, let userdata = unsafe userdata else { return 0 }
    let connection = unsafe Unmanaged<BusConnection>.fromOpaque(userdata).takeUnretainedValue()
    unsafe connection.answered(IncomingBusMessage(borrowing: message))
    return 0
}
