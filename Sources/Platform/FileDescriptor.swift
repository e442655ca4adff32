// An open file that is closed exactly once: when the last reference goes. Event sources hold a
// reference until they have ended, so that a number is never closed, and given to another file,
// while something still watches it. Every descriptor is close-on-exec from birth.

import CLinux
package import Glibc

/// Owns one open file descriptor. Reading and writing never block when it is non-blocking.
package final class FileDescriptor: Sendable {
    /// The number, valid as long as this object lives.
    package let rawValue: Int32

    /// Takes over `rawValue`: nobody else may close it from here on.
    package init(owning rawValue: Int32) {
        precondition(rawValue >= 0, "not a file descriptor: \(rawValue)")
        self.rawValue = rawValue
    }

    /// A second descriptor for an open file that somebody else owns, such as libsystemd's.
    package convenience init(duplicating rawValue: Int32) throws(Errno) {
        try self.init(
            owning: retryingInterrupted { fcntl(rawValue, F_DUPFD_CLOEXEC, 0 as Int32) })
    }

    deinit {
        // Linux releases the number whatever close(2) answers; a second try could hit another file.
        _ = Glibc.close(rawValue)
    }

    /// open(2), with O_CLOEXEC added.
    package static func open(
        _ path: String, _ flags: Int32, mode: mode_t = 0o600
    ) throws(Errno) -> FileDescriptor {
        try FileDescriptor(
            owning: retryingInterrupted { unsafe Glibc.open(path, flags | O_CLOEXEC, mode) })
    }

    /// pipe2(2), blocking unless the caller changes it.
    package static func pipe() throws(Errno) -> (
        reading: FileDescriptor, writing: FileDescriptor
    ) {
        var ends: [Int32] = [-1, -1]
        _ = try retryingInterrupted { unsafe pipe2(&ends, O_CLOEXEC) }
        return (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
    }

    /// fstat(2).
    package func status() throws(Errno) -> stat {
        try Self.status(of: rawValue)
    }

    /// fstat(2) of a descriptor that somebody else owns.
    static func status(of rawValue: Int32) throws(Errno) -> stat {
        var status = stat()
        _ = try retryingInterrupted { unsafe fstat(rawValue, &status) }
        return status
    }

    /// Whether read and write answer "would block" instead of waiting.
    package func setNonBlocking(_ isNonBlocking: Bool = true) throws(Errno) {
        let flags = try retryingInterrupted { fcntl(rawValue, F_GETFL) }
        let wanted = isNonBlocking ? flags | O_NONBLOCK : flags & ~O_NONBLOCK
        if wanted == flags { return }
        _ = try retryingInterrupted { fcntl(rawValue, F_SETFL, wanted) }
    }

    /// Whether the file is a terminal.
    package var isTerminal: Bool { isatty(rawValue) == 1 }
}
