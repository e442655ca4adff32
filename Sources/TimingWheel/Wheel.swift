// Timers by deadline. A sorted list stands here until the hierarchical wheel takes its place behind
// the same interface.

/// Timers on one monotonic clock, in microseconds.
package struct Wheel: Sendable {
    /// Names a timer; never given out twice.
    package struct TimerID: Sendable, Hashable {
        fileprivate let number: Int
    }

    private var entries: [(deadline: Int64, number: Int, payload: UInt64)] = []
    private var lastNumber = 0

    package init(startingAt now: Int64) {}

    package var count: Int { entries.count }

    /// Adds a timer; equal deadlines expire in the order of adding.
    package mutating func add(deadline: Int64, payload: UInt64) -> TimerID {
        lastNumber += 1
        let place = entries.firstIndex { $0.deadline > deadline } ?? entries.count
        entries.insert((deadline, lastNumber, payload), at: place)
        return TimerID(number: lastNumber)
    }

    /// False if the timer has expired or was cancelled before.
    package mutating func cancel(_ id: TimerID) -> Bool {
        guard let place = entries.firstIndex(where: { $0.number == id.number }) else {
            return false
        }
        entries.remove(at: place)
        return true
    }

    package func nextDeadline() -> Int64? { entries.first?.deadline }

    /// Expires every timer with a deadline of at most `now`, in order.
    package mutating func advance(to now: Int64, expire: (UInt64) -> Void) {
        let due = entries.prefix { $0.deadline <= now }
        entries.removeFirst(due.count)
        for entry in due { expire(entry.payload) }
    }
}
