// The made-up world of these tests: Tuesday 2026-12-01 09:00 in Berlin, zones by rule, no clock.

import CivilTime
import Foundation
import Platform
import SchedulerInterface
import TestSupport
import Testing
import schedctl

extension Zone {
    /// Today's rules of Central Europe, of Lord Howe and of a zone with a gap at midnight.
    static func made(_ name: String, _ rule: String) -> Zone {
        do {
            return try Zone(name: name, posixRule: rule)
        } catch {
            preconditionFailure("the test's rule is wrong: \(error)")
        }
    }

    static let berlin = made("Europe/Berlin", "CET-1CEST,M3.5.0,M10.5.0/3")
    static let lordHowe = made("Australia/Lord_Howe", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0")
    static let havana = made("America/Havana", "CST5CDT,M3.2.0/0,M11.1.0/1")
}

extension TimeContext {
    /// At an instant, in Berlin unless told otherwise.
    static func at(_ now: String, in zone: Zone = .berlin) -> TimeContext {
        TimeContext(now: WallInstant(now), zone: zone) { name throws(UsageError) in
            for zone in [Zone.berlin, .lordHowe, .havana, .utc] where zone.name == name {
                return zone
            }
            throw UsageError("there is no zone '\(name)'")
        }
    }

    static let fixed = at("2026-12-01T08:00:00Z")
}

/// What a command line asks for, in the fixed world.
func invocation(
    _ words: String..., time: TimeContext = .fixed
) throws(UsageError) -> Invocation {
    try Invocation(arguments: words, time: time)
}

/// The command of a command line that is to be run.
func command<Command: Subcommand>(
    _ type: Command.Type, _ words: [String], time: TimeContext = .fixed
) throws -> Command {
    guard case .run(let command, _) = try Invocation(arguments: words, time: time) else {
        throw UsageError("nothing to run")
    }
    return try #require(command as? Command)
}

/// What a command line is refused with; nil when it is not.
func refusal(of words: [String], time: TimeContext = .fixed) -> UsageError? {
    do throws(UsageError) {
        _ = try Invocation(arguments: words, time: time)
        return nil
    } catch {
        return error
    }
}

/// Compares with a file beside the tests; with UPDATE_SNAPSHOTS set it writes the file and fails.
func expectSnapshot(
    _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Snapshots/\(name).txt")
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] != nil {
        try text.write(to: url, atomically: true, encoding: .utf8)
        Issue.record("\(name) is written anew: look at it", sourceLocation: sourceLocation)
        return
    }
    let expected = try String(contentsOf: url, encoding: .utf8)
    #expect(text == expected, "\(name)", sourceLocation: sourceLocation)
}
