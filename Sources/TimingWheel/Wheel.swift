// The timers of the daemon: a hierarchical timing wheel (Varghese and Lauck, 1987), in the form
// that tokio gave it. Pure: it reads no clock, `advance` is told the time. What keeps it right:
// every entry lies in the slot that `WheelGeometry.position` gives for its tick, and slots that the
// wheel has reached at a level above 0 are empty, their entries having cascaded down.

/// Timers by deadline: adding and cancelling are O(1), and time that passes with nothing due is
/// free.
///
/// Deadlines are microseconds of one clock that never goes back, here CLOCK_BOOTTIME. They are
/// filed by millisecond and kept exactly: a timer expires at the first `advance` to its deadline or
/// later, never before. Any deadline that Int64 can name is held; there is no overflow list.
///
/// An entry moves down at most once per level, 8 times in its life, when the wheel reaches its
/// slot. Memory is 40 bytes a timer at the highest count so far, and 7 KB for the slots.
package struct Wheel: Sendable {
    /// Names one timer; once that has expired or was cancelled, the identifier fits nothing.
    package struct TimerID: Sendable, Hashable {
        fileprivate let index: UInt32
        fileprivate let generation: UInt32
    }

    /// The tick that the wheel has reached. Nothing is filed before it.
    private(set) var elapsed: UInt64
    private(set) var entries = WheelEntries()
    /// One bit a slot, one word a level: which slots hold anything.
    private(set) var occupancy: [UInt64]
    /// The first entry of each slot's list.
    private(set) var heads: [UInt32]
    /// For each slot a deadline that is not later than any in it; `Int64.max` when it is empty. It
    /// is the earliest one exactly, unless that was cancelled in a slot of more than `scanLimit`.
    private(set) var earliest: [Int64]
    private var nextSequence: UInt64 = 0
    /// Kept for its capacity: what is about to expire, while it is put in order.
    private var due: [DueTimer] = []

    /// How many entries a cancellation looks at to find the slot's new earliest one.
    private static let scanLimit = 16

    /// An empty wheel that stands at `startingAt` microseconds, at least 0.
    package init(startingAt: Int64) {
        precondition(startingAt >= 0, "the clock starts at 0")
        elapsed = WheelGeometry.tick(of: startingAt)
        occupancy = Array(repeating: 0, count: WheelGeometry.levelCount)
        heads = Array(repeating: WheelEntry.none, count: WheelGeometry.positionCount)
        earliest = Array(repeating: .max, count: WheelGeometry.positionCount)
    }

    /// How many timers there are.
    package var count: Int { entries.count }

    /// Adds a timer; one whose deadline has passed expires at the next `advance`.
    ///
    /// - Complexity: O(1), amortised over the growth of the array.
    package mutating func add(deadline: Int64, payload: UInt64) -> TimerID {
        let index = entries.allocate(
            deadline: deadline, payload: payload, sequence: nextSequence)
        nextSequence += 1
        file(index)
        assert(isPlausible)
        return TimerID(index: index, generation: entries[index].generation)
    }

    /// Removes a timer, and says whether it was still there.
    ///
    /// - Complexity: O(1).
    package mutating func cancel(_ id: TimerID) -> Bool {
        guard id.index < entries.storage.count else { return false }
        let entry = entries[id.index]
        guard entry.generation == id.generation, entry.position != WheelEntry.free else {
            return false
        }
        unlink(id.index)
        let position = Int(entry.position)
        if entry.deadline == earliest[position] { refreshEarliest(at: position) }
        entries.release(id.index)
        assert(isPlausible)
        return true
    }

    /// When to call `advance` next, nil when the wheel is empty: never later than the earliest
    /// deadline, and equal to it unless that timer was cancelled among many.
    ///
    /// Advancing to this instant expires a timer or makes the next answer strictly later. It lies
    /// in the past when a timer was added with a deadline in the past.
    ///
    /// - Complexity: O(1): the lowest level with anything, and its lowest slot.
    package func nextDeadline() -> Int64? {
        firstOccupied().map { earliest[$0] }
    }

    /// Moves to `now` and hands out the payload of every timer with `deadline <= now`, in order of
    /// deadline, and of adding where those are equal.
    ///
    /// A `now` before an earlier one moves nothing back; timers due by then still expire.
    ///
    /// - Complexity: O(n log n) in the timers handed out, plus what cascades; empty time is jumped.
    package mutating func advance(to now: Int64, expire: (UInt64) -> Void) {
        let target = max(WheelGeometry.tick(of: now), elapsed)
        while let position = firstOccupied() {
            let firstTick = WheelGeometry.firstTick(of: position, elapsed: elapsed)
            if firstTick > target { break }
            assert(firstTick >= elapsed, "slot \(position) at \(firstTick) is behind \(elapsed)")
            elapsed = firstTick
            if WheelGeometry.level(of: position) > 0 {
                cascade(position)
                continue
            }
            expireDue(at: position, by: now, expire)
            // Later in this very millisecond: they stay until their microsecond has come.
            if heads[position] != WheelEntry.none { break }
        }
        elapsed = target
        assert(isPlausible)
    }
}

