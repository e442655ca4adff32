// Zone files that are cut, corrupted or made to hurt: each must be an error with an offset or a
// zone that answers everything, and never a trap. The inputs that fuzzing found are rows here.

import CivilTime
import Testing
import TestSupport

@Suite struct TZifHostileTests {
    /// Asks a zone everything near the ends of time and of its table; the answers must be in order.
    static func exercise(_ zone: Zone) {
        let edges: [Int64] = [.min, .min + 1, -(1 << 59), -(1 << 32), 0, 1 << 32, 1 << 59, .max]
        for edge in edges {
            let next = zone.nextTransition(after: edge)
            let previous = zone.previousTransition(before: edge)
            #expect(next.map { $0 > edge } ?? true)
            #expect(previous.map { $0 < edge } ?? true)
            for instant in [edge, next ?? edge, previous ?? edge] {
                _ = zone.description(at: instant)
                _ = zone.resolve(local: instant)
            }
        }
    }

    /// Accepts an error or a working zone.
    static func read(_ bytes: [UInt8]) -> TZifError? {
        do {
            exercise(try Zone(name: "Test/Hostile", tzif: bytes))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["Europe/Berlin", "Pacific/Apia", "Etc/UTC"])
    func `a file cut at any length is refused`(name: String) throws {
        let fat = try CompiledZones(rules: CompiledZones.caseRules, form: .fat)
        for bytes in [try CompiledZones.cases.get().bytes(name), try fat.bytes(name)] {
            #expect(Self.read(bytes) == nil)
            for length in bytes.indices {
                let error = Self.read(Array(bytes[..<length]))
                guard let error else {
                    Issue.record("\(name) is accepted with \(length) of \(bytes.count) bytes")
                    return
                }
                switch error {
                case .truncated(let offset), .missingFooter(let offset), .badMagic(let offset):
                    #expect(offset <= length)
                default: Issue.record("cut at \(length): \(error)")
                }
            }
        }
    }

    @Test func `every header count is checked in both blocks`() throws {
        let bytes = try CompiledZones(rules: CompiledZones.caseRules, form: .fat)
            .bytes("Europe/Berlin")
        let second = try #require(
            bytes.indices.dropFirst(44).first { bytes[$0...].starts(with: Array("TZif".utf8)) })
        for header in [0, second] {
            for count in TZifCount.allCases {
                let offset = header + 20 + count.rawValue * 4
                for value: UInt32 in [0, 1, 2, 0xFF, 0x100, 0x7FFF_FFFF, 0x8000_0000, .max] {
                    var changed = bytes
                    for index in 0..<4 {
                        changed[offset + index] = UInt8(
                            truncatingIfNeeded: value >> UInt32(24 - index * 8))
                    }
                    guard changed != bytes else { continue }
                    #expect(Self.read(changed) != nil, "count \(count) = \(value) at \(offset)")
                }
            }
        }
    }

    @Test(arguments: UInt64(0)..<16)
    func `a file with changed bytes is refused or works`(seed: UInt64) throws {
        let names = ["Europe/Berlin", "Pacific/Apia", "Africa/Casablanca", "Etc/UTC"]
        var random = SplitMix64(seed: seed)
        for name in names {
            let bytes = try CompiledZones.cases.get().bytes(name)
            for _ in 0..<20 {
                var changed = bytes
                for _ in 0...Int.random(in: 0..<3, using: &random) {
                    let index = Int.random(in: changed.indices, using: &random)
                    changed[index] = UInt8.random(in: 0...255, using: &random)
                }
                _ = Self.read(changed)
            }
        }
    }

    struct Broken: CustomTestStringConvertible {
        let testDescription: String
        let error: TZifError
        let bytes: [UInt8]

        init(_ description: String, _ error: TZifError, _ change: (inout TZifBytes) -> Void) {
            testDescription = description
            self.error = error
            var file = TZifBytes()
            change(&file)
            bytes = file.bytes
        }
    }

    /// The first byte of the 64-bit block's data.
    static let data = TZifBytes.secondHeader + 44

