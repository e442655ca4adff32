// The list of benchmarks: each is a name, a line of what it measures, and a function that gives
// rows. A new one is one file and one line here.

/// What the command line sets.
struct BenchmarkSettings: Sendable {
    /// How long the benchmarks that watch a running schedd do so.
    var seconds = 60
}

struct Benchmark: Sendable {
    let name: String
    let summary: String
    let run: @Sendable (BenchmarkSettings) throws -> [ReportRow]

    static let all = [
        Benchmark(
            name: "calendar", summary: "the next occurrence of a pattern, beside others"
        ) { _ in try CalendarBenchmark.run() },
        Benchmark(
            name: "wheel", summary: "timers added, cancelled and expired, beside a binary heap"
        ) { _ in WheelBenchmark.run() },
        Benchmark(
            name: "lateness", summary: "from due to fired, beside a bare timer",
            run: LatenessBenchmark.run),
        Benchmark(
            name: "idle", summary: "wake-ups while nothing is due", run: IdleBenchmark.run),
        Benchmark(
            name: "store", summary: "durable adds, beside SQLite, at and systemd-run",
            run: StoreBenchmark.run),
        Benchmark(
            name: "start", summary: "from the start of schedd to READY", run: StartBenchmark.run),
        Benchmark(
            name: "memory", summary: "resident and private memory", run: MemoryBenchmark.run),
        Benchmark(
            name: "list", summary: "schedctl list, beside systemctl list-timers",
            run: ListBenchmark.run),
    ]
}
