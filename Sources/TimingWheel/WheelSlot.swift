// One slot of the wheel: its timers in one array, in the order in which they came. What makes
// adding cheap is that nothing is sorted or linked here; order is made when a slot of level 0 is
// due.

/// One timer as it lies in a slot; dead when the table no longer holds its identifier.
struct WheelEntry: Sendable {
    /// The exact instant, microseconds.
    let deadline: Int64
    let payload: UInt64
    let id: Wheel.TimerID
}

/// The entries of one slot.
struct WheelSlot: Sendable {
    var entries: [WheelEntry] = []
    /// Not later than any deadline in the slot; `Int64.max` when it is empty.
    private(set) var earliest = Int64.max
    /// The timer that `earliest` is of: while that lives, `earliest` is exact.
    private(set) var earliestID = Wheel.TimerID.none

    /// Adds an entry at the end, and says whether it is the only one.
    @inline(__always)
    mutating func append(_ entry: WheelEntry) -> Bool {
        entries.append(entry)
        // Always so in an empty slot, seldom in a long one.
        if entry.deadline <= earliest {
            earliest = entry.deadline
            earliestID = entry.id
            return entries.count == 1
        }
        return false
    }

    /// Removes the dead entries, and says how many; `earliest` is exact then.
    mutating func removeDead(by timers: TimerTable) -> Int {
        let before = entries.count
        let kept = moveLiving(timers.generations.span)
        entries.removeLast(before - kept)
        return before - kept
    }

    /// Moves the living entries to the front, in their order, and says how many they are.
    ///
    /// Whether an entry lives is a coin's toss to the processor, so nothing branches on it: each is
    /// written to the next place, which counts only if it lives.
    private mutating func moveLiving(_ generations: Span<UInt16>) -> Int {
        var first = Int64.max
        var firstID = Wheel.TimerID.none
        var entries = self.entries.mutableSpan
        var kept = 0
        for place in entries.indices {
            let entry = entries[place]
            entries[kept] = entry
            let difference = UInt64(generations[entry.id.index] ^ entry.id.generation)
            // The top bit of 0 - 1 is set, of what is less than 2^16 it is not.
            kept += Int((difference &- 1) >> 63)
            if difference == 0, entry.deadline <= first {
                first = entry.deadline
                firstID = entry.id
            }
        }
        earliest = first
        earliestID = firstID
        return kept
    }

    mutating func forgetEarliest() {
        earliest = .max
        earliestID = .none
    }
}
