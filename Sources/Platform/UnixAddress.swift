// A checked UNIX socket path. The kernel's address holds 108 bytes; we leave one for the closing
// NUL, and refuse what does not fit, since a truncated path would be a different socket.

import Glibc

/// A UNIX socket path that fits into the kernel's address structure.
package struct UnixAddress: Equatable, Sendable {
    /// sizeof(sun_path) - 1, see unix(7).
    package static let pathLimitBytes = 107

    package let path: String

    /// Throws `pathTooLong` or `pathUnusable`. The length counts bytes of UTF-8, not characters.
    package init(path: String) throws(SocketError) {
        let length = path.utf8.count
        if length == 0 || path.utf8.contains(0) { throw .pathUnusable(path: path) }
        if length > Self.pathLimitBytes {
            throw .pathTooLong(path: path, lengthBytes: length)
        }
        self.path = path
    }

    /// The part before the last slash: "." for a bare name, "/" for a file in the root.
    package var directory: String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Calls `body` with the address as bind, connect and sendto want it.
    func withSocketAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        unsafe withUnixAddress(bytes: Array(path.utf8) + [0], body)
    }
}

/// Builds a `sockaddr_un` whose path is exactly `bytes`: a path with its NUL, or an abstract name
/// with its NUL in front.
func withUnixAddress<Result>(
    bytes: [UInt8], _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    precondition(bytes.count <= UnixAddress.pathLimitBytes + 1, "the address is checked before")
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let length = MemoryLayout<sa_family_t>.size + bytes.count
    return unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe body($0, socklen_t(length))
        }
    }
}
