// Telling the service manager how we are: the protocol of sd_notify(3), one datagram a message.
// libsystemd's own sd_notify reads NOTIFY_SOCKET at every call, so the variable would have to stay
// in the environment that children inherit; we take it out once, keep the address, and send
// ourselves.

import CSystemd
import Glibc

/// The line to the service manager; without one, every message is a no-op.
///
/// A message that cannot be sent is reported once: only the manager misses it.
package final class ServiceNotifier {
    private let address: [UInt8]?
    private var pendingFailure: SystemError?
    private var hasFailed = false
    private var socket: FileDescriptor?

    /// How often the manager wants a ping, in microseconds; nil when it wants none from this
    /// process.
    package let watchdogMicroseconds: Int64?

    /// Takes NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID out of the environment. Call it at
    /// start, before any thread.
    package convenience init() {
        let address = Environment.process.nonEmpty("NOTIFY_SOCKET")
        Environment.remove("NOTIFY_SOCKET")
        var interval: UInt64 = 0
        // Positive only if WATCHDOG_PID is absent or our own; a malformed value is negative.
        let isWanted = unsafe sd_watchdog_enabled(1, &interval) > 0
        self.init(
            address: address, watchdogMicroseconds: isWanted ? Int64(clamping: interval) : nil)
    }

    /// `address` is a path or "@" and an abstract name.
    package init(address: String?, watchdogMicroseconds: Int64? = nil) {
        self.watchdogMicroseconds = watchdogMicroseconds
        guard let address else {
            self.address = nil
            return
        }
        do throws(Errno) {
            self.address = try Self.parse(address)
        } catch {
            self.address = nil
            pendingFailure = SystemError(doing: "using NOTIFY_SOCKET \"\(address)\"", errno: error)
        }
    }

    /// What to tell the manager.
    package enum Message: Equatable, Sendable {
        /// Started, with the status line of `systemctl status`.
        case ready(status: String)
        case status(String)
        case stopping
        /// The loop turns; due at least every half of `watchdogMicroseconds`.
        case watchdog

        var text: String {
            switch self {
            case .ready(let status): "READY=1\nSTATUS=\(Self.singleLine(status))"
            case .status(let status): "STATUS=\(Self.singleLine(status))"
            case .stopping: "STOPPING=1"
            case .watchdog: "WATCHDOG=1"
            }
        }

        /// A newline would start another assignment.
        private static func singleLine(_ text: String) -> String {
            String(text.map { $0.isNewline ? " " : $0 })
        }
    }

    /// Sends one message; the first failure of this notifier's life is returned to be logged, the
    /// later ones are not.
    package func send(_ message: Message) -> SystemError? {
        if let failure = pendingFailure {
            pendingFailure = nil
            return failure
        }
        guard let address else { return nil }
        do throws(Errno) {
            let socket = if let socket { socket } else { try Self.makeSocket() }
            self.socket = socket
            _ = try retryingInterrupted {
                unsafe withUnixAddress(bytes: address) { pointer, length in
                    let bytes = Array(message.text.utf8)
                    return unsafe sendto(
                        socket.rawValue, bytes, bytes.count, Int32(MSG_NOSIGNAL), pointer, length)
                }
            }
            return nil
        } catch {
            if hasFailed { return nil }
            hasFailed = true
            return SystemError(doing: "notifying the service manager", errno: error)
        }
    }

    private static func makeSocket() throws(Errno) -> FileDescriptor {
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = try FileDescriptor(
            owning: retryingInterrupted { Glibc.socket(AF_UNIX, type, 0) })
        // A manager that does not read must not hold the loop for ever.
        try socket.setSendTimeout(milliseconds: 1_000)
        return socket
    }

    /// The kernel's form of the address: a path with its NUL, or NUL and the abstract name.
    private static func parse(_ text: String) throws(Errno) -> [UInt8] {
        let bytes = Array(text.utf8)
        if bytes.count > UnixAddress.pathLimitBytes { throw Errno(code: ENAMETOOLONG) }
        switch bytes.first {
        case UInt8(ascii: "/"): return bytes + [0]
        case UInt8(ascii: "@") where bytes.count > 1: return [0] + bytes.dropFirst()
        // "vsock:..." and whatever else a newer manager may offer.
        default: throw Errno(code: EAFNOSUPPORT)
        }
    }
}
