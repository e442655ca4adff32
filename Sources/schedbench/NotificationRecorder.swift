// A message bus with nothing on it but a notification server, both played by this one object at the
// other end of schedd's own socket: it notes when a Notify call arrives, with no bus daemon between
// that would add its time.
// Unsafe: libsystemd hands out its objects and messages as pointers; the thread that runs the bus
// makes them and lets go of them.

import CSystemd
import Foundation
import Platform
import Service
import Synchronization

/// The bus listens until this object goes.
final class NotificationRecorder {
    struct NotifyCall: Sendable {
        let title: String
        /// Microseconds of the wall clock.
        let at: Int64
    }

    let address: String
    private let listener: UnixListener
    private let recorded = Recorded()

    init() throws {
        let path = "/tmp/schedbench-\(getpid())/bus"
        address = "unix:path=\(path)"
        listener = try UnixListener(binding: path)
        let (descriptor, recorded) = (listener.descriptor, recorded)
        Thread.detachNewThread { recorded.serve(descriptor) }
    }

    deinit {
        recorded.isOver.withLock { $0 = true }
        try? listener.unlink()
    }

    var calls: [NotifyCall] { recorded.calls.withLock { $0 } }
}

/// What the thread of the bus and its owner share.
private final class Recorded: Sendable {
    let calls = Mutex<[NotificationRecorder.NotifyCall]>([])
    let isOver = Mutex(false)

    /// Takes one client after the other.
    func serve(_ listener: FileDescriptor) {
        while !isOver.withLock(\.self) {
            guard (try? listener.wait(for: .reading, timeoutMilliseconds: 100)) == true,
                let client = acceptOne(listener), let bus = unsafe Self.makeBus(client)
            else { continue }
            var arrival = Clock.wallMicroseconds()
            while !isOver.withLock(\.self), unsafe serve(bus, &arrival) {}
            unsafe sd_bus_close_unref(bus)
        }
    }

    private func acceptOne(_ listener: FileDescriptor) -> Int32? {
        let client = Glibc.accept(listener.rawValue, nil, nil)
        return client < 0 ? nil : client
    }

    /// The server's side of a connection, which owns the descriptor.
    private static func makeBus(_ client: Int32) -> OpaquePointer? {
        var made: OpaquePointer?
        var identity = sd_id128_t()
        guard unsafe sd_bus_new(&made) >= 0, let bus = unsafe made else { return nil }
        unsafe sd_id128_randomize(&identity)
        guard unsafe sd_bus_set_fd(bus, client, client) >= 0,
            unsafe sd_bus_set_server(bus, 1, identity) >= 0, unsafe sd_bus_start(bus) >= 0
        else { return nil }
        return unsafe bus
    }

    /// One message, or a wait for one; false when the client has gone. `arrival` is when the last
    /// wait ended: what the messages after it say has come by then.
    private func serve(_ bus: OpaquePointer, _ arrival: inout Int64) -> Bool {
        var received: OpaquePointer?
        let result = unsafe sd_bus_process(bus, &received)
        if result < 0 { return false }
        if result == 0 {
            let isWell = unsafe sd_bus_wait(bus, 100_000) >= 0
            arrival = Clock.wallMicroseconds()
            return isWell
        }
        if let message = unsafe received {
            unsafe answer(message, at: arrival)
            unsafe sd_bus_message_unref(message)
        }
        return true
    }

    private func answer(_ pointer: OpaquePointer, at now: Int64) {
        let message = unsafe IncomingBusMessage(borrowing: pointer)
        var made: OpaquePointer?
        guard unsafe sd_bus_message_new_method_return(pointer, &made) >= 0,
            let made = unsafe made
        else { return }
        let reply = unsafe OutgoingBusMessage(taking: made)
        do {
            switch message.member {
            case "Hello": try reply.append(":1.1")
            case "GetNameOwner": try reply.append(":1.0")
            case "GetCapabilities": try reply.append(["body", "actions"])
            case "Notify":
                _ = (message.readString(), message.readUInt32(), message.readString())
                let title = message.readString() ?? ""
                let number = calls.withLock { calls in
                    calls.append(.init(title: title, at: now))
                    return UInt32(calls.count)
                }
                try reply.append(number)
            default:
                // AddMatch wants an empty answer, and nothing else is asked that matters.
                break
            }
            unsafe sd_bus_send(nil, reply.pointer, nil)
        } catch {
            // No memory: the client hears nothing, and the benchmark says that a call is missing.
        }
    }
}
