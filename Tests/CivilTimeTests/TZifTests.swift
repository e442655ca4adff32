// Zone files of every version and of odd but valid contents.

import CivilTime
import Testing
import TestSupport

@Suite struct TZifTests {
    /// One offset before instant 1,000, another from then on.
    static func file(version: UInt8, footer: String = "") -> TZifBytes {
        var file = TZifBytes(footer: footer)
        file.version = version
        file.instants = [1_000]
        file.typeIndices = [1]
        file.types = [(3_600, 0, 0), (7_200, 1, 4)]
        file.abbreviations = "ONE\0TWO\0"
        return file
    }

    @Test(arguments: Array("\u{0}2345".utf8))
    func `every version is read`(version: UInt8) throws {
        let zone = try Zone(name: "x", tzif: Self.file(version: version).bytes)
        #expect(
            zone.description(at: 999)
                == ZoneOffset(seconds: 3_600, isDST: false, abbreviation: "ONE"))
        #expect(
            zone.description(at: 1_000)
                == ZoneOffset(seconds: 7_200, isDST: true, abbreviation: "TWO"))
        #expect(zone.offset(at: .min) == 3_600)
        #expect(zone.offset(at: .max) == 7_200)
        #expect(zone.nextTransition(after: 999) == 1_000)
        #expect(zone.nextTransition(after: 1_000) == nil)
        #expect(zone.previousTransition(before: 1_000) == nil)
        #expect(zone.previousTransition(before: 1_001) == 1_000)
    }

    @Test func `slim and fat files say the same`() throws {
        let fat = try CompiledZones(rules: CompiledZones.caseRules, form: .fat)
        let slim = try CompiledZones.cases.get()
        #expect(fat.files.count > 20 && fat.files.keys == slim.files.keys)
        for name in fat.files.keys {
            let zones = [
                try Zone(name: name, tzif: slim.bytes(name)),
                try Zone(name: name, tzif: fat.bytes(name)),
            ]
            // From the year 2009 on: where a zone's very first rule turns daylight time on, zic
            // takes it to have been on before, in slim files only.
            var instant: Int64 = 1_230_768_000
            for _ in 0..<1_000 {
                let nexts = zones.map { $0.nextTransition(after: instant) }
                #expect(nexts[0] == nexts[1])
                guard let next = nexts[0] else { break }
                #expect(zones[0].description(at: next) == zones[1].description(at: next))
                instant = next
            }
        }
    }

    @Test func `without a transition the footer holds for all time`() throws {
        let zone = try Zone(name: "x", tzif: TZifBytes(footer: "<+03>-3").bytes)
        #expect(zone.offset(at: .min) == 10_800 && zone.offset(at: .max) == 10_800)
    }

    @Test func `from the last transition on the footer decides`() throws {
        let zone = try Zone(
            name: "x", tzif: Self.file(version: UInt8(ascii: "2"), footer: "TRI-3").bytes)
        #expect(zone.offset(at: 999) == 3_600)
        #expect(zone.description(at: 1_000).abbreviation == "TRI")
    }

    @Test func `bytes after the footer are ignored`() throws {
        let bytes = Self.file(version: UInt8(ascii: "2")).bytes
        let zone = try Zone(name: "x", tzif: bytes)
        #expect(try Zone(name: "x", tzif: bytes + [1, 2, 3]) == zone)
    }

    @Test func `a transition that changes nothing is none`() throws {
        var file = Self.file(version: UInt8(ascii: "2"))
        file.instants = [1_000, 2_000, 3_000]
        file.typeIndices = [1, 1, 0]
        let zone = try Zone(name: "x", tzif: file.bytes)
        #expect(zone.nextTransition(after: 1_000) == 3_000)
    }

    /// Two jumps within an hour: 01:00 to 03:00, half an hour later back to 02:30.
    @Test func `transitions close together are all seen`() throws {
        var file = TZifBytes()
        file.types = [(0, 0, 0), (7_200, 0, 0), (3_600, 0, 0)]
        file.instants = [3_600, 5_400]
        file.typeIndices = [1, 2]
        let zone = try Zone(name: "x", tzif: file.bytes)
        #expect(zone.resolve(local: 3_599) == .single(3_599))
        #expect(zone.resolve(local: 3_600) == .gap(transition: 3_600))
        // Beneath the first jump, but the second one comes back to it: it is shown once.
        #expect(zone.resolve(local: 8_999) == .gap(transition: 3_600))
        #expect(zone.resolve(local: 9_000) == .single(5_400))
        #expect(zone.resolve(local: 10_800) == .overlap(first: 3_600, second: 7_200))
        #expect(zone.resolve(local: 12_599) == .overlap(first: 5_399, second: 8_999))
        #expect(zone.resolve(local: 12_600) == .single(9_000))
    }

    @Test func `offsets of 26 hours either way are resolved`() throws {
        var file = TZifBytes()
        file.types = [(-93_600, 0, 0), (93_600, 0, 0)]
        file.instants = [0, 500_000]
        file.typeIndices = [1, 0]
        let zone = try Zone(name: "x", tzif: file.bytes)
        #expect(zone.resolve(local: -93_601) == .single(-1))
        #expect(zone.resolve(local: -93_600) == .gap(transition: 0))
        #expect(zone.resolve(local: 93_599) == .gap(transition: 0))
        #expect(zone.resolve(local: 93_600) == .single(0))
        #expect(zone.resolve(local: 406_400) == .overlap(first: 312_800, second: 500_000))
        #expect(zone.resolve(local: 593_600) == .single(687_200))
    }
}
