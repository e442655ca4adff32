// The engine against the oracle that walks real time: random patterns, in every installed zone,
// around the gaps and overlaps of 2000 to 2037 and at random times between them. The installed
// tzdata decides which zones and transitions are met, never what is expected of them.

import CivilTime
import Foundation
import TestSupport
import Testing

@Suite
struct PatternOracleTests {
    /// A long run is asked for by SCHEDD_LONG=1.
    private static let isLong = ProcessInfo.processInfo.environment["SCHEDD_LONG"] == "1"
    /// Runs of the comparison; a long one asks well over a million questions.
    private static let seeds: [UInt64] = isLong ? Array(1...64) : [1, 2]
    private static let patternsPerSeed = isLong ? 1_000 : 60

    @Test(arguments: seeds)
    func `next and previous agree with a walk through real time`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let zones = try installedZones()
        var questions = 0
        for index in 0..<Self.patternsPerSeed {
            let (zone, window) = try place(zones, using: &random)
            let drawn = RandomPattern(using: &random, near: civilMiddle(of: window, in: zone))
            guard let pattern = try? drawn.make() else { continue }
            let label = "seed \(seed), pattern \(index): \(pattern.compact) in \(zone.name)"
            let known = drawn.naive.occurrences(
                from: window.lowerBound, through: window.upperBound, in: zone)
            #expect(pattern.namesHour == drawn.naive.namesHour)
            questions += try compare(pattern, known, in: zone, window, nil, label)
            questions += probe(pattern, known, in: zone, window, &random, label)
        }
        #expect(questions > 40 * Self.patternsPerSeed)
        print("seed \(seed): \(questions) questions")
    }

    @Test(arguments: seeds)
    func `strides count civil dates, as the walk does`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed &+ 1_000)
        let zones = try installedZones()
        for index in 0..<Self.patternsPerSeed / 3 {
            let (zone, window) = try place(zones, using: &random)
            let drawn = RandomPattern(using: &random, near: civilMiddle(of: window, in: zone))
            guard let pattern = try? drawn.make() else { continue }
            let unit = try #require(Stride.Unit.allCases.randomElement(using: &random))
            let stride = try #require(Stride(count: .random(in: 1...5, using: &random), unit: unit))
            let anchor = window.lowerBound + .random(in: -9_000_000...9_000_000, using: &random)
            let label =
                "seed \(seed), pattern \(index): every \(stride.count) \(unit) of "
                + "\(pattern.compact) in \(zone.name) from \(WallInstant(seconds: anchor).text)"
            let start = WallInstant(seconds: anchor)
            let known = drawn.naive.occurrences(
                from: window.lowerBound, through: window.upperBound, in: zone
            ) { isCounted($0, stride, start, zone, drawn.firstWeekday) }
            _ = try compare(pattern, known, in: zone, window, (stride, start), label)
        }
    }

    @Test(arguments: seeds)
    func `a pattern is refused exactly when no date of 400 years has its fields`(
        _ seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed &+ 2_000)
        for index in 0..<(Self.isLong ? 200 : 15) {
            let drawn = RandomPattern(
                using: &random, near: CivilDateTime(year: 2027, month: 2, day: 28))
            var isRefused = false
            do throws(PatternError) {
                _ = try drawn.make()
            } catch {
                #expect(error == .neverFires)
                isRefused = true
            }
            #expect(
                isRefused != drawn.naive.matchesAnyDate,
                "seed \(seed), pattern \(index): \(drawn)")
        }
    }

    /// Asks for every occurrence of the window one after the other, forwards and backwards.
    ///
    /// - Returns: How many questions were asked.
    private func compare(
        _ pattern: CalendarPattern, _ expected: [Int64], in zone: Zone,
        _ window: ClosedRange<Int64>, _ every: (stride: Stride, anchor: WallInstant)?,
        _ label: String
    ) throws -> Int {
        // A dense pattern has a day's worth of them; a part is enough.
        var shortened = expected.prefix(400)
        var instant = WallInstant(seconds: window.lowerBound - 1)
        while let due = shortened.popFirst() {
            let next = pattern.next(
                after: instant, in: zone, every: every?.stride,
                anchor: every.map { .instant($0.anchor) })
            guard next == WallInstant(seconds: due) else {
                Issue.record(
                    """
                    \(label): after \(instant.text) comes \(next?.text ?? "nothing"), \
                    not \(WallInstant(seconds: due).text)
                    """)
                return 1
            }
            instant = WallInstant(seconds: due)
        }
        let last = WallInstant(seconds: window.upperBound + 1)
        if expected.count <= 400 {
            let next = pattern.next(
                after: instant, in: zone, every: every?.stride,
                anchor: every.map { .instant($0.anchor) })
            #expect(next.map { $0 >= last } ?? true, "\(label): \(next?.text ?? "") is too early")
        }
        instant = last
        for due in expected.suffix(400).reversed() {
            let previous = pattern.previous(
                before: instant, in: zone, every: every?.stride,
                anchor: every.map { .instant($0.anchor) })
            guard previous == WallInstant(seconds: due) else {
                Issue.record(
                    """
                    \(label): before \(instant.text) comes \(previous?.text ?? "nothing"), \
                    not \(WallInstant(seconds: due).text)
                    """)
                return 1
            }
            instant = WallInstant(seconds: due)
        }
        return 2 * min(expected.count, 400) + 1
    }

    /// Asks from any second around the middle of the window, also from within an overlap.
    private func probe(
        _ pattern: CalendarPattern, _ known: [Int64], in zone: Zone,
        _ window: ClosedRange<Int64>, _ random: inout SplitMix64, _ label: String
    ) -> Int {
        let middle = (window.lowerBound + window.upperBound) / 2
        let probes = 40
        for _ in 0..<probes {
            let from = middle + .random(in: -10_800...10_800, using: &random)
            let next = pattern.next(after: WallInstant(seconds: from), in: zone)?.wholeSeconds
            if let due = known.first(where: { $0 > from }) {
                #expect(next == due, "\(label): next after \(from)")
            } else {
                #expect(next.map { $0 > window.upperBound } ?? true, "\(label): after \(from)")
            }
            let last = pattern.previous(before: WallInstant(seconds: from), in: zone)?.wholeSeconds
            if let due = known.last(where: { $0 < from }) {
                #expect(last == due, "\(label): previous before \(from)")
            } else {
                #expect(last.map { $0 < window.lowerBound } ?? true, "\(label): before \(from)")
            }
        }
        return 2 * probes
    }

    private func civilMiddle(of window: ClosedRange<Int64>, in zone: Zone) -> CivilDateTime {
        let middle = (window.lowerBound + window.upperBound) / 2
        return CivilDateTime(localSeconds: middle + Int64(zone.offset(at: middle)))
    }

    private func isCounted(
        _ date: CivilDate, _ stride: Stride, _ anchor: WallInstant, _ zone: Zone,
        _ firstWeekday: Int
    ) -> Bool {
        let second = anchor.wholeSeconds
        let start = CivilDateTime(localSeconds: second + Int64(zone.offset(at: second))).date
        let distance: Int
        switch stride.unit {
        case .day: distance = date.daysSinceEpoch - start.daysSinceEpoch
        case .week:
            func weekStart(_ date: CivilDate) -> Int {
                var day = date.daysSinceEpoch
                while CivilDate.weekday(daysSinceEpoch: day) != firstWeekday { day -= 1 }
                return day
            }
            distance = (weekStart(date) - weekStart(start)) / 7
        case .month: distance = (date.year - start.year) * 12 + date.month - start.month
        case .year: distance = date.year - start.year
        }
        return distance % stride.count == 0
    }

    /// A zone and a window; now and then the two that went without a day in December 2011.
    private func place(
        _ zones: [Zone], using random: inout SplitMix64
    ) throws -> (Zone, ClosedRange<Int64>) {
        var zone = try #require(zones.randomElement(using: &random))
        // Most zones have no transitions any more; prefer those that do.
        for _ in 0..<3 where zone.nextTransition(after: Self.years.upperBound) == nil {
            zone = try #require(zones.randomElement(using: &random))
        }
        guard Int.random(in: 0..<12, using: &random) == 0,
            let samoa = zones.first(where: { $0.name == "Pacific/Apia" })
        else { return (zone, window(in: zone, using: &random)) }
        let middle = WallInstant("2011-12-30T10:00:00Z").wholeSeconds
        return (samoa, middle - 172_800...middle + 172_800)
    }

    /// Some days around a transition, or anywhere; now and then a longer time.
    private func window(in zone: Zone, using random: inout SplitMix64) -> ClosedRange<Int64> {
        var middle = Int64.random(in: Self.years, using: &random)
        if Int.random(in: 0..<8, using: &random) != 0,
            let transition = zone.nextTransition(after: middle), Self.years ~= transition
        {
            middle = transition
        }
        middle -= middle % 60
        let hours: Int64 = Int.random(in: 0..<20, using: &random) == 0 ? 1_000 : 36
        return middle - hours * 3_600...middle + hours * 3_600
    }

    /// 2000-01-01 to 2037-12-31.
    private static let years: ClosedRange<Int64> = 946_684_800...2_145_830_400

    private func installedZones() throws -> [Zone] {
        let root = URL(filePath: "/usr/share/zoneinfo")
        let names = try String(contentsOf: root.appending(path: "tzdata.zi"), encoding: .utf8)
            .split(separator: "\n").compactMap { line -> String? in
                let words = line.split(separator: " ")
                return words.first == "Z" && words.count > 1 ? String(words[1]) : nil
            }
        #expect(names.count > 300)
        return try names.map { name in
            let bytes = [UInt8](try Data(contentsOf: root.appending(path: name)))
            return try Zone(name: name, tzif: bytes)
        }
    }
}
