// What can be wrong with a UNIX socket path, told so that a user can act on it.

/// Why a socket could not be bound or reached.
package enum SocketError: Error, Equatable, Sendable {
    /// The path does not fit into the kernel's address; it is never cut to fit.
    case pathTooLong(path: String, lengthBytes: Int)
    /// The path is empty or contains a NUL byte.
    case pathUnusable(path: String)
    /// A live server answers on the path.
    case alreadyServed(path: String)
    /// Something other than a socket is at the path; it is left alone.
    case notASocket(path: String)
    case directoryNotADirectory(path: String)
    case directoryOfAnotherUser(path: String, owner: UInt32, expected: UInt32)
    case directoryOpenToOthers(path: String, mode: UInt32)
    case system(SystemError)
}

extension SocketError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .pathTooLong(let path, let length):
            "socket path too long: \(path) has \(length) bytes, the limit is "
                + "\(UnixAddress.pathLimitBytes)"
        case .pathUnusable(let path):
            path.isEmpty ? "socket path is empty" : "socket path contains a NUL byte: \(path)"
        case .alreadyServed(let path):
            "another process is already serving \(path)"
        case .notASocket(let path):
            "\(path) exists and is not a socket; it is left untouched"
        case .directoryNotADirectory(let path):
            "\(path) is not a directory (a symbolic link is not followed)"
        case .directoryOfAnotherUser(let path, let owner, let expected):
            "directory \(path) belongs to user \(owner), not to user \(expected)"
        case .directoryOpenToOthers(let path, let mode):
            "directory \(path) has mode \(octal(mode)); it must be 0700"
        case .system(let error):
            error.description
        }
    }
}

/// `mode` as chmod(1) takes it: "0755".
func octal(_ mode: UInt32) -> String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
