// The socket that systemd opened for us (sd_listen_fds(3)). Anything but exactly one listening UNIX
// stream socket is a mistake in a unit file, and told as such, since to bind our own socket instead
// would leave clients at a socket that nobody serves.

import CSystemd
import Glibc

/// Why the passed descriptors cannot be used.
package enum ListenError: Error, Equatable, Sendable {
    /// LISTEN_FDS or LISTEN_PID is not a number.
    case malformed(variable: String, value: String)
    case tooMany(count: Int)
    /// The one descriptor is not a socket, or not of the UNIX stream kind.
    case notUnixStream
    /// It is a connected or unbound socket.
    case notListening
    case system(SystemError)
}

extension ListenError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed(let variable, let value):
            "\(variable) is not a number: \"\(value)\""
        case .tooMany(let count):
            "\(count) sockets were passed (LISTEN_FDS), schedd serves exactly one"
        case .notUnixStream:
            "the passed descriptor is not a UNIX stream socket; use ListenStream= with a path"
        case .notListening:
            "the passed socket is not listening; use Accept=no"
        case .system(let error):
            error.description
        }
    }
}

/// Socket activation.
package enum ListenFileDescriptors {
    /// The listener that was passed to this process, nil when there is none.
    ///
    /// Takes the LISTEN_ variables out of the environment and sets close-on-exec, also when it
    /// throws. Call it once, at start, before any thread.
    package static func adopt() throws(ListenError) -> UnixListener? {
        let variables = ["LISTEN_FDS", "LISTEN_PID"].map { ($0, Environment.process[$0]) }
        let count = sd_listen_fds(1)
        // libsystemd 252 knows only LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES.
        Environment.remove("LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "LISTEN_PIDFDID")
        guard count >= 0 else {
            // libsystemd 252 calls this malformed too; "0 sockets" means what it says.
            if variables[0].1 == "0" { return nil }
            for case (let variable, let value?) in variables where Int32(value) == nil {
                throw .malformed(variable: variable, value: value)
            }
            throw .system(SystemError(doing: "taking passed sockets", errno: Errno(code: -count)))
        }
        return try listener(
            from: (0..<count).map { FileDescriptor(owning: SD_LISTEN_FDS_START + $0) })
    }

    /// The listener that the descriptors are, nil when there are none.
    package static func listener(
        from passed: [FileDescriptor]
    ) throws(ListenError) -> UnixListener? {
        guard let descriptor = passed.first else { return nil }
        guard passed.count == 1 else { throw .tooMany(count: passed.count) }
        try check(descriptor)
        do throws(SystemError) {
            return try UnixListener(passed: descriptor)
        } catch {
            throw .system(error)
        }
    }

    private static func check(_ descriptor: FileDescriptor) throws(ListenError) {
        var domain: Int32 = -1
        var type: Int32 = -1
        var isListening: Int32 = 0
        do throws(Errno) {
            try descriptor.option(SO_DOMAIN, into: &domain)
            try descriptor.option(SO_TYPE, into: &type)
            try descriptor.option(SO_ACCEPTCONN, into: &isListening)
        } catch {
            if error.code == ENOTSOCK { throw .notUnixStream }
            throw .system(SystemError(doing: "inspecting the passed socket", errno: error))
        }
        guard domain == AF_UNIX, type == Int32(SOCK_STREAM.rawValue) else { throw .notUnixStream }
        guard isListening != 0 else { throw .notListening }
    }
}
