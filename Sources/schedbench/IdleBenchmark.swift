// How often an idle schedd wakes up: its context switches as the kernel counts them for each
// thread, and its system calls where strace is installed. 640 requests wait, none due within a day.

import Foundation
import Platform

enum IdleBenchmark {
    static func run(_ settings: BenchmarkSettings) throws -> [ReportRow] {
        let daemon = try ScratchDaemon()
        try daemon.start()
        try SampleRequests.add(640, over: daemon.connect())
        // Dispatch lets threads without work go after 5 s, one after the other.
        Clock.pause(milliseconds: 12_000)
        let trace = try SystemCallTrace(of: daemon.processID, in: daemon.folder)
        let before = try contextSwitches(of: daemon.processID)
        let calls = trace?.count ?? 0
        Clock.pause(milliseconds: Int32(settings.seconds) * 1_000)
        let switches = try contextSwitches(of: daemon.processID) - before
        let unit = "in \(settings.seconds) s"
        var rows: [ReportRow] = [
            .limited("context switches", Double(switches), unit: unit, to: 0)
        ]
        if let trace {
            rows.append(.limited("system calls", Double(trace.count - calls), unit: unit, to: 0))
            trace.stop()
        } else {
            rows.append(.missing("system calls", unit: unit, because: "strace is not there"))
        }
        return rows
    }

    /// Voluntary and not, over all threads.
    private static func contextSwitches(of processID: Int32) throws -> Int {
        let tasks = "/proc/\(processID)/task"
        var sum = 0
        for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
            let text = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
            for line in text.split(separator: "\n") where line.contains("_ctxt_switches") {
                sum += line.split(separator: "\t").last.flatMap { Int($0) } ?? 0
            }
        }
        return sum
    }
}

/// A strace that writes a line for each system call that returns.
private final class SystemCallTrace {
    private let process = Process()
    private let file: URL

    /// Nil when there is no strace, or it may not trace.
    init?(of processID: Int32, in folder: URL) throws {
        file = folder.appending(path: "trace")
        process.executableURL = URL(filePath: "/usr/bin/strace")
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/strace") else { return nil }
        process.arguments = ["-f", "-q", "-o", file.path, "-p", "\(processID)"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        Clock.pause(milliseconds: 1_000)
        guard process.isRunning else { return nil }
    }

    /// Lines so far; the calls in which the threads wait are there from the beginning.
    var count: Int {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").count
    }

    func stop() {
        process.interrupt()
        process.waitUntilExit()
    }
}
