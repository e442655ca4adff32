// A program that a test runs: its input and output over pipes, its errors in a file, and an end
// that the test can wait for. TestBed ends what a test leaves running.

import Dispatch
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

final class ChildProcess {
    private let process = Process()
    private let ended = DispatchSemaphore(value: 0)
    private let output: FileDescriptor
    private let errorPath: String
    private var buffer: [UInt8] = []
    private var reachedEnd = false
    private let input: FileDescriptor

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
        output = outputEnd
        input = inputEnd
        self.errorPath = errorPath
        let errors = try FileDescriptor.open(errorPath, O_WRONLY | O_CREAT | O_APPEND)
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = environment
        process.currentDirectoryURL = URL(filePath: folder)
        process.standardInput = FileHandle(fileDescriptor: inputPipe.rawValue)
        process.standardOutput = FileHandle(fileDescriptor: outputPipe.rawValue)
        process.standardError = FileHandle(fileDescriptor: errors.rawValue)
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
        // The ends that the child has must outlive run().
        withExtendedLifetime((inputPipe, outputPipe, errors)) {}
    }

    var identifier: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }
    var errors: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }

    func signal(_ number: Int32) {
        if process.isRunning { kill(process.processIdentifier, number) }
    }

    /// Writes to its standard input.
    func send(_ text: String, _ deadline: Deadline = .usual) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            guard deadline.waits(for: input, events: POLLOUT) else { throw TestError.timeout }
            rest = try rest.dropFirst(input.send(rest))
        }
    }

    /// The exit status, negative for a signal; nil when it goes on past the deadline.
    func waitForExit(_ deadline: Deadline = .usual) -> Int32? {
        let wait = DispatchTimeInterval.milliseconds(Int(deadline.remainingMilliseconds))
        guard ended.wait(timeout: .now() + wait) == .success else { return nil }
        ended.signal()
        return process.terminationReason == .exit
            ? process.terminationStatus : -process.terminationStatus
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
