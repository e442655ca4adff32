// The rules of style that a machine can hold: sizes, openings of files, forbidden words. Formatting
// is `swift format lint`'s.

import Foundation
import Testing

struct TidyTests {
    static let linesPerFile = 500
    static let linesPerFunction = 70
    static let columns = 100
    /// Their answers depend on their arguments alone, their tests on no clock.
    static let pureTargets: Set<String> = [
        "CivilTime", "TimingWheel", "Scheduling", "Varlink", "SchedulerInterface",
        "CivilTimeTests", "TimingWheelTests", "SchedulingTests", "VarlinkTests",
        "SchedulerInterfaceTests", "SimulationTests", "TestSupport", "Fuzz",
    ]

    @Test func `the tree is where these tests look for it`() {
        #expect(Repository.sourceFiles.count > 9)
        #expect(Repository.testFiles.count > 10)
        #expect(Repository.scripts.map(\.path).contains("systemd/install"))
        #expect(Repository.scripts.map(\.path).contains("Tests/run"))
    }

    @Test(arguments: Repository.swiftFiles)
    func `a file opens with its purpose and keeps to one screen's width`(_ file: TextFile) {
        #expect(file.lines.count <= Self.linesPerFile + 1, "\(file.path) is too long")
        let opening = file.lines.prefix { $0.hasPrefix("//") }
        #expect(!opening.isEmpty, "\(file.path) does not open with a comment on its purpose")
        #expect(!(opening.first ?? "").hasPrefix("///"), "\(file.path) opens with a doc comment")
        #expect(opening.count <= 12, "\(file.path) opens with an essay; put it on the type")
        for (index, line) in file.lines.enumerated() where line.count > Self.columns {
            Issue.record("\(file.path):\(index + 1) is \(line.count) columns wide")
        }
    }

    @Test(arguments: Repository.scripts)
    func `a script says what it is for and fails on the first error`(_ file: TextFile) {
        #expect(file.lines.count > 2 && file.lines[1].hasPrefix("# "), "\(file.path): no purpose")
        if file.lines.first == "#!/bin/bash" {
            #expect(file.text.contains("\nset -eu"), "\(file.path) goes on after an error")
        }
        for (index, line) in file.lines.enumerated() where line.count > Self.columns {
            Issue.record("\(file.path):\(index + 1) is \(line.count) columns wide")
        }
    }

    @Test(arguments: Repository.swiftFiles)
    func `a function fits on one screen`(_ file: TextFile) {
        for body in SwiftTokens(file.text).bodies where body.lineCount > Self.linesPerFunction {
            Issue.record(
                "\(file.path):\(body.firstLine): \(body.name) has \(body.lineCount) lines")
        }
    }

    @Test(arguments: Repository.swiftFiles + Repository.scripts)
    func `no work is left as a note`(_ file: TextFile) {
        let notes = ["TO" + "DO", "FIX" + "ME", "XX" + "X:"]
        for (index, line) in file.lines.enumerated() {
            for note in notes where line.contains(note) {
                Issue.record("\(file.path):\(index + 1) has a \(note)")
            }
        }
    }

    @Test(arguments: Repository.swiftFiles)
    func `an error is not turned into a trap, nor a test into a look behind the scenes`(
        _ file: TextFile
    ) {
        let tokens = SwiftTokens(file.text).tokens
        for (token, next) in zip(tokens, tokens.dropFirst()) {
            if token.text == "try", next.text == "!", token.touches(next) {
                Issue.record("\(file.path):\(token.line) traps on an error")
            }
            if token.text == "@", next.text == "testable" {
                Issue.record("\(file.path):\(token.line): use package access")
            }
        }
    }

    @Test(arguments: Repository.swiftFiles.filter { pureTargets.contains($0.target ?? "") })
    func `a pure target and its tests read no clock and wait for nothing`(_ file: TextFile) {
        let clocks: Set = [
            "ContinuousClock", "SuspendingClock", "DispatchTime", "DispatchWallTime",
            "clock_gettime", "gettimeofday", "clock_nanosleep", "localtime_r", "mktime",
        ]
        let tokens = SwiftTokens(file.text).tokens
        for (index, token) in tokens.enumerated() {
            let following = tokens[index...].prefix(3).map(\.text)
            if clocks.contains(token.text) || following == ["Date", "(", ")"]
                || following == ["Date", ".", "now"]
            {
                Issue.record("\(file.path):\(token.line) reads a clock: \(token.text)")
            }
        }
    }

    @Test(arguments: Repository.swiftFiles)
    func `nothing sleeps for a fixed time`(_ file: TextFile) {
        let sleeps: Set = ["sleep", "usleep", "nanosleep", "sleepForTimeInterval"]
        let tokens = SwiftTokens(file.text).tokens
        for (token, next) in zip(tokens, tokens.dropFirst())
        where sleeps.contains(token.text) && next.text == "(" {
            Issue.record("\(file.path):\(token.line) calls \(token.text); wait for the event")
        }
    }
}
