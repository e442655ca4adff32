// What schedd holds in memory, as the kernel counts it: with ten full apps, as they were added and
// after a new start, and what each further request costs.

import Foundation

enum MemoryBenchmark {
    /// Kilobytes of one process.
    private struct Usage {
        var resident = 0.0
        /// Written by this process, so that no other can share it and it cannot be read again from
        /// a file.
        var dirty = 0.0
        /// Of files, as no other process has those open; the kernel may drop it.
        var clean = 0.0

        init(of processID: Int32) throws {
            let file = "/proc/\(processID)/smaps_rollup"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            for line in text.split(separator: "\n") {
                let words = line.split(separator: " ")
                guard words.count > 1, let kilobytes = Double(words[1]) else { continue }
                switch words[0] {
                case "Rss:": resident = kilobytes
                case "Anonymous:": dirty = kilobytes
                // A program file is itself dirty for a while after it was built.
                case "Private_Clean:", "Private_Dirty:": clean += kilobytes
                default: break
                }
            }
            clean -= dirty
        }

        func rows(_ name: String) -> [ReportRow] {
            [
                .limited("\(name), resident", resident / 1_024, unit: "MiB", to: 16),
                .limited("\(name), private, written", dirty / 1_024, unit: "MiB", to: 3),
                .shown("\(name), private, of files", clean / 1_024, unit: "MiB"),
            ]
        }
    }

    private static let further = 9_600

    static func run(_ settings: BenchmarkSettings) throws -> [ReportRow] {
        let daemon = try ScratchDaemon()
        try daemon.start()
        try SampleRequests.add(640, over: daemon.connect())
        let added = try Usage(of: daemon.processID)
        daemon.stop()
        try daemon.start()
        let started = try Usage(of: daemon.processID)
        try SampleRequests.add(further, firstApp: 10, over: daemon.connect())
        let grown = try Usage(of: daemon.processID)
        daemon.stop()
        try daemon.start()
        let loaded = try Usage(of: daemon.processID)
        let each = [("added", grown), ("loaded", loaded)].map { name, usage in
            ReportRow.limited(
                "each further request, \(name)",
                (usage.dirty - started.dirty) * 1_024 / Double(further), unit: "bytes", to: 1_024)
        }
        return added.rows("640 added") + started.rows("640 loaded") + each
    }
}
