// From the start of the process to READY, with an empty queue, with ten full apps, and with 10,000
// pending requests.

enum StartBenchmark {
    private static let runs = 9

    static func run(_ settings: BenchmarkSettings) throws -> [ReportRow] {
        try [(0, 15.0), (640, 100.0), (10_000, 100.0)].map { pending, limit in
            let daemon = try ScratchDaemon()
            try daemon.start()
            try SampleRequests.add(pending, over: daemon.connect())
            daemon.stop()
            var times: [Double] = []
            for _ in 0..<runs {
                times.append(try daemon.start() / 1e6)
                daemon.stop()
            }
            let median = times.sorted()[runs / 2]
            return .limited("\(pending) pending", median, unit: "ms", to: limit)
        }
    }
}