// MARK: - Slots

/// A timer on its way out, with what decides its turn.
private struct DueTimer: Sendable {
    let deadline: Int64
    let sequence: UInt64
    let payload: UInt64
}

extension Wheel {
    /// The slot in which the next thing happens.
    private func firstOccupied() -> Int? {
        for level in 0..<WheelGeometry.levelCount where occupancy[level] != 0 {
            return level * WheelGeometry.slotsPerLevel + occupancy[level].trailingZeroBitCount
        }
        return nil
    }

    /// Puts an entry that is in no list at the head of its slot's.
    private mutating func file(_ index: UInt32) {
        let deadline = entries[index].deadline
        // What is overdue joins the present slot, which the next advance looks at first.
        let tick = max(WheelGeometry.tick(of: deadline), elapsed)
        let position = WheelGeometry.position(of: tick, elapsed: elapsed)
        let head = heads[position]
        entries[index].position = UInt16(position)
        entries[index].previous = WheelEntry.none
        entries[index].next = head
        if head != WheelEntry.none { entries[head].previous = index }
        heads[position] = index
        earliest[position] = min(earliest[position], deadline)
        occupancy[WheelGeometry.level(of: position)] |=
            1 << UInt64(WheelGeometry.slot(of: position))
    }

    /// Takes an entry out of its slot's list; `earliest` is the caller's part unless the slot is
    /// empty.
    private mutating func unlink(_ index: UInt32) {
        let entry = entries[index]
        let position = Int(entry.position)
        if entry.next != WheelEntry.none { entries[entry.next].previous = entry.previous }
        if entry.previous != WheelEntry.none {
            entries[entry.previous].next = entry.next
            return
        }
        heads[position] = entry.next
        if entry.next == WheelEntry.none { clear(position) }
    }

    /// Marks a slot as empty; its entries have been taken.
    private mutating func clear(_ position: Int) {
        heads[position] = WheelEntry.none
        earliest[position] = .max
        let bit = UInt64(1) << UInt64(WheelGeometry.slot(of: position))
        occupancy[WheelGeometry.level(of: position)] &= ~bit
    }

    /// Finds a short slot's earliest deadline anew; a long slot keeps its bound, which is then too
    /// early, and is put right when the wheel gets there.
    private mutating func refreshEarliest(at position: Int) {
        var found = Int64.max
        var index = heads[position]
        for _ in 0..<Self.scanLimit {
            if index == WheelEntry.none {
                earliest[position] = found
                return
            }
            found = min(found, entries[index].deadline)
            index = entries[index].next
        }
        if index == WheelEntry.none { earliest[position] = found }
    }

    /// Files the entries of a slot that the wheel has reached anew, in lower levels.
    private mutating func cascade(_ position: Int) {
        // The whole list is taken first: an entry must not meet the list that is being walked.
        var index = heads[position]
        clear(position)
        while index != WheelEntry.none {
            let next = entries[index].next
            file(index)
            assert(Int(entries[index].position) < position, "an entry has not moved down")
            index = next
        }
    }

    /// Hands out what is due in a slot of level 0; the rest stays, with its earliest deadline
    /// exact.
    private mutating func expireDue(at position: Int, by now: Int64, _ expire: (UInt64) -> Void) {
        var batch: [DueTimer] = []
        swap(&batch, &due)
        var rest = Int64.max
        var index = heads[position]
        while index != WheelEntry.none {
            let entry = entries[index]
            if entry.deadline <= now {
                batch.append(
                    DueTimer(
                        deadline: entry.deadline, sequence: entry.sequence, payload: entry.payload))
                unlink(index)
                entries.release(index)
            } else {
                rest = min(rest, entry.deadline)
            }
            index = entry.next
        }
        earliest[position] = rest
        if batch.count > 1 {
            batch.sort { ($0.deadline, $0.sequence) < ($1.deadline, $1.sequence) }
        }
        for timer in batch { expire(timer.payload) }
        batch.removeAll(keepingCapacity: true)
        swap(&batch, &due)
    }
}
