// The wheel's promises, one by one: exact, in order, never early, for every instant that can be
// named.

import Testing
import TimingWheel

/// 1 ms, the wheel's tick, in the microseconds of its interface.
private let tick: Int64 = 1_000

struct WheelTests {
    @Test func `a timer expires at its microsecond and not before`() {
        for deadline: Int64 in [1, 999, 1_000, 1_001, 63_999, 64_000, 64_001, 123_456_789] {
            var wheel = Wheel(startingAt: 0)
            _ = wheel.add(deadline: deadline, payload: 7)
            #expect(wheel.nextDeadline() == deadline)
            #expect(wheel.expired(by: deadline - 1) == [])
            #expect(wheel.nextDeadline() == deadline)
            #expect(wheel.expired(by: deadline) == [7])
            #expect(wheel.nextDeadline() == nil)
            #expect(wheel.count == 0)
        }
    }

    @Test func `timers of one millisecond expire one by one in order`() {
        var wheel = Wheel(startingAt: 5_000_000)
        for offset: UInt64 in [3, 1, 999, 2, 0, 500] {
            _ = wheel.add(deadline: 5_000_000 + Int64(offset), payload: offset)
        }
        #expect(wheel.expired(by: 5_000_001) == [0, 1])
        #expect(wheel.nextDeadline() == 5_000_002)
        #expect(wheel.expired(by: 5_000_003) == [2, 3])
        #expect(wheel.expired(by: 5_000_998) == [500])
        #expect(wheel.nextDeadline() == 5_000_999)
        #expect(wheel.expired(by: 9_000_000) == [999])
    }

    @Test func `equal instants expire in the order of adding, whatever level they came from`() {
        let deadline: Int64 = 300_000_000_123
        var wheel = Wheel(startingAt: 0)
        var payload: UInt64 = 0
        // Each is filed a level lower than the one before, and must not overtake it.
        for distance: Int64 in [
            300_000_000_123, 200_000_000_000, 250_000_000, 4_000_000, 60_000, 1_000, 1,
        ] {
            #expect(wheel.expired(by: deadline - distance) == [])
            _ = wheel.add(deadline: deadline, payload: payload)
            payload += 1
        }
        #expect(wheel.expired(by: deadline) == Array(0..<payload))
    }

    @Test func `what is overdue expires at the next advance, the oldest first`() {
        var wheel = Wheel(startingAt: 10_000_000)
        _ = wheel.add(deadline: 10_000_000, payload: 3)
        _ = wheel.add(deadline: -5, payload: 1)
        _ = wheel.add(deadline: 9_999_999, payload: 2)
        _ = wheel.add(deadline: .min, payload: 0)
        #expect(wheel.nextDeadline() == .min)
        // Even when the caller's time is the overdue instant itself.
        #expect(wheel.expired(by: .min) == [0])
        #expect(wheel.nextDeadline() == -5)
        #expect(wheel.expired(by: 10_000_000) == [1, 2, 3])
    }

    @Test func `a time that goes back moves nothing back`() {
        var wheel = Wheel(startingAt: 0)
        #expect(wheel.expired(by: 5_000_000) == [])
        _ = wheel.add(deadline: 5_000_500, payload: 1)
        #expect(wheel.expired(by: 1_000_000) == [])
        _ = wheel.add(deadline: 2_000_000, payload: 2)
        #expect(wheel.expired(by: 1_000_000) == [])
        #expect(wheel.expired(by: 2_000_000) == [2])
        #expect(wheel.expired(by: 5_000_500) == [1])
        #expect(wheel.violation() == nil)
    }

    @Test func `an identifier fits its timer once`() {
        var wheel = Wheel(startingAt: 0)
        let first = wheel.add(deadline: 10, payload: 1)
        #expect(wheel.cancel(first) == true)
        #expect(wheel.cancel(first) == false)
        // The next timer takes the same place.
        let second = wheel.add(deadline: 20, payload: 2)
        #expect(second != first)
        #expect(wheel.cancel(first) == false)
        #expect(wheel.expired(by: 20) == [2])
        #expect(wheel.cancel(second) == false)
        #expect(wheel.count == 0)
    }

    @Test func `no identifier is given twice`() {
        var wheel = Wheel(startingAt: 0)
        // More timers in one place than 16 bits of generation tell apart.
        let count = 70_000
        var ids: Set<Wheel.TimerID> = []
        var cancelled = 0
        for _ in 0..<count {
            let id = wheel.add(deadline: 10, payload: 1)
            ids.insert(id)
            if wheel.cancel(id) { cancelled += 1 }
        }
        #expect(cancelled == count)
        #expect(ids.count == count)
        #expect(wheel.violation() == nil)
    }

