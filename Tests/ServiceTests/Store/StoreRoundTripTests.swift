// Everything that is stored comes back as it was: through the columns, the file and a reopening.

import CivilTime
import Scheduling
import Service
import TestSupport
import Testing

@Suite struct StoreRoundTripTests {
    @Test(arguments: UInt64(0)..<32)
    func `what random turns stored is there again after reopening`(seed: UInt64) throws {
        let folder = try StoreFolder()
        var random = SplitMix64(seed: seed)
        var model = StoreModel()
        for _ in 0..<3 {
            let (store, state, notices) = try folder.open()
            #expect(state == model.state)
            #expect(notices == [])
            for _ in 0..<12 {
                let changes = model.randomChanges(
                    count: .random(in: 0...6, using: &random), using: &random)
                try store.save(changes, durable: .random(using: &random))
                model.apply(changes)
            }
            store.shut()
        }
        #expect(try folder.contents() == model.state)
    }

    private static let triggers: [Trigger] =
        [
            .now, .date(WallInstant(microseconds: 1_796_011_200_000_001)),
            .interval(IntervalTrigger(period: 1, repeats: false)),
            .interval(
                IntervalTrigger(
                    period: Limits.spanMicroseconds, repeats: true,
                    bounds: Bounds(startsAt: WallInstant(seconds: 5), maxCount: 3))),
        ]
        + Trigger.patterns.compactMap { try? CalendarPattern(compact: $0) }.map {
            .calendar(
                CalendarTrigger(
                    pattern: $0, zone: "Europe/Zurich", repeats: true,
                    stride: Stride(count: 2, unit: .week),
                    bounds: Bounds(endsAt: WallInstant(seconds: 7))))
        }

    @Test func `every kind of trigger comes back, its pattern to the letter`() throws {
        #expect(Self.triggers.count == 4 + Trigger.patterns.count)
        let folder = try StoreFolder()
        let (store, _, _) = try folder.open()
        for (index, trigger) in Self.triggers.enumerated() {
            let request = Request(
                identifier: "\(index)", content: Content(title: ""), trigger: trigger)
            let pending = PendingRequest(
                app: "app", request: request, sequence: Int64(index + 1),
                added: WallInstant(seconds: 1), next: .wall(WallInstant(seconds: 2)))
            try store.save([.pending(before: nil, after: pending)])
        }
        store.shut()
        let read = try folder.contents().pending.map(\.request.trigger)
        #expect(read == Self.triggers)
        for case (.calendar(let read), .calendar(let written)) in zip(read, Self.triggers) {
            #expect(read.pattern.compact == written.pattern.compact)
        }
    }

    @Test(arguments: UInt64(0)..<64)
    func `fired ranges come back from their text`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let ranges = FiredRanges.random(using: &random)
        #expect(FiredRanges(compact: ranges.compact) == ranges)
    }

    @Test(arguments: [
        " ", "x", "1+", "1+0", "1+-1", "1 ", "1  2", "1+2+3", "9223372036854775807+1",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17",
    ])
    func `a text that is no list of fired ranges is refused`(text: String) {
        #expect(FiredRanges(compact: text) == nil)
    }

    @Test func `a row's checksum tells values, their order and their table apart`() {
        func hash(_ table: StaticString, _ body: (inout RowHash) -> Void) -> Int64 {
            var hash = RowHash(table: table)
            body(&hash)
            return hash.value
        }
        func combine(_ text: String, into hash: inout RowHash) {
            var text = text
            text.withUTF8 { unsafe hash.combine(text: UnsafeRawBufferPointer($0)) }
        }
        let hashes: [Int64] = [
            hash("pending") { _ in },
            hash("missed") { _ in },
            hash("pending") { $0.combineNull() },
            hash("pending") { $0.combine(0) },
            hash("pending") { combine("", into: &$0) },
            hash("pending") { combine("\0", into: &$0) },
            hash("pending") { combine("\0\0", into: &$0) },
            hash("pending") { combine("abcdefgh", into: &$0) },
            hash("pending") { combine("abcdefghi", into: &$0) },
            hash("pending") {
                combine("abcdefgh", into: &$0)
                combine("i", into: &$0)
            },
            hash("pending") {
                $0.combine(1)
                $0.combine(2)
            },
            hash("pending") {
                $0.combine(2)
                $0.combine(1)
            },
        ]
        #expect(Set(hashes).count == hashes.count)
        // Part of the file format: a change of this number needs a migration.
        #expect(hash("pending") { $0.combine(1) } == 6_450_326_756_818_165_105)
    }
}
