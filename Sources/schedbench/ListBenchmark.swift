// `schedctl list` with ten full apps beside `systemctl --user list-timers`, which does the same for
// the timers that a user manager has at the time.

import Foundation

enum ListBenchmark {
    private static let runs = 21

    static func run(_ settings: BenchmarkSettings) throws -> [ReportRow] {
        let daemon = try ScratchDaemon()
        try daemon.start()
        try SampleRequests.add(640, over: daemon.connect())
        let list = [try ScratchDaemon.tool("schedctl").path, "--socket", daemon.socketPath, "list"]
        let timers = ["/usr/bin/systemctl", "--user", "list-timers", "--all", "--no-pager"]
        guard let ours = try Command.median(list, runs: runs) else {
            throw BenchmarkFailure(description: "schedctl list fails")
        }
        return [
            .compared(
                "list of 640", ours: ours / 1e6,
                to: try Command.median(timers, runs: runs).map {
                    $0 / 1e6
                },
                of: "systemctl --user list-timers", unit: "ms", atLeast: 1)
        ]
    }
}
