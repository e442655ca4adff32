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

/// Leaves an exit test's process with a code that nothing else uses, so that a crash before cannot
/// look like success.
func leave(_ isAsExpected: Bool) -> Never {
    exit(isAsExpected ? expectedExit : 1)
}

let expectedExit: Int32 = 42
