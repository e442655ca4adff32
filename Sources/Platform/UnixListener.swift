// Our own listening socket: mode 0600 from birth in a directory of mode 0700. Under a lock on that
// directory a socket left by a dead process is told from a live one by connecting to it, so that
// neither of two daemons starting at once can take the other's socket away.

import CLinux
import Glibc

/// A listening, non-blocking UNIX stream socket.
package struct UnixListener: Sendable {
    package let descriptor: FileDescriptor
    /// What was bound, absent for a socket that systemd passed to us and keeps.
    private let bound: BoundPath?

    private struct BoundPath: Sendable {
        let path: String
        let device: dev_t
        let inode: ino_t
    }

    /// Takes a socket that is bound and listening already.
    package init(passed descriptor: FileDescriptor) throws(SystemError) {
        try describing("setting up the passed socket") { () throws(Errno) in
            try descriptor.setNonBlocking()
        }
        self.descriptor = descriptor
        bound = nil
    }

    /// Binds `path` and listens, creating the directory 0700 when missing.
    ///
    /// A socket on which nobody listens any more is replaced; a live one is `alreadyServed`.
    package init(binding path: String) throws(SocketError) {
        let address = try UnixAddress(path: path)
        let directory = try PrivateDirectory(creating: address.directory)
        try directory.lock()
        try Self.removeStaleSocket(at: address)
        let socket: FileDescriptor
        let status: stat
        do throws(Errno) {
            socket = try makeStreamSocket(nonBlocking: true)
            // The file that bind makes takes its mode from the socket's own: 0600 from birth.
            _ = try retryingInterrupted { fchmod(socket.rawValue, 0o600) }
            _ = try retryingInterrupted {
                unsafe address.withSocketAddress { unsafe bind(socket.rawValue, $0, $1) }
            }
            _ = try retryingInterrupted { listen(socket.rawValue, SOMAXCONN) }
            status = try pathStatus(path)
        } catch {
            throw .system(SystemError(doing: "listening on \(path)", errno: error))
        }
        descriptor = socket
        bound = BoundPath(path: path, device: status.st_dev, inode: status.st_ino)
        withExtendedLifetime(directory) {}
    }

    /// The next waiting connection, non-blocking, or nil when there is none now.
    ///
    /// `tooManyOpenFiles` leaves the connection waiting; the caller must not spin on it.
    package func accept() throws(Errno) -> FileDescriptor? {
        let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        while true {
            do throws(Errno) {
                return try FileDescriptor(
                    owning: retryingInterrupted {
                        accept4(descriptor.rawValue, nil, nil, flags)
                    })
            } catch {
                if error == .wouldBlock { return nil }
                // The peer gave up while it waited; the next one may be fine.
                if error.code != ECONNABORTED { throw error }
            }
        }
    }

    /// Removes the socket file that this listener made, if it is still there and still ours.
    package func unlink() throws(SystemError) {
        guard let bound else { return }
        guard let status = try? pathStatus(bound.path),
            status.st_dev == bound.device, status.st_ino == bound.inode
        else { return }
        try describing("removing \(bound.path)") { () throws(Errno) in
            _ = try retryingInterrupted { unsafe Glibc.unlink(bound.path) }
        }
    }

    private static func removeStaleSocket(at address: UnixAddress) throws(SocketError) {
        let path = address.path
        do throws(Errno) {
            let status = try pathStatus(path)
            if status.st_mode & S_IFMT != S_IFSOCK { throw Errno(code: ENOTSOCK) }
            _ = try connectStream(to: address, nonBlocking: true)
            throw .addressInUse
        } catch {
            switch error {
            case .notFound: return
            case Errno(code: ENOTSOCK): throw .notASocket(path: path)
            // EAGAIN is a live server whose queue is full.
            case .addressInUse, .wouldBlock: throw .alreadyServed(path: path)
            case .connectionRefused: break
            default: throw .system(SystemError(doing: "probing \(path)", errno: error))
            }
        }
        do throws(Errno) {
            _ = try retryingInterrupted { unsafe Glibc.unlink(path) }
        } catch {
            throw .system(SystemError(doing: "removing stale socket \(path)", errno: error))
        }
    }
}

/// lstat(2): the file itself, not what a symbolic link points to.
func pathStatus(_ path: String) throws(Errno) -> stat {
    var status = stat()
    _ = try retryingInterrupted { unsafe lstat(path, &status) }
    return status
}
