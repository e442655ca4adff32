// Other programs, run to their end and timed.

import Foundation

enum Command {
    /// What one run of a program came to.
    struct Run {
        let nanoseconds: Double
        let output: String
    }

    /// Runs a program; nil when it is not there or fails.
    ///
    /// It ends when its output does: Foundation looks only every 50 ms whether a process is still
    /// there.
    static func run(_ words: [String], input: String? = nil) throws -> Run? {
        guard let program = words.first, FileManager.default.isExecutableFile(atPath: program)
        else { return nil }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = Array(words.dropFirst())
        let (inputPipe, outputPipe) = (Pipe(), Pipe())
        process.standardInput = input == nil ? FileHandle.nullDevice : inputPipe
        process.standardOutput = outputPipe
        process.standardError = FileHandle.nullDevice
        var output = Data()
        let time = try Stopwatch.nanoseconds {
            try process.run()
            if let input {
                try inputPipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
                try inputPipe.fileHandleForWriting.close()
            }
            output = try outputPipe.fileHandleForReading.readToEnd() ?? Data()
        }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return Run(nanoseconds: time, output: String(decoding: output, as: UTF8.self))
    }

    /// The median of the nanoseconds of several runs; nil when one fails.
    static func median(_ words: [String], runs: Int) throws -> Double? {
        var times: [Double] = []
        for _ in 0..<runs {
            guard let run = try run(words) else { return nil }
            times.append(run.nanoseconds)
        }
        return times.sorted()[runs / 2]
    }
}
