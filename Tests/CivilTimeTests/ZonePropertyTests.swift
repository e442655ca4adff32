// Properties of all zones of the cases under drawn questions: resolving a local time against the
// definition of what it means, transitions in order, and the cycle of 400 years.

import CivilTime
import Testing
import TestSupport

@Suite struct ZonePropertyTests {
    /// The definition, by brute force: every instant at which the clocks show that second, found by
    /// trying all offsets of the days around; and where there is none, the first jump over it.
    static func definition(_ zone: Zone, local: Int64) -> Zone.LocalResolution? {
        let earliest = local - 27 * 3_600
        let latest = local + 27 * 3_600
        var transitions: [Int64] = []
        while let next = zone.nextTransition(after: transitions.last ?? earliest), next <= latest {
            transitions.append(next)
        }
        let offsets = Set(([earliest] + transitions).map { Int64(zone.offset(at: $0)) })
        let instants = offsets.map { local - $0 }.filter {
            $0 + Int64(zone.offset(at: $0)) == local
        }
        .sorted()
        if instants.count > 1 { return .overlap(first: instants[0], second: instants[1]) }
        if let only = instants.first { return .single(only) }
        let jump = transitions.first { instant in
            instant - 1 + Int64(zone.offset(at: instant - 1)) < local
                && instant + Int64(zone.offset(at: instant)) > local
        }
        return jump.map { .gap(transition: $0) }
    }

    static let rules = [
        "EST5EDT,M3.2.0,M11.1.0", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
        "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "IST-1GMT0,M10.5.0,M3.5.0/1",
        "AAA24BBB-24,M3.1.0/-167,M3.1.0/167", "AAA-24BBB24,J1/0,J2/0",
    ]

    static func zones() throws -> [Zone] {
        let files = try CompiledZones.cases.get().files.sorted { $0.key < $1.key }
        return try files.map { try Zone(name: $0.key, tzif: $0.value) }
            + rules.map { try Zone(name: $0, posixRule: $0) }
    }

    @Test(arguments: UInt64(0)..<8)
    func `resolving means what it is defined to mean`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for zone in try Self.zones() {
            for _ in 0..<40 {
                let drawn = Int64.random(in: -4_000_000_000..<70_000_000_000, using: &random)
                let near = zone.nextTransition(after: drawn) ?? drawn
                for local in [drawn, near + Int64.random(in: -180_000...180_000, using: &random)] {
                    let expected = Self.definition(zone, local: local)
                    #expect(zone.resolve(local: local) == expected, "\(zone.name) \(local)")
                }
            }
        }
    }

    @Test func `transitions are the same forwards and backwards`() throws {
        for zone in try Self.zones() {
            // From before the first table to after its cycle, a thousand at most each.
            for start in [-5_000_000_000, 0, 10_000_000_000, 250_000_000_000] as [Int64] {
                var instant = start
                for _ in 0..<100 {
                    guard let next = zone.nextTransition(after: instant) else { break }
                    #expect(next > instant)
                    #expect(zone.previousTransition(before: next + 1) == next)
                    #expect(zone.nextTransition(after: next - 1) == next)
                    #expect(zone.description(at: next) != zone.description(at: next - 1))
                    #expect(zone.previousTransition(before: next).map { $0 <= instant } ?? true)
                    instant = next
                }
            }
        }
    }

    @Test(arguments: UInt64(0)..<4)
    func `a rule repeats every 400 years for ever`(seed: UInt64) throws {
        let cycle: Int64 = 146_097 * 86_400
        var random = SplitMix64(seed: seed)
        for rule in Self.rules {
            let zone = try Zone(name: rule, posixRule: rule)
            for _ in 0..<50 {
                let instant = Int64.random(in: -cycle...cycle, using: &random)
                let next = try #require(zone.nextTransition(after: instant))
                for cycles in [-700_000_000, -20, -1, 1, 2, 30, 700_000_000] as [Int64] {
                    let shift = cycles * cycle
                    #expect(zone.description(at: instant + shift) == zone.description(at: instant))
                    #expect(zone.nextTransition(after: instant + shift) == next + shift)
                }
            }
        }
    }

    @Test func `the ends of Int64 are answered`() throws {
        for zone in try Self.zones() { TZifHostileTests.exercise(zone) }
    }
}
