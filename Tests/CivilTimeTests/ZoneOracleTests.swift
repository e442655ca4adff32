// Every zone of the installed tzdata against Python's zoneinfo and the C library: the second
// before, at and after each transition, and instants from 1850 to 2400 drawn from a seed.
// SCHEDD_LONG=1 draws ten times as many.

import CivilTime
import Foundation
import Testing
import TestSupport

@Suite struct ZoneOracleTests {
    static let installed = URL(filePath: "/usr/share/zoneinfo")
    static let isLong = ProcessInfo.processInfo.environment["SCHEDD_LONG"] == "1"
    static let year1850 = CivilDateTime(year: 1850, month: 1, day: 1).localSeconds
    static let year2400 = CivilDateTime(year: 2400, month: 1, day: 1).localSeconds

    /// All zone files below a folder, as paths from it.
    static func zoneNames(below folder: URL) throws -> [String] {
        let names = FileManager.default.enumerator(atPath: folder.path)
        var found: [String] = []
        while let name = names?.nextObject() as? String {
            guard
                let data = FileManager.default.contents(atPath: folder.appending(path: name).path),
                data.starts(with: Array("TZif".utf8))
            else { continue }
            found.append(name)
        }
        return found.sorted()
    }

    /// The transitions of some years beyond all tables, with the seconds around them.
    static func ruleTransitions(of zone: Zone) -> [Int64] {
        [2_036, 2_399, 2_440, 2_799, 7_000].flatMap { year in
            var found: [Int64] = []
            var instant = CivilDateTime(year: year, month: 1, day: 1).localSeconds
            while found.count < 18, let next = zone.nextTransition(after: instant) {
                found += [next - 1, next, next + 1]
                instant = next
            }
            return found
        }
    }

    @Test(arguments: [UInt64(1)])
    func `every installed zone agrees with zoneinfo and libc`(seed: UInt64) throws {
        let names = try Self.zoneNames(below: Self.installed).filter { !$0.hasPrefix("right/") }
        try #require(names.count > 300, "no tzdata installed")
        var random = SplitMix64(seed: seed)
        var zones: [Zone] = []
        var questions: [ZoneOracle.Question] = []
        var seen: Set<Data> = []
        for name in names {
            let url = Self.installed.appending(path: name)
            let data = try Data(contentsOf: url)
            // Links and copies: what a zone answers hangs on its bytes alone.
            guard seen.insert(data).inserted else { continue }
            let zone = try Zone(name: name, tzif: [UInt8](data))
            zones.append(zone)
            let drawn = (0..<(Self.isLong ? 1_000 : 50)).map { _ in
                Int64.random(in: Self.year1850..<Self.year2400, using: &random)
            }
            questions.append(
                ZoneOracle.Question(
                    path: url.path, instants: drawn + Self.ruleTransitions(of: zone),
                    addsTransitions: true))
        }
        let answers = try ZoneOracle.ask(questions)
        #expect(answers.joined().count > 50_000)
        for (zone, answers) in zip(zones, answers) { compare(zone, with: answers) }
    }

    /// Records the first difference of a zone.
    func compare(_ zone: Zone, with answers: [ZoneOracle.Answer]) {
        for answer in answers {
            let ours = zone.description(at: answer.instant)
            let packed = ZoneOracle.pack(ours.abbreviation)
            guard zone.offset(at: answer.instant) == answer.pythonSeconds,
                ours.seconds == answer.librarySeconds, ours.isDST == answer.libraryIsDST,
                packed == answer.pythonAbbreviation, packed == answer.libraryAbbreviation
            else {
                Issue.record("\(zone.name) differs: ours \(ours), theirs \(answer)")
                return
            }
        }
    }

    @Test func `zones that count leap seconds are refused`() throws {
        let folder = Self.installed.appending(path: "right")
        let names = try Self.zoneNames(below: folder)
        try #require(!names.isEmpty, "no right/ zones installed")
        for name in names {
            let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
            do {
                _ = try Zone(name: name, tzif: bytes)
                Issue.record("right/\(name) was accepted")
            } catch {
                guard case .leapSeconds = error else {
                    Issue.record("right/\(name): \(error)")
                    return
                }
            }
        }
    }
}
