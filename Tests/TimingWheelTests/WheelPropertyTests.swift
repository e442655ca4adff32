// The wheel against a list that is plainly right, by random adds, cancels and advances from a seed.

import TestSupport
import Testing
import TimingWheel

/// Timers in the order in which they expire.
private struct SortedList {
    struct Timer {
        let deadline: Int64
        let payload: UInt64
        let id: Wheel.TimerID
    }

    private(set) var timers: [Timer] = []

    mutating func add(_ timer: Timer) {
        // After all that are equal: the later added comes later.
        let place = timers.firstIndex { $0.deadline > timer.deadline } ?? timers.count
        timers.insert(timer, at: place)
    }

    mutating func remove(at index: Int) -> Timer { timers.remove(at: index) }

    mutating func expired(by now: Int64) -> [UInt64] {
        let due = timers.prefix { $0.deadline <= now }
        timers.removeFirst(due.count)
        return due.map(\.payload)
    }
}

struct WheelPropertyTests {
    @Test(arguments: UInt64(0)..<64)
    func `the wheel does what a sorted list does`(seed: UInt64) throws {
        // Few timers check each step fully and exactly, many fill the slots.
        try run(seed: seed, steps: 400, limit: seed.isMultiple(of: 4) ? 300 : 12)
    }

    private func run(seed: UInt64, steps: Int, limit: Int) throws {
        var random = SplitMix64(seed: seed)
        var now = Self.instant(using: &random)
        var wheel = Wheel(startingAt: now)
        var list = SortedList()
        var spent: [Wheel.TimerID] = []
        for step in 0..<steps {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6 where list.timers.count < limit:
                // Often an instant that another timer has, or one that has passed.
                let known = list.timers.randomElement(using: &random)?.deadline
                let deadline =
                    switch Int.random(in: 0..<8, using: &random) {
                    case 0: known ?? now
                    case 1: now - Int64.random(in: 0...5_000, using: &random)
                    default: Self.later(than: now, using: &random)
                    }
                let payload = UInt64(step)
                let id = wheel.add(deadline: deadline, payload: payload)
                list.add(.init(deadline: deadline, payload: payload, id: id))
            case 6 where !list.timers.isEmpty:
                let victim = list.remove(at: Int.random(in: 0..<list.timers.count, using: &random))
                #expect(wheel.cancel(victim.id) == true)
                spent.append(victim.id)
            case 7:
                guard let id = spent.randomElement(using: &random) else { continue }
                #expect(wheel.cancel(id) == false)
            default:
                let ids = list.timers
                let target =
                    Bool.random(using: &random)
                    ? try advanceToNext(&wheel, list) : Self.later(than: now, using: &random)
                let expected = list.expired(by: target)
                #expect(wheel.expired(by: target) == expected)
                spent += ids.prefix(expected.count).map(\.id)
                now = max(now, target)
            }
            #expect(wheel.count == list.timers.count)
            let next = wheel.nextDeadline()
            let earliest = list.timers.first?.deadline
            #expect((next == nil) == (earliest == nil))
            if let next, let earliest { #expect(next <= earliest) }
            // Slots of up to 64 entries, some of them dead, know their earliest exactly.
            if limit <= 32 { #expect(next == earliest) }
            if step.isMultiple(of: 16) { #expect(wheel.violation() == nil) }
        }
        #expect(wheel.expired(by: .max) == list.expired(by: .max))
        #expect(wheel.violation() == nil)
    }

    /// Follows `nextDeadline` until it is a timer's: each answer before must be strictly later than
    /// the one before it, and there are at most as many as levels.
    private func advanceToNext(_ wheel: inout Wheel, _ list: SortedList) throws -> Int64 {
        guard let earliest = list.timers.first?.deadline else { return 0 }
        var last = try #require(wheel.nextDeadline())
        var turns = 0
        while last < earliest {
            #expect(wheel.expired(by: last) == [])
            let next = try #require(wheel.nextDeadline())
            try #require(next > last)
            last = next
            turns += 1
            try #require(turns <= 9)
        }
        return earliest
    }

    /// Any magnitude is as likely as any other, up to 100 years and some beyond.
    private static func instant(using random: inout SplitMix64) -> Int64 {
        let bits = Int64.random(in: 0...53, using: &random)
        return Int64.random(in: 0...(1 << bits), using: &random)
    }

    private static func later(than now: Int64, using random: inout SplitMix64) -> Int64 {
        let (sum, overflow) = now.addingReportingOverflow(instant(using: &random))
        return overflow ? .max : sum
    }
}
