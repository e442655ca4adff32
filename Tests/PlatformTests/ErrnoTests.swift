// Errors as the user reads them, and files as bytes.

import Foundation
import Platform
import Testing

struct ErrnoTests {
    @Test func `an error says what we were doing and why it failed`() {
        let error = SystemError(doing: "binding /run/x", errno: .accessDenied)
        #expect("\(error)" == "binding /run/x: Permission denied")
        #expect("\(Errno(code: 12_345))" == "Unknown error 12345")
    }

    @Test func `a file is read to its end or refused by size`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("file")
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        try FileDescriptor.open(path, O_CREAT | O_WRONLY).writeAll(bytes)
        #expect(try FileDescriptor.open(path, O_RDONLY).readToEnd(limitBytes: 200_000) == bytes)
        #expect(throws: Errno(code: EFBIG)) {
            try FileDescriptor.open(path, O_RDONLY).readToEnd(limitBytes: 199_999)
        }
        #expect(throws: Errno.notFound) {
            try FileDescriptor.open(directory.file("missing"), O_RDONLY)
        }
    }

    @Test func `an interrupted call is made again`() async {
        await #expect(processExitsWith: .exitCode(expectedExit)) {
            let pipe = try FileDescriptor.pipe()
            let thread = try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/thread-self")
            interrupt(thread: pthread_self(), state: "/proc/\(thread)/stat") {
                try? pipe.writing.writeAll([9])
            }
            leave(try pipe.reading.read(limitBytes: 1) == .bytes([9]))
        }
    }
}

/// Interrupts a blocking call of `thread` twenty times, then calls `body`, all on another thread.
private func interrupt(
    thread: pthread_t, state: String, then body: @escaping @Sendable () -> Void
) {
    // A handler without SA_RESTART makes a blocked call return EINTR.
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in }
    unsafe sigaction(SIGUSR1, &action, nil)
    Thread {
        for _ in 0..<20 {
            // "PID (name) S ...": asleep, which is in the call.
            while (try? String(contentsOfFile: state, encoding: .utf8))?.contains(") S ") != true {
                sched_yield()
            }
            pthread_kill(thread, SIGUSR1)
        }
        body()
    }.start()
}