    static let broken = [
        Broken("unknown version", .unsupportedVersion(UInt8(ascii: "1"), offset: 4)) {
            $0.version = UInt8(ascii: "1")
        },
        Broken("no types", .badCount(.types, 0, offset: TZifBytes.secondHeader + 36)) {
            $0.types = []
        },
        Broken("257 types", .badCount(.types, 257, offset: TZifBytes.secondHeader + 36)) {
            $0.types = Array(repeating: (0, 0, 0), count: 257)
        },
        Broken(
            "no abbreviations",
            .badCount(.abbreviationBytes, 0, offset: TZifBytes.secondHeader + 40)
        ) { $0.abbreviations = "" },
        Broken(
            "10,001 transitions",
            .badCount(.transitions, 10_001, offset: TZifBytes.secondHeader + 32)
        ) {
            $0.instants = (0...10_000).map { Int64($0) }
            $0.typeIndices = Array(repeating: 0, count: 10_001)
        },
        Broken("the same instant twice", .unsortedTransitions(offset: data + 8)) {
            $0.instants = [5, 5]
            $0.typeIndices = [0, 0]
        },
        Broken("going back", .unsortedTransitions(offset: data + 16)) {
            $0.instants = [5, 6, -7]
            $0.typeIndices = [0, 0, 0]
        },
        Broken("before the big bang", .instantOutOfRange(offset: data)) {
            $0.instants = [.min]
            $0.typeIndices = [0]
        },
        Broken("after the end of time", .instantOutOfRange(offset: data + 8)) {
            $0.instants = [0, (1 << 59) + 1]
            $0.typeIndices = [0, 0]
        },
        Broken("index of no type", .badIndex(offset: data + 8)) {
            $0.instants = [0]
            $0.typeIndices = [1]
        },
        Broken("offset of more than 26 hours", .offsetOutOfRange(offset: data)) {
            $0.types = [(26 * 3_600 + 1, 0, 0)]
        },
        Broken("the one offset that RFC 9636 forbids", .offsetOutOfRange(offset: data)) {
            $0.types = [(.min, 0, 0)]
        },
        Broken("flag 2", .badFlag(2, offset: data + 4)) { $0.types = [(0, 2, 0)] },
        Broken("abbreviation beyond the end", .badIndex(offset: data + 5)) {
            $0.types = [(0, 0, 4)]
        },
        Broken("abbreviation without an end", .badAbbreviation(offset: data + 6)) {
            $0.abbreviations = "UTC"
        },
        Broken("control character", .badAbbreviation(offset: data + 6)) {
            $0.abbreviations = "U\u{7}C\0"
        },
        Broken("endless abbreviation", .badAbbreviation(offset: data + 6)) {
            $0.abbreviations = String(repeating: "A", count: 32) + "\0"
        },
        Broken(
            "footer that is no rule",
            .badFooter(.outOfRange(allowed: 0...24, at: 3), offset: data + 11)
        ) { $0.footer = "ABC25" },
        Broken("NUL in the footer", .badFooter(.unexpected(0, at: 4), offset: data + 11)) {
            $0.footer = "ABC5\0"
        },
        Broken(
            "daylight time without its rule",
            .badFooter(.missingRule(at: 7), offset: data + 11)
        ) { $0.footer = "EST5EDT" },
    ]

    @Test(arguments: broken)
    func `a broken file is refused at the right byte`(row: Broken) {
        #expect(throws: row.error) { try Zone(name: "x", tzif: row.bytes) }
    }

    @Test func `what is no zone file at all is refused`() {
        #expect(Self.read([]) == .truncated(offset: 0))
        #expect(Self.read(Array("TZi".utf8)) == .truncated(offset: 0))
        #expect(Self.read(Array("#!/bin/sh".utf8)) == .badMagic(offset: 0))
        #expect(Self.read([UInt8](repeating: 0, count: 262_145)) == .tooLarge(limit: 262_144))
        var bytes = TZifBytes().bytes
        bytes[TZifBytes.secondHeader + 1] = 0
        #expect(Self.read(bytes) == .badMagic(offset: TZifBytes.secondHeader))
    }
}