    @Test func `an identifier of a larger wheel is refused by a smaller one`() {
        var large = Wheel(startingAt: 0)
        for payload: UInt64 in 0..<4 { _ = large.add(deadline: 1, payload: payload) }
        let id = large.add(deadline: 1, payload: 5)
        var small = Wheel(startingAt: 0)
        #expect(small.cancel(id) == false)
    }

    @Test func `cancelling any one of a slot leaves the others`() {
        for victim in 0..<5 {
            var wheel = Wheel(startingAt: 0)
            let ids = (0..<5).map { wheel.add(deadline: 90_000 + Int64($0), payload: UInt64($0)) }
            #expect(wheel.cancel(ids[victim]) == true)
            #expect(wheel.nextDeadline() == (victim == 0 ? 90_001 : 90_000))
            #expect(wheel.violation() == nil)
            #expect(wheel.expired(by: 90_004) == (0..<5).filter { $0 != victim }.map(UInt64.init))
        }
    }

    @Test(arguments: [2, 16, 64, 65, 1_000])
    func `when the earliest of many is cancelled the next deadline still makes progress`(
        count: Int
    ) throws {
        var wheel = Wheel(startingAt: 0)
        let base: Int64 = 1 << 50
        let ids = (0..<count).map { wheel.add(deadline: base + Int64($0) * 7, payload: UInt64($0)) }
        #expect(wheel.cancel(ids[0]) == true)
        let answer = try #require(wheel.nextDeadline())
        // A short slot is looked through; a long one answers with what it knew.
        #expect(answer == (count <= 64 ? base + 7 : base))
        var expired = wheel.expired(by: answer)
        if answer == base {
            #expect(expired == [])
            #expect(wheel.nextDeadline() == base + 7)
            expired = wheel.expired(by: base + 7)
        }
        #expect(expired == [1])
    }

    @Test func `a copy is a wheel of its own`() {
        var wheel = Wheel(startingAt: 0)
        let id = wheel.add(deadline: 50, payload: 1)
        var copy = wheel
        #expect(copy.cancel(id) == true)
        #expect(copy.expired(by: 50) == [])
        #expect(wheel.expired(by: 50) == [1])
    }

    @Test func `a clock before zero traps`() async {
        await #expect(processExitsWith: .failure) { _ = Wheel(startingAt: -1) }
    }

    /// In milliseconds; the year is of 365 days.
    @Test(
        arguments: [
            2_147_483_647, 2_147_483_648, 30 * 86_400_000, (1 << 36) - 1, 1 << 36,
            10 * 365 * 86_400_000, 100 * 365 * 86_400_000, Int64.max / 1_000,
        ] as [Int64])
    func `B64: a long delay fires once, at its instant`(delay: Int64) {
        for start: Int64 in [0, 1, 63_999, 123_456_789_012] where delay < (.max - start) / tick {
            var wheel = Wheel(startingAt: start)
            let deadline = start + delay * tick
            _ = wheel.add(deadline: deadline, payload: 1)
            #expect(wheel.expired(by: deadline - 1) == [])
            #expect(wheel.nextDeadline() == deadline)
            #expect(wheel.expired(by: deadline) == [1])
            #expect(wheel.expired(by: .max) == [])
        }
    }

    @Test func `B64: the last instant there is can be waited for`() {
        var wheel = Wheel(startingAt: .max - 5)
        for offset: Int64 in [5, 0, 3] {
            _ = wheel.add(deadline: .max - offset, payload: UInt64(offset))
        }
        #expect(wheel.expired(by: .max - 4) == [5])
        #expect(wheel.expired(by: .max - 1) == [3])
        #expect(wheel.nextDeadline() == .max)
        #expect(wheel.expired(by: .max) == [0])
    }

    /// In milliseconds.
    @Test(arguments: [(1 << 36) - 1, 1 << 36, (1 << 36) + 1, 1 << 42, 1 << 48, 1 << 52] as [Int64])
    func `B64: a wheel that has lived long takes a timer of a millisecond`(age: Int64) {
        // Reached in one jump, in a wheel that holds something, and from the start.
        var jumped = Wheel(startingAt: 0)
        _ = jumped.add(deadline: .max, payload: 0)
        #expect(jumped.expired(by: age * tick) == [])
        for var wheel in [jumped, Wheel(startingAt: age * tick)] {
            _ = wheel.add(deadline: (age + 1) * tick, payload: 1)
            #expect(wheel.nextDeadline() == (age + 1) * tick)
            #expect(wheel.expired(by: (age + 1) * tick - 1) == [])
            #expect(wheel.expired(by: (age + 1) * tick) == [1])
            #expect(wheel.violation() == nil)
        }
    }
}

extension Wheel {
    /// The payloads that an advance to `now` hands out.
    mutating func expired(by now: Int64) -> [UInt64] {
        var payloads: [UInt64] = []
        advance(to: now) { payloads.append($0) }
        return payloads
    }
}
