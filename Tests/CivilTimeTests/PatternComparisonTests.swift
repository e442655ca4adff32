// Against others, where the rules agree: systemd's calendar in UTC, and Foundation's nextDate for
// plain fields away from gaps and overlaps, in zones whose rules both know.
//
// Where they are wrong, and so are not asked:
// - systemd 252 passes over the whole day at a gap (02:30 on 2026-03-08 in New York has no
//   occurrence), and runs a pattern without an hour through one pass of an overlap only.
// - Foundation 6.3.1 has tzdata 2025b built in and is an hour off in America/Vancouver from
//   2026-11-01T09:00Z on; it loses the day at Troll's gap of 2026-03-29T01:00Z; it answers 14:15Z
//   instead of 14:00Z in Chatham's gap of 2025-09-27; it misses first Mondays.

import CivilTime
import Foundation
import TestSupport
import Testing

@Suite
struct PatternComparisonTests {
    private static let analyze = "/usr/bin/systemd-analyze"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: analyze)), arguments: [11, 12])
    func `systemd says the same in UTC`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var expressions: [CalendarExpression] = []
        while expressions.count < 60 {
            let drawn = RandomPattern(
                using: &random, near: CivilDateTime(year: 2027, month: 2, day: 28, hour: 9))
            guard let pattern = try? drawn.make() else { continue }
            let expression = CalendarExpression(pattern: pattern)
            // Its years end with 2199; ours are near.
            if !expression.text.contains("=") { expressions.append(expression) }
        }
        let start = WallInstant(
            seconds: 1_700_000_000 + .random(in: 0..<200_000_000, using: &random))
        let base = start.text.replacing("T", with: " ").replacing("Z", with: " UTC")
        let result = try ChildProcess.run(
            Self.analyze,
            ["calendar", "--iterations=4", "--base-time=\(base)"] + expressions.map(\.text),
            environment: ["TZ": "UTC", "LC_ALL": "C", "SYSTEMD_COLORS": "0"])
        #expect(result.status == 0)
        let answers = Self.answers(String(decoding: result.output, as: UTF8.self))
        #expect(answers.count == expressions.count)
        for (expression, answer) in zip(expressions, answers) {
            var instant = start
            var ours: [String] = []
            while ours.count < 4, let next = expression.pattern.next(after: instant, in: .utc) {
                ours.append(next.text)
                instant = next
            }
            #expect(ours == answer, "seed \(seed): \(expression.text) after \(start.text)")
        }
    }

    /// The times of each expression, from lines such as `Next elapse: Mon 2026-12-07 00:00:00
    /// UTC`.
    private static func answers(_ output: String) -> [[String]] {
        var answers: [[String]] = []
        for line in output.split(separator: "\n") {
            if line.contains("Normalized form:") { answers.append([]) }
            guard
                line.contains("Next elapse:") || line.contains("Iteration #")
                    || line.contains("Iter. #")
            else { continue }
            let words = line.split(separator: " ")
            guard let zone = words.last, zone == "UTC", words.count > 4 else { continue }
            answers[answers.count - 1].append(
                "\(words[words.count - 3])T\(words[words.count - 2])Z")
        }
        return answers
    }

    @Test(arguments: ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"])
    func `Foundation says the same for plain fields`(_ name: String) throws {
        let zone = try caseZone(name)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: name))
        var random = SplitMix64(seed: 21)
        var asked = 0
        for index in 0..<120 {
            let hour = Int.random(in: 0...23, using: &random)
            let minute = Int.random(in: 0...59, using: &random)
            var fields: [CalendarPattern.Field: [Int]] = [.hour: [hour], .minute: [minute]]
            var components = DateComponents(hour: hour, minute: minute, second: 0)
            switch index % 3 {
            case 1:
                components.weekday = Int.random(in: 1...7, using: &random)
                fields[.weekday] = components.weekday.map { [$0] }
            case 2:
                components.day = Int.random(in: 1...28, using: &random)
                fields[.day] = components.day.map { [$0] }
            default: break
            }
            let pattern = try CalendarPattern(fields: fields)
            // 2010 to 2024.
            let start = Int64.random(in: 1_262_304_000...1_735_000_000, using: &random)
            let next = try #require(pattern.next(after: WallInstant(seconds: start), in: zone))
            let isNearTransition =
                zone.nextTransition(after: next.wholeSeconds - 90_000)
                .map { $0 < next.wholeSeconds + 90_000 } ?? false
            if isNearTransition { continue }
            asked += 1
            let theirs = calendar.nextDate(
                after: Date(timeIntervalSince1970: Double(start)), matching: components,
                matchingPolicy: .nextTime, repeatedTimePolicy: .first)
            #expect(
                theirs.map { Int64($0.timeIntervalSince1970) } == next.wholeSeconds,
                "\(pattern.compact) after \(start)")
        }
        #expect(asked > 80)
    }
}
