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

    mutating func append(_ entry: WheelEntry) {
        entries.append(entry)
        if entry.deadline < earliest || entries.count == 1 {
            earliest = entry.deadline
            earliestID = entry.id
        }
    }

    /// Removes entries, and says how many; `earliest` is exact then.
    mutating func removeAll(where isUnwanted: (WheelEntry) -> Bool) -> Int {
        let before = entries.count
        entries.removeAll(where: isUnwanted)
        forgetEarliest()
        for entry in entries where entry.deadline < earliest || earliestID == .none {
            earliest = entry.deadline
            earliestID = entry.id
        }
        return before - entries.count
    }

    mutating func forgetEarliest() {
        earliest = .max
        earliestID = .none
    }
}
