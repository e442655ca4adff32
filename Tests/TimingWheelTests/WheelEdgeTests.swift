// Every level and every slot at its edges: the places where a digit carries.

import Testing
import TimingWheel

struct WheelEdgeTests {
    /// 9 levels of 6 bits.
    private static let levels = 0..<9

    /// Instants in microseconds around the first tick of every slot of a level, as far as Int64
    /// goes.
    private static func edges(ofLevel level: Int) -> [Int64] {
        (1..<64).flatMap { slot -> [Int64] in
            let (firstTick, overflow) = Int64(slot).multipliedReportingOverflow(
                by: 1 << Int64(6 * level))
            guard !overflow, firstTick < Int64.max / 1_000 - 1 else { return [] }
            let first = firstTick * 1_000
            return [first - 1_000, first - 1, first, first + 1, first + 999, first + 1_000]
        }
    }

    @Test(arguments: levels, [0, 1, 62, 63] as [Int64])
    func `every slot of every level expires at its edges`(level: Int, start: Int64) {
        let edges = Self.edges(ofLevel: level).filter { $0 >= start * 1_000 }
        var wheel = Wheel(startingAt: start * 1_000)
        for deadline in edges.reversed() {
            _ = wheel.add(deadline: deadline, payload: UInt64(deadline))
        }
        #expect(wheel.violation() == nil)
        for deadline in Set(edges).sorted() {
            #expect(wheel.nextDeadline() == deadline)
            #expect(wheel.expired(by: deadline - 1) == [])
            let count = edges.count { $0 == deadline }
            let expected = Array(repeating: UInt64(deadline), count: count)
            #expect(wheel.expired(by: deadline) == expected)
        }
        #expect(wheel.count == 0)
        #expect(wheel.violation() == nil)
    }

    @Test(arguments: levels)
    func `from every edge every later edge is reached`(level: Int) {
        // The first and last slots of each level, and one in the middle, from everywhere to
        // everywhere.
        let all = Self.levels.flatMap { level in
            [1, 2, 31, 63].flatMap { slot -> [Int64] in
                let first = Int64(slot) << Int64(6 * level)
                return first < Int64.max / 1_000 - 1 ? [first - 1, first, first + 1] : []
            }
        }
        let starts = [1, 2, 31, 63].flatMap { slot -> [Int64] in
            let first = Int64(slot) << Int64(6 * level)
            return first < Int64.max / 1_000 - 1 ? [first - 1, first] : []
        }
        for start in starts {
            var filled = Wheel(startingAt: start * 1_000)
            var expected: [Int64] = []
            for tick in Set(all).sorted(by: >) where tick >= start {
                // One alone, which has to come down through the levels by itself.
                var alone = Wheel(startingAt: start * 1_000)
                _ = alone.add(deadline: tick * 1_000 + 17, payload: 1)
                #expect(alone.expired(by: tick * 1_000 + 16) == [])
                #expect(alone.nextDeadline() == tick * 1_000 + 17)
                #expect(alone.expired(by: tick * 1_000 + 17) == [1])
                _ = filled.add(deadline: tick * 1_000 + 17, payload: UInt64(tick))
                expected.insert(tick, at: 0)
            }
            // And all in one jump, in order.
            #expect(filled.violation() == nil)
            #expect(filled.expired(by: .max) == expected.map(UInt64.init))
        }
    }
}
