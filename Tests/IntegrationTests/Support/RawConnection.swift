// A Varlink client made of bytes: it shares no code with schedd's own, and can send what that one
// never would.

import Glibc
import Platform

final class RawConnection {
    private let socket: FileDescriptor
    private var buffer: [UInt8] = []
    /// Where in `buffer` the search for the next NUL goes on.
    private var searched = 0

    init(_ path: String) throws {
        socket = try UnixConnection.open(path: path)
    }

    /// Sends all bytes; throws EPIPE or ECONNRESET when the other side has gone.
    func send(_ bytes: [UInt8], _ deadline: Deadline = .usual) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try socket.send(rest)
            rest = rest.dropFirst(count)
            if count == 0, !deadline.waits(for: socket, events: POLLOUT) { throw TestError.timeout }
        }
    }

    /// Sends what schedd may refuse to take to the end; false when it has gone before.
    func sendIgnoringHangUp(_ bytes: [UInt8]) throws -> Bool {
        do {
            try send(bytes)
            return true
        } catch let error as Errno {
            if error == .brokenPipe || error == .connectionReset { return false }
            throw error
        }
    }

    /// One message: the text and its NUL.
    func send(message text: String) throws { try send(Self.frame(text)) }

    static func frame(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

    /// The text of a call.
    static func call(
        _ method: String, _ parameters: [String: Any] = [:], more: Bool = false
    ) throws -> String {
        var call: [String: Any] = ["method": method, "parameters": parameters]
        if more { call["more"] = true }
        return try JSON.text(call)
    }

    /// The next message; nil when the other side closed, or nothing came before the deadline.
    func receive(_ deadline: Deadline = .usual) throws -> JSON? {
        try receiveBytes(deadline).map { try JSON(parsing: $0) }
    }

    func receiveBytes(_ deadline: Deadline = .usual) throws -> [UInt8]? {
        while true {
            if let end = buffer[searched...].firstIndex(of: 0) {
                defer {
                    buffer.removeSubrange(...end)
                    searched = 0
                }
                return Array(buffer[..<end])
            }
            searched = buffer.count
            guard try fill(deadline) else { return nil }
        }
    }

    /// Sends a call and receives its one reply.
    func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> JSON {
        try send(message: Self.call(method, parameters))
        guard let reply = try receive() else { throw TestError.closed }
        return reply
    }

    /// Whether the other side closes, after whatever it still sends, in time.
    func isClosed(_ deadline: Deadline = .usual) throws -> Bool {
        while !deadline.isPast {
            if try !fill(deadline) { return !deadline.isPast }
        }
        return false
    }

    /// Whether nothing at all arrives for a while; the one wait that has to take its time.
    func isSilent(seconds: Double) throws -> Bool {
        try buffer.isEmpty && !fill(.after(seconds: seconds)) && !hasEnded
    }

    private var hasEnded = false

    private func fill(_ deadline: Deadline) throws -> Bool {
        guard !hasEnded, deadline.waits(for: socket) else { return false }
        do {
            switch try socket.read(limitBytes: 65_536) {
            case .bytes(let bytes): buffer += bytes
            case .endOfStream: hasEnded = true
            case .wouldBlock: break
            }
        } catch .connectionReset {
            hasEnded = true
        }
        return !hasEnded
    }

    /// Says that no more comes, and goes on reading.
    func finishSending() throws { try socket.shutDown(SHUT_WR) }
}

/// Why a test could not go on.
enum TestError: Error {
    case timeout
    case closed
    case missing(String)
    case failed(String)
}
