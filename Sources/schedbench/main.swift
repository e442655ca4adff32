// schedbench: measures schedd's parts side by side with what else does their work, in one run. It
// prints; it never fails for a number, since a number depends on the machine.

import Foundation

var arguments = Array(CommandLine.arguments.dropFirst())
let printsJSON = arguments.contains("--json")
arguments.removeAll { $0 == "--json" }

let usage = """
    usage: schedbench NAME [--json]

    \(Benchmark.all.map { $0.name.padding(toLength: 12, withPad: " ", startingAt: 0) + $0.summary }
        .joined(separator: "\n"))
    all         every one of them
    """

guard arguments.count == 1, let name = arguments.first else {
    FileHandle.standardError.write(Data((usage + "\n").utf8))
    exit(2)
}
let chosen = Benchmark.all.filter { name == "all" || $0.name == name }
guard !chosen.isEmpty else {
    FileHandle.standardError.write(Data("schedbench: there is no '\(name)'\n\n\(usage)\n".utf8))
    exit(2)
}
for benchmark in chosen {
    let report = Report(name: benchmark.name, rows: try benchmark.run())
    print(printsJSON ? try report.json() : report.table)
}
