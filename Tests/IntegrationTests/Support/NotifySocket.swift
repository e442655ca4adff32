// The service manager's end of NOTIFY_SOCKET: a datagram socket that keeps what it was told.

import Glibc
import Platform

final class NotifySocket {
    private let socket: FileDescriptor
    /// As NOTIFY_SOCKET has it.
    let address: String
    /// Every datagram so far.
    private(set) var messages: [String] = []

    /// `address` is a path, or "@" and an abstract name.
    init(_ address: String) throws {
        self.address = address
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        socket = FileDescriptor(owning: Glibc.socket(AF_UNIX, type, 0))
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(address.utf8)
        if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 } else { bytes.append(0) }
        unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let status = unsafe withUnsafePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(socket.rawValue, $0, length)
            }
        }
        if status != 0 { throw Errno(code: errno) }
    }

    /// The next datagram; descriptors that came with it are closed by the kernel.
    func next(_ deadline: Deadline = .usual) throws -> String? {
        while deadline.waits(for: socket) {
            guard case .bytes(let bytes) = try socket.read(limitBytes: 65_536) else { continue }
            let message = String(decoding: bytes, as: UTF8.self)
            messages.append(message)
            return message
        }
        return nil
    }

    /// Reads on until a datagram has a line that starts so; the datagram.
    @discardableResult
    func wait(for prefix: String, _ deadline: Deadline = .usual) throws -> String {
        while let message = try next(deadline) {
            if message.split(separator: "\n").contains(where: { $0.hasPrefix(prefix) }) {
                return message
            }
        }
        throw TestError.missing("\(prefix) from schedd, which sent \(messages)")
    }
}
