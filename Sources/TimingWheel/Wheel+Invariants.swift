// What must hold between two calls, checked from the ground up: by the tests for wheels of any
// size, and in a debug build after every change of a small one, then without a look at the empty
// slots.

extension Wheel {
    /// Above this many timers a debug build no longer checks itself after every change.
    private static let checkLimit = 16

    /// For `assert` at the end of a change.
    var isPlausible: Bool {
        if count > Self.checkLimit { return true }
        var filed = 0
        for level in 0..<WheelGeometry.levelCount {
            var word = occupancy[level]
            while word != 0 {
                let position = level * WheelGeometry.slotsPerLevel + word.trailingZeroBitCount
                if violation(at: position, counting: &filed) != nil { return false }
                word &= word - 1
            }
        }
        return filed == count
    }

    /// The first broken invariant in words, nil when all hold.
    ///
    /// - Complexity: O(slots + entries).
    package func violation() -> String? {
        var filed = 0
        for position in 0..<WheelGeometry.positionCount {
            if let broken = violation(at: position, counting: &filed) {
                return "level \(WheelGeometry.level(of: position)), "
                    + "slot \(WheelGeometry.slot(of: position)), at \(elapsed): \(broken)"
            }
        }
        if filed != count { return "\(filed) entries are filed, \(count) are counted" }
        return freeListViolation()
    }

    private func violation(at position: Int, counting filed: inout Int) -> String? {
        let level = WheelGeometry.level(of: position)
        let bit = UInt64(1) << UInt64(WheelGeometry.slot(of: position))
        if (occupancy[level] & bit != 0) != (heads[position] != WheelEntry.none) {
            return "the occupancy bit is wrong"
        }
        if heads[position] == WheelEntry.none {
            return earliest[position] == .max ? nil : "an empty slot has an earliest deadline"
        }
        var previous = WheelEntry.none
        var index = heads[position]
        while index != WheelEntry.none {
            let entry = entries[index]
            if entry.position != UInt16(position) { return "entry \(index) is filed elsewhere" }
            if entry.previous != previous { return "entry \(index) has a wrong neighbour" }
            let tick = max(WheelGeometry.tick(of: entry.deadline), elapsed)
            if WheelGeometry.position(of: tick, elapsed: elapsed) != position {
                return "entry \(index) with deadline \(entry.deadline) belongs elsewhere"
            }
            if entry.deadline < earliest[position] {
                return "entry \(index) is earlier than the slot says"
            }
            filed += 1
            if filed > count { return "the list runs in a circle, or a free entry is in it" }
            previous = index
            index = entry.next
        }
        return nil
    }

    private func freeListViolation() -> String? {
        var free = 0
        var index = entries.firstFree
        while index != WheelEntry.none {
            if entries[index].position != WheelEntry.free { return "entry \(index) is not free" }
            free += 1
            if free > entries.storage.count { return "the free list runs in a circle" }
            index = entries[index].next
        }
        let expected = entries.storage.count - count
        return free == expected ? nil : "\(free) entries are free instead of \(expected)"
    }
}
