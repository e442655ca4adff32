// Which timers live: a word for each, so that cancelling one of a million touches four bytes of
// four megabytes. An index is used again with a new generation, so that an identifier of the old
// timer no longer fits.

/// The generations of all indices, and the indices that are free.
struct TimerTable: Sendable {
    private(set) var generations: [UInt32] = []
    private(set) var free: [UInt32] = []

    /// How many timers live.
    var count: Int { generations.count - free.count }

    func holds(_ id: Wheel.TimerID) -> Bool {
        Int(id.index) < generations.count && generations[Int(id.index)] == id.generation
    }

    mutating func allocate() -> Wheel.TimerID {
        if let index = free.popLast() {
            return Wheel.TimerID(index: index, generation: generations[Int(index)])
        }
        precondition(generations.count < UInt32.max, "more than 2^32 - 1 timers")
        generations.append(0)
        return Wheel.TimerID(index: UInt32(generations.count - 1), generation: 0)
    }

    /// Ends a timer that the table holds.
    mutating func release(_ id: Wheel.TimerID) {
        assert(holds(id), "timer \(id) is released twice")
        // After 2^32 timers in one place an old identifier would fit again: at one a millisecond
        // that is 50 days of holding on to an identifier that is long spent.
        generations[Int(id.index)] &+= 1
        free.append(id.index)
    }
}

extension Wheel.TimerID {
    /// Fits no timer: no table grows to that index.
    static let none = Wheel.TimerID(index: .max, generation: 0)
}
