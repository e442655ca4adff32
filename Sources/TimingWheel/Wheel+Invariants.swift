// What must hold between two calls, checked from the ground up: by the tests for wheels of any
// size, and in a debug build after every change of a small one, then without a look at the empty
// slots.

extension Wheel {
    /// Above this many timers a debug build no longer checks itself after every change.
    private static let checkLimit = 16

    /// For `assert` at the end of a change.
    var isPlausible: Bool {
        if count > Self.checkLimit { return true }
        var tally = Tally()
        for level in 0..<WheelGeometry.levelCount {
            var word = occupancy[level]
            while word != 0 {
                let position = level * WheelGeometry.slotsPerLevel + word.trailingZeroBitCount
                if violation(at: position, &tally) != nil { return false }
                word &= word - 1
            }
        }
        return violation(tally) == nil
    }

    /// The first broken invariant in words, nil when all hold.
    ///
    /// - Complexity: O(slots + entries).
    package func violation() -> String? {
        var tally = Tally()
        for position in 0..<WheelGeometry.positionCount {
            if let broken = violation(at: position, &tally) {
                return "level \(WheelGeometry.level(of: position)), "
                    + "slot \(WheelGeometry.slot(of: position)), at \(elapsed): \(broken)"
            }
        }
        return violation(tally)
    }

    /// What the slots were found to hold.
    private struct Tally {
        var living = 0
        var dead = 0
        /// Whether the first slot that holds anything has been seen.
        var hasFirst = false
    }

    private func violation(_ tally: Tally) -> String? {
        if tally.living != count { return "\(tally.living) entries are filed, \(count) counted" }
        if tally.dead != deadCount { return "\(tally.dead) are dead, \(deadCount) are counted" }
        if deadCount > max(count, Self.deadLimit) { return "dead entries have piled up" }
        return timers.violation
    }

    private func violation(at position: Int, _ tally: inout Tally) -> String? {
        let level = WheelGeometry.level(of: position)
        let bit = UInt64(1) << UInt64(WheelGeometry.slot(of: position))
        let slot = slots[position]
        if (occupancy[level] & bit != 0) == slot.entries.isEmpty {
            return "the occupancy bit is wrong"
        }
        if slot.entries.isEmpty {
            return slot.earliest == .max ? nil : "an empty slot has an earliest deadline"
        }
        for entry in slot.entries {
            let tick = max(WheelGeometry.tick(of: entry.deadline), elapsed)
            if WheelGeometry.position(of: tick, elapsed: elapsed) != position {
                return "the entry with deadline \(entry.deadline) belongs elsewhere"
            }
            if entry.deadline < slot.earliest {
                return "the entry with deadline \(entry.deadline) is earlier than the slot says"
            }
            if timers.holds(entry.id) { tally.living += 1 } else { tally.dead += 1 }
        }
        if !tally.hasFirst, position != first { return "it is not the first that is known" }
        if !tally.hasFirst, slot.entries.count <= Self.scanLimit,
            !timers.holds(slot.earliestID)
        {
            return "the next deadline is of no timer"
        }
        tally.hasFirst = true
        return nil
    }
}

extension TimerTable {
    /// The first broken invariant in words.
    fileprivate var violation: String? {
        let unused = free.map(Int.init) + (spare == .none ? [] : [spare.index])
        if Set(unused).count != unused.count { return "an index is free twice" }
        if spare != .none, !holds(spare) { return "the spare identifier does not fit its index" }
        let retired = generations.count { $0 == Self.spent }
        if count + unused.count + retired != generations.count {
            return "an index is neither of a timer nor free nor retired"
        }
        return nil
    }
}
