// Runs a tool of the system to its end, as an oracle or a compiler for a test.

import Foundation

/// A finished child process.
package struct ChildProcess: Sendable {
    package let status: Int32
    package let output: [UInt8]
    package let errors: [UInt8]

    /// Runs a program with its whole input known beforehand; the files in between keep a pipe from
    /// filling up while nobody reads.
    package static func run(
        _ path: String, _ arguments: [String], input: [UInt8] = [],
        environment: [String: String]? = nil
    ) throws -> ChildProcess {
        let folder = try TemporaryFolder()
        func file(_ name: String, _ contents: [UInt8]) throws -> URL {
            let url = folder.url.appending(path: name)
            try Data(contents).write(to: url)
            return url
        }
        let output = try file("output", [])
        let errors = try file("errors", [])
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        if let environment { process.environment = environment }
        process.standardInput = try FileHandle(forReadingFrom: file("input", input))
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        return ChildProcess(
            status: process.terminationStatus,
            output: [UInt8](try Data(contentsOf: output)),
            errors: [UInt8](try Data(contentsOf: errors)))
    }
}
