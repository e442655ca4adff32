// The timing wheel beside a binary heap with the same operations, from a thousand timers to a
// million: deadlines at random within a day, timers cancelled in random order, expired one by one.

import TimingWheel

enum WheelBenchmark {
    /// Nanoseconds per operation.
    private struct Costs {
        var add: Double
        /// Cancelling a timer at random and adding another.
        var replace: Double
        var expire: Double

        /// The best of several runs, each number by itself.
        func best(_ other: Costs) -> Costs {
            Costs(
                add: min(add, other.add), replace: min(replace, other.replace),
                expire: min(expire, other.expire))
        }
    }

    private static let counts = [1_000, 10_000, 100_000, 1_000_000]
    private static let day: Int64 = 86_400_000_000

    static func run() -> [ReportRow] {
        var rows: [ReportRow] = []
        var replacing: [Double] = []
        var touching: [Double] = []
        for count in counts {
            var ours = measureWheel(count)
            var heap = measureHeap(count)
            for _ in 1..<3 {
                ours = ours.best(measureWheel(count))
                heap = heap.best(measureHeap(count))
            }
            replacing.append(ours.replace)
            touching.append((0..<3).map { _ in measureMemory(count) }.min() ?? .infinity)
            // The target is for a million; below, the heap is in the processor's cache.
            let times = count == counts.last ? 5.0 : nil
            rows.append(row("add", count, ours.add, heap.add, times: nil))
            rows.append(row("cancel + add", count, ours.replace, heap.replace, times: times))
            rows.append(row("expire", count, ours.expire, heap.expire, times: nil))
        }
        // Nothing grows but the way to the memory: a bare array of as many entries shows that.
        let name = "cancel + add, a million to a thousand"
        let growth = growth(replacing)
        rows.append(.limited(name, growth, unit: "x", to: 3))
        rows.append(
            .compared(
                name, ours: growth, to: self.growth(touching), of: "an array, touched at random",
                unit: "x", atMost: 1))
        return rows
    }

    private static func growth(_ costs: [Double]) -> Double {
        (costs.last ?? .infinity) / (costs.first ?? .infinity)
    }

    private static func row(
        _ operation: String, _ count: Int, _ ours: Double, _ heap: Double, times: Double?
    ) -> ReportRow {
        .compared(
            "\(operation), \(count) timers", ours: ours, to: heap, of: "binary heap", unit: "ns",
            atLeast: times)
    }

    /// What both are given: the deadlines of the first timers and of those that replace them.
    private struct Load {
        let deadlines: [Int64]
        let later: [Int64]

        init(_ count: Int) {
            var random = SplitMix(state: UInt64(count))
            deadlines = (0..<count).map { _ in Int64.random(in: 0..<day, using: &random) }
            let replaced = max(2 * count, 200_000)
            later = (0..<replaced).map { _ in Int64.random(in: 0..<day, using: &random) }
        }
    }

    private static func measureWheel(_ count: Int) -> Costs {
        let load = Load(count)
        var wheel = Wheel(startingAt: 0)
        var ids: [Wheel.TimerID] = []
        ids.reserveCapacity(count)
        let add = Stopwatch.processorNanoseconds {
            for deadline in load.deadlines {
                ids.append(wheel.add(deadline: deadline, payload: UInt64(ids.count)))
            }
        }
        // So that each step cancels a timer at random, and reads its identifier in order.
        var random = SplitMix(state: 1)
        ids.shuffle(using: &random)
        let replace = Stopwatch.processorNanoseconds {
            var next = 0
            for deadline in load.later {
                if !wheel.cancel(ids[next]) { preconditionFailure("the timer is there") }
                ids[next] = wheel.add(deadline: deadline, payload: UInt64(next))
                next = next + 1 == count ? 0 : next + 1
            }
        }
        var expired = 0
        let expire = Stopwatch.processorNanoseconds {
            while let deadline = wheel.nextDeadline() {
                wheel.advance(to: deadline) { _ in expired += 1 }
            }
        }
        precondition(expired == count)
        return costs(add, replace, expire, count: count, replaced: load.later.count)
    }

    /// What it costs to change one entry at random of an array of as many, as long as the wheel's.
    private static func measureMemory(_ count: Int) -> Double {
        struct Entry {
            var deadline: Int64 = 0
            var payload: UInt64 = 0
            var id: UInt64 = 0
        }
        var entries = [Entry](repeating: Entry(), count: count)
        var places = Array(0..<count)
        var random = SplitMix(state: 1)
        places.shuffle(using: &random)
        let later = Load(count).later
        let time = Stopwatch.processorNanoseconds {
            var next = 0
            for deadline in later {
                entries[places[next]].deadline &+= deadline
                entries[places[next]].id &+= 1
                next = next + 1 == count ? 0 : next + 1
            }
        }
        precondition(entries.reduce(0) { $0 + $1.id } == later.count)
        return time / Double(later.count)
    }

    private static func measureHeap(_ count: Int) -> Costs {
        let load = Load(count)
        var heap = BinaryHeap()
        var ids: [BinaryHeap.TimerID] = []
        ids.reserveCapacity(count)
        let add = Stopwatch.processorNanoseconds {
            for deadline in load.deadlines {
                ids.append(heap.add(deadline: deadline, payload: UInt64(ids.count)))
            }
        }
        var random = SplitMix(state: 1)
        ids.shuffle(using: &random)
        let replace = Stopwatch.processorNanoseconds {
            var next = 0
            for deadline in load.later {
                if !heap.cancel(ids[next]) { preconditionFailure("the timer is there") }
                ids[next] = heap.add(deadline: deadline, payload: UInt64(next))
                next = next + 1 == count ? 0 : next + 1
            }
        }
        var expired = 0
        let expire = Stopwatch.processorNanoseconds {
            while let deadline = heap.nextDeadline() {
                heap.advance(to: deadline) { _ in expired += 1 }
            }
        }
        precondition(expired == count)
        return costs(add, replace, expire, count: count, replaced: load.later.count)
    }

    private static func costs(
        _ add: Double, _ replace: Double, _ expire: Double, count: Int, replaced: Int
    ) -> Costs {
        Costs(
            add: add / Double(count), replace: replace / Double(replaced),
            expire: expire / Double(count))
    }
}

/// SplitMix64: the same load in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
