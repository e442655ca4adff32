// Other programs, run to their end and timed.

import Foundation

enum Command {
    /// Nanoseconds that one run takes; nil when the program is not there or fails.
    static func time(_ words: [String], input: String? = nil) throws -> Double? {
        guard let program = words.first, FileManager.default.isExecutableFile(atPath: program)
        else { return nil }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = Array(words.dropFirst())
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardInput = input == nil ? FileHandle.nullDevice : pipe
        let time = try Stopwatch.nanoseconds {
            try process.run()
            if let input {
                try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
                try pipe.fileHandleForWriting.close()
            }
            process.waitUntilExit()
        }
        return process.terminationStatus == 0 ? time : nil
    }

    /// The median over several runs; nil when one fails.
    static func median(_ words: [String], runs: Int) throws -> Double? {
        var times: [Double] = []
        for _ in 0..<runs {
            guard let time = try time(words) else { return nil }
            times.append(time)
        }
        return times.sorted()[runs / 2]
    }

    /// What a program writes, nil when it is not there or fails.
    static func output(_ words: [String]) throws -> String? {
        guard let program = words.first, FileManager.default.isExecutableFile(atPath: program)
        else { return nil }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = Array(words.dropFirst())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
    }
}
