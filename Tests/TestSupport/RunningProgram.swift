// A program that runs beside a test: a bus, a desktop. Foundation's Process will not do for one
// that has to be killed: its child inherits the signal mask of a Dispatch thread, which blocks
// SIGTERM, and whatever descriptors another thread was just opening, so that the end of a pipe may
// never be seen.

import Dispatch
package import Glibc
import Synchronization

/// A child with its own process group, clean signals, and no descriptor but the standard three.
///
/// It ends with this object at the latest; a script that waits for the end of its input ends with
/// the test program too, however that ends.
package final class RunningProgram: Sendable {
    /// What it writes, as it comes.
    package let output = EventLog<String>()
    package let processID: pid_t
    private let input: Int32
    /// Signalled when nobody has the output open any more: the child and all its children are gone.
    private let hasEnded = DispatchSemaphore(value: 0)
    private let isStopped = Mutex(false)

    package struct Failure: Error {
        package let path: String
        package let errno: Int32
    }

    /// - Parameter path: absolute; `arguments` without the program's own name.
    package init(
        _ path: String, _ arguments: [String], environment: [String: String]
    ) throws {
        var inputEnds: [Int32] = [-1, -1]
        var outputEnds: [Int32] = [-1, -1]
        // Pairs of sockets, because they can be close-on-exec from birth.
        let type = Int32(SOCK_STREAM.rawValue) | O_CLOEXEC
        guard unsafe socketpair(AF_UNIX, type, 0, &inputEnds) == 0,
            unsafe socketpair(AF_UNIX, type, 0, &outputEnds) == 0
        else { throw Failure(path: path, errno: errno) }
        defer {
            close(inputEnds[0])
            close(outputEnds[1])
        }
        input = inputEnds[1]
        let reading = outputEnds[0]
        processID = try Self.spawn(
            path, arguments, environment, input: inputEnds[0], output: outputEnds[1])
        let reader = DispatchSource.makeReadSource(
            fileDescriptor: reading, queue: DispatchQueue(label: "output of \(path)"))
        reader.setEventHandler { [output, hasEnded] in
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = unsafe read(reading, &buffer, buffer.count)
            guard count > 0 else {
                // The handler holds the source until here.
                reader.cancel()
                hasEnded.signal()
                return
            }
            output.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
        reader.setCancelHandler { close(reading) }
        reader.resume()
    }

    deinit { stop() }

    /// Ends its input and waits until it and all its children are gone; kills them after 10 s.
    package func stop() {
        end { hasEnded.wait(timeout: .now() + .seconds(10)) == .success }
    }

    /// Kills it and its children at once, as a crash would.
    package func kill() {
        end { false }
    }

    private func end(_ isGone: () -> Bool) {
        let wasStopped = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return isStopped
        }
        guard !wasStopped else { return }
        close(input)
        if !isGone() {
            Glibc.kill(-processID, SIGKILL)
        }
        _ = waitpid(processID, nil, 0)
    }

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String: String], input: Int32,
        output: Int32
    ) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 2)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
        defer {
            unsafe (words + variables).forEach { unsafe free($0) }
        }
        var processID: pid_t = 0
        let result = unsafe posix_spawn(
            &processID, path, &actions, &attributes, &words, &variables)
        guard result == 0 else { throw Failure(path: path, errno: result) }
        return processID
    }
}
