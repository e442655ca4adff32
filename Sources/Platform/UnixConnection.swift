// The connecting side of a UNIX stream socket, and who is at the other end.

import CLinux
import Glibc

/// Who connected, as the kernel noted it at connect(2); see unix(7), SO_PEERCRED.
package struct PeerCredentials: Equatable, Sendable {
    package let processID: Int32
    package let userID: UInt32
    package let groupID: UInt32

    package init(processID: Int32, userID: UInt32, groupID: UInt32) {
        self.processID = processID
        self.userID = userID
        self.groupID = groupID
    }
}

/// Client connections to a UNIX stream socket.
package enum UnixConnection {
    /// A connected socket; it waits at most `timeoutMilliseconds` for room in the server's queue.
    ///
    /// Fails with `system`: ENOENT when there is no socket, ECONNREFUSED when nobody listens,
    /// EAGAIN when the server did not take the connection in time.
    package static func open(
        path: String, nonBlocking: Bool = true, timeoutMilliseconds: Int32 = 5_000
    ) throws(SocketError) -> FileDescriptor {
        let address = try UnixAddress(path: path)
        do throws(Errno) {
            let socket = try connectStream(
                to: address, nonBlocking: false, timeoutMilliseconds: timeoutMilliseconds)
            if nonBlocking { try socket.setNonBlocking() }
            return socket
        } catch {
            throw .system(SystemError(doing: "connecting to \(path)", errno: error))
        }
    }

    /// Two connected non-blocking sockets, for tests and for talking within the process.
    package static func pair() throws(Errno) -> (FileDescriptor, FileDescriptor) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(
            SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        _ = try retryingInterrupted { unsafe socketpair(AF_UNIX, type, 0, &ends) }
        return (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
    }
}

extension FileDescriptor {
    /// SO_PEERCRED of a connected UNIX stream socket.
    package func peerCredentials() throws(Errno) -> PeerCredentials {
        var credentials = peer_credentials()
        try option(SO_PEERCRED, into: &credentials)
        return PeerCredentials(
            processID: credentials.pid, userID: credentials.uid, groupID: credentials.gid)
    }

    /// shutdown(2): `SHUT_WR` tells the peer that no more comes, `SHUT_RDWR` ends both ways at
    /// once, also when other references keep the descriptor open.
    package func shutDown(_ how: Int = SHUT_RDWR) throws(Errno) {
        _ = try retryingInterrupted { shutdown(rawValue, Int32(how)) }
    }

    /// getsockopt(2) at SOL_SOCKET into a fixed-size value.
    func option<Value: BitwiseCopyable>(
        _ name: Int32, into value: inout Value
    ) throws(Errno) {
        var length = socklen_t(MemoryLayout<Value>.size)
        _ = try retryingInterrupted {
            unsafe getsockopt(rawValue, SOL_SOCKET, name, &value, &length)
        }
    }
}

/// socket(2) for a UNIX stream, close-on-exec from birth.
func makeStreamSocket(nonBlocking: Bool) throws(Errno) -> FileDescriptor {
    let mode = nonBlocking ? SOCK_NONBLOCK.rawValue : 0
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | mode)
    return try FileDescriptor(owning: retryingInterrupted { socket(AF_UNIX, type, 0) })
}

/// connect(2). With a timeout the wait for a full queue is bounded (SO_SNDTIMEO) and ends in
/// EAGAIN.
func connectStream(
    to address: UnixAddress, nonBlocking: Bool, timeoutMilliseconds: Int32? = nil
) throws(Errno) -> FileDescriptor {
    let socket = try makeStreamSocket(nonBlocking: nonBlocking)
    if let timeoutMilliseconds { try socket.setSendTimeout(milliseconds: timeoutMilliseconds) }
    _ = try retryingInterrupted {
        unsafe address.withSocketAddress { unsafe connect(socket.rawValue, $0, $1) }
    }
    return socket
}

extension FileDescriptor {
    /// SO_SNDTIMEO: how long a blocking connect or send may wait; 0 is for ever.
    func setSendTimeout(milliseconds: Int32) throws(Errno) {
        var time = timeval(
            tv_sec: Int(milliseconds / 1_000), tv_usec: Int(milliseconds % 1_000) * 1_000)
        let length = socklen_t(MemoryLayout<timeval>.size)
        _ = try retryingInterrupted {
            unsafe setsockopt(rawValue, SOL_SOCKET, SO_SNDTIMEO, &time, length)
        }
    }
}
