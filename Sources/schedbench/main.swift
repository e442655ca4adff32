// schedbench: measures schedd's parts side by side with what else does their work, in one run. It
// prints; it never fails for a number, since a number depends on the machine.

import Foundation
import Platform

func line(_ benchmark: Benchmark) -> String {
    "  " + benchmark.name.padding(toLength: 12, withPad: " ", startingAt: 0) + benchmark.summary
}

let usage = """
    Usage: schedbench NAME [--json] [--seconds N]
    Measures a part of schedd beside what else does its work, in one run.

    \(Benchmark.all.map(line).joined(separator: "\n"))
      all         every one of them

      --json         one JSON object for each instead of a table
      --seconds N    how long lateness and idle watch a running schedd [60]
      -h, --help     this text

    schedd and schedctl are taken from the folder that schedbench is in. A row is met when
    the ratio, or the number itself, keeps to the target beside it.

    """

func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("schedbench: \(message)\n".utf8))
    exit(status)
}

func parse() -> (name: String, settings: BenchmarkSettings, json: Bool) {
    do throws(OptionError) {
        let options = try OptionParser.parse(
            Array(CommandLine.arguments.dropFirst()),
            options: [
                OptionSpecification("json"), OptionSpecification("seconds", value: "N"),
                OptionSpecification("help", short: "h"),
            ])
        if options.contains("help") {
            print(usage, terminator: "")
            exit(0)
        }
        var settings = BenchmarkSettings()
        if let text = options.value(of: "seconds") {
            guard let seconds = Int(text), 1...3_600 ~= seconds else {
                fail("--seconds takes 1 to 3600", status: 2)
            }
            settings.seconds = seconds
        }
        guard let name = options.operands.first, options.operands.count == 1 else {
            fail("name one benchmark, or all; see schedbench --help", status: 2)
        }
        return (name, settings, options.contains("json"))
    } catch {
        fail("\(error); see schedbench --help", status: 2)
    }
}

let (name, settings, printsJSON) = parse()
let chosen = Benchmark.all.filter { name == "all" || $0.name == name }
if chosen.isEmpty { fail("there is no '\(name)'; see schedbench --help", status: 2) }
for benchmark in chosen {
    do {
        let report = Report(name: benchmark.name, rows: try benchmark.run(settings))
        let text = printsJSON ? try report.json() : "\(benchmark.name)\n\(report.table)\n"
        // At once: the next benchmark may take a minute.
        try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    } catch {
        fail("\(benchmark.name): \(error)", status: 1)
    }
}
