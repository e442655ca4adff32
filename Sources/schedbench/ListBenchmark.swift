// `schedctl list` beside `systemctl --user list-timers`, with as many requests as timers.

import Foundation

enum ListBenchmark {
    private static let runs = 21

    static func run(_ settings: BenchmarkSettings) throws -> [ReportRow] {
        try [10, SampleRequests.perApp, 640].map(list)
    }

    private static func list(of count: Int) throws -> ReportRow {
        let daemon = try ScratchDaemon()
        try daemon.start()
        try SampleRequests.add(count, over: daemon.connect())
        let list = [try ScratchDaemon.tool("schedctl").path, "--socket", daemon.socketPath, "list"]
        let timers = ["/usr/bin/systemctl", "--user", "list-timers", "--all", "--no-pager"]
        guard let ours = try Command.median(list, runs: runs) else {
            throw BenchmarkFailure(description: "schedctl list fails")
        }
        let reference = try OtherSchedulers.withTimers(count) { _ in
            try Command.median(timers, runs: runs)
        }
        return .compared(
            "list of \(count)", ours: ours / 1e6, to: reference.map { $0 / 1e6 },
            of: "systemctl --user list-timers", unit: "ms", atLeast: 1)
    }
}
