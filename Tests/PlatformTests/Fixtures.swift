// What the tests of this target share: a directory of their own, and events to wait for instead of
// sleeping.

import Foundation
import Platform
import Testing

/// A directory of mode 0700 with a short path, removed at the end.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/sp-XXXXXX".utf8CString)
        let made = unsafe try #require(mkdtemp(&template))
        path = unsafe String(cString: made)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// A socket path in this directory of exactly `lengthBytes`, ending in `suffix`.
    func socketPath(lengthBytes: Int, suffix: String = "") -> String {
        let start = "\(path)/"
        let count = lengthBytes - start.utf8.count - suffix.utf8.count
        return start + String(repeating: "s", count: count) + suffix
    }
}

/// Counts calls from any thread; `next()` waits for one more.
struct Events {
    private let continuation: AsyncStream<Void>.Continuation
    private var iterator: AsyncStream<Void>.AsyncIterator

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        self.continuation = continuation
        iterator = stream.makeAsyncIterator()
    }

    /// To be given to a source.
    var handler: @Sendable () -> Void {
        let continuation = continuation
        return { continuation.yield() }
    }

    mutating func next() async {
        await iterator.next(isolation: #isolation)
    }
}

/// What calls a handler on a loop's queue.
enum Cause: CaseIterable, Sendable {
    case descriptor, timer

    /// Calls `handler` once, soon, for as long as the answer is held.
    func call(on loop: EventLoop, _ handler: @escaping @Sendable () -> Void) throws -> any Sendable
    {
        switch self {
        case .descriptor:
            let (ours, theirs) = try UnixConnection.pair()
            let source = try DescriptorSource(ours, .reading, on: loop) {
                if (try? ours.read(limitBytes: 1)) == .bytes([1]) { handler() }
            }
            _ = try theirs.send([1])
            return (source, theirs)
        case .timer:
            let timer = TimerSource(on: loop, handler: handler)
            timer.arm(at: 0)
            return timer
        }
    }
}

/// Leaves an exit test's process with a code that nothing else uses, so that a crash before cannot
/// look like success.
func leave(_ isAsExpected: Bool) -> Never {
    exit(isAsExpected ? expectedExit : 1)
}

let expectedExit: Int32 = 42

/// Sets a variable of this process, or removes it. Only for exit tests.
func setEnvironment(_ name: String, _ value: String?) {
    if let value {
        unsafe setenv(name, value, 1)
    } else {
        unsafe unsetenv(name)
    }
}

/// bind(2) to the bytes of a path with its NUL, or of an abstract name with its NUL in front.
func bindUnix(_ descriptor: FileDescriptor, to bytes: [UInt8]) throws {
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let result = unsafe withUnsafePointer(to: &name) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe bind(descriptor.rawValue, $0, socklen_t(2 + bytes.count))
        }
    }
    try #require(result == 0)
}

/// The file of a socket on which nobody listens, as a killed process leaves it.
///
/// It never listened: a listener that we close is still held for a moment by any process that
/// another test is starting just then.
func leaveStaleSocket(at path: String) throws {
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = FileDescriptor(owning: socket(AF_UNIX, Int32(type), 0))
    try bindUnix(descriptor, to: Array(path.utf8) + [0])
}
