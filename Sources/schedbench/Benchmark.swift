// The list of benchmarks: each is a name, a line of what it measures, and a function that gives
// rows. A new one is one file and one line here.

struct Benchmark: Sendable {
    let name: String
    let summary: String
    let run: @Sendable () throws -> [ReportRow]

    static let all = [
        Benchmark(
            name: "calendar", summary: "the next occurrence of a pattern, beside others",
            run: CalendarBenchmark.run)
    ]
}
