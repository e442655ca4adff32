// A program that a test runs: its input and output over pipes, its errors in a file, and an end
// that the test can wait for. TestBed ends what a test leaves running.

import Foundation
import Glibc
import Platform

/// What a finished program left.
struct Output: CustomStringConvertible {
    let status: Int32
    let text: String
    let errors: String

    var description: String { "status \(status)\n--- stdout\n\(text)--- stderr\n\(errors)" }
    var lines: [String] { text.split(separator: "\n").map(String.init) }
}

/// Started by posix_spawn(3): Foundation's Process takes a program for running as long as a
/// descendant lives, and we start daemons.
final class ChildProcess {
    let identifier: Int32
    private let input: FileDescriptor
    private let output: FileDescriptor
    private let errorPath: String
    private var buffer: [UInt8] = []
    private var reachedEnd = false
    /// As waitpid(2) gave it, when it has ended.
    private var waitStatus: Int32?

    /// Starts `program`, an absolute path, with exactly this environment.
    init(
        _ program: String, _ arguments: [String], environment: [String: String],
        folder: String, errorPath: String
    ) throws {
        let (outputEnd, outputPipe) = try FileDescriptor.pipe()
        // A socket, since a write to a pipe whose reader has gone would be a SIGPIPE to us.
        let (inputPipe, inputEnd) = try UnixConnection.pair()
        try inputPipe.setNonBlocking(false)
        try outputEnd.setNonBlocking()
        let errors = try FileDescriptor.open(errorPath, O_WRONLY | O_CREAT | O_APPEND)
        output = outputEnd
        input = inputEnd
        self.errorPath = errorPath
        identifier = try Self.spawn(
            ["/usr/bin/env", "-C", folder, program] + arguments,
            environment: environment.map { "\($0)=\($1)" },
            streams: [inputPipe, outputPipe, errors])
    }

    private static func spawn(
        _ arguments: [String], environment: [String], streams: [FileDescriptor]
    ) throws -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in streams.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, stream.rawValue, Int32(number))
        }
        // The threads that run tests block signals and may ignore them; a program starts fresh.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

        let words = unsafe copies(of: arguments)
        let variables = unsafe copies(of: environment)
        defer {
            unsafe words.forEach { unsafe free($0) }
            unsafe variables.forEach { unsafe free($0) }
        }
        var identifier: Int32 = 0
        let error = unsafe posix_spawn(
            &identifier, arguments[0], &actions, &attributes, words, variables)
        if error != 0 { throw Errno(code: error) }
        return identifier
    }

    /// C's form of a list of strings, with its NULL; the caller frees each.
    private static func copies(of texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe []
        for text in texts {
            let copy = unsafe strdup(text)
            unsafe pointers.append(copy)
        }
        unsafe pointers.append(nil)
        return unsafe pointers
    }

    var errors: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }

    var isRunning: Bool {
        if waitStatus != nil { return false }
        var status: Int32 = 0
        guard unsafe waitpid(identifier, &status, WNOHANG) == identifier else { return true }
        waitStatus = status
        return false
    }

    func signal(_ number: Int32) {
        if isRunning { kill(identifier, number) }
    }

    /// Writes to its standard input.
    func send(_ text: String, _ deadline: Deadline = .usual) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            guard deadline.waits(for: input, events: POLLOUT) else { throw TestError.timeout }
            rest = try rest.dropFirst(input.send(rest))
        }
    }

    /// Ends its standard input.
    func finishInput() { try? input.shutDown(SHUT_WR) }

    /// The exit status, negative for a signal; nil when it goes on past the deadline.
    func waitForExit(_ deadline: Deadline = .usual) -> Int32? {
        guard deadline.waits(until: { !isRunning }), let waitStatus else { return nil }
        let signal = waitStatus & 0x7F
        return signal == 0 ? (waitStatus >> 8) & 0xFF : -signal
    }

    /// The next line of output without its newline; nil at the end, or past the deadline.
    func nextLine(_ deadline: Deadline = .usual) throws -> String? {
        while true {
            if let newline = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer.removeSubrange(...newline) }
                return String(decoding: buffer[..<newline], as: UTF8.self)
            }
            if reachedEnd || !deadline.waits(for: output) { return nil }
            switch try output.read(limitBytes: 65_536) {
            case .bytes(let bytes): buffer += bytes
            case .endOfStream: reachedEnd = true
            case .wouldBlock: break
            }
        }
    }

    /// Lines up to and with the first that fulfils the condition; nil when none came in time.
    func lines(
        until isLast: (String) -> Bool, _ deadline: Deadline = .usual
    ) throws -> [String]? {
        var lines: [String] = []
        while let line = try nextLine(deadline) {
            lines.append(line)
            if isLast(line) { return lines }
        }
        return nil
    }

    /// Reads to the end, and waits for it; the status is -999 when that does not come.
    func finish(_ deadline: Deadline = .usual) throws -> Output {
        var lines: [String] = []
        while let line = try nextLine(deadline) { lines.append(line) }
        let status = waitForExit(deadline) ?? -999
        let rest = String(decoding: buffer, as: UTF8.self)
        return Output(
            status: status, text: lines.map { $0 + "\n" }.joined() + rest, errors: errors)
    }

    /// Ends it the hard way, a stopped one too, and takes its status.
    func end() {
        signal(SIGKILL)
        _ = waitForExit(.after(seconds: 10))
    }
}
