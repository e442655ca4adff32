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
/// Each slot is one array, to which adding appends. Cancelling only counts the timer's generation
/// up, half a word; the entry is dead from then on and leaves its slot when that is next gone
/// through, or all dead ones together when they are more than the living. An entry moves down at
/// most once per level, 8 times in its life, when the wheel reaches its slot.
package struct Wheel: Sendable {
    /// Names one timer; once that has expired or was cancelled, the identifier fits nothing.
    package struct TimerID: Sendable, Hashable {
        /// One word, compared and stored as such: 16 bits of generation above 32 of index.
        private let bits: UInt64

        init(index: Int, generation: UInt16) {
            bits = UInt64(generation) << 32 | UInt64(index)
        }

        var index: Int { Int(bits & 0xFFFF_FFFF) }
        var generation: UInt16 { UInt16(truncatingIfNeeded: bits >> 32) }
    }

    /// The tick that the wheel has reached. Nothing is filed before it.
    private(set) var elapsed: UInt64
    private(set) var timers = TimerTable()
    private(set) var slots: [WheelSlot]
    /// One bit a slot, one word a level: which slots hold anything, dead entries included.
    private(set) var occupancy: InlineArray<9, UInt64>
    /// The position in which the next thing happens, `positionCount` when there is none.
    private(set) var first = WheelGeometry.positionCount
    /// Entries in the slots whose timers were cancelled.
    private(set) var deadCount = 0
    /// Kept for its capacity: what is about to expire, while it is put in order.
    private var due: [DueTimer] = []

    /// A slot of so many entries is gone through to find its earliest deadline anew.
    static let scanLimit = 64
    /// So many dead entries are not worth going through all slots.
    static let deadLimit = 32
    /// A slot that was emptied keeps room for so many entries, 1.5 KB.
    private static let keptCapacity = 64

    /// An empty wheel that stands at `startingAt` microseconds, at least 0.
    package init(startingAt: Int64) {
        precondition(startingAt >= 0, "the clock starts at 0")
        elapsed = WheelGeometry.tick(of: startingAt)
        occupancy = InlineArray(repeating: 0)
        precondition(occupancy.count == WheelGeometry.levelCount)
        slots = Array(repeating: WheelSlot(), count: WheelGeometry.positionCount)
    }

    /// How many timers there are.
    package var count: Int { timers.count }

    /// Adds a timer; one whose deadline has passed expires at the next `advance`.
    ///
    /// - Complexity: O(1), amortised over the growth of the arrays.
    package mutating func add(deadline: Int64, payload: UInt64) -> TimerID {
        let id = timers.allocate()
        file(WheelEntry(deadline: deadline, payload: payload, id: id))
        assert(isPlausible)
        return id
    }

    /// Removes a timer, and says whether it was still there.
    ///
    /// - Complexity: O(1), amortised over going through the slots when most entries are dead.
    package mutating func cancel(_ id: TimerID) -> Bool {
        guard timers.release(id) else { return false }
        deadCount += 1
        if hasManyDead { dropDead() }
        if first < slots.count, slots[first].earliestID == id { dropDeadFirst() }
        assert(isPlausible)
        return true
    }

    /// When to call `advance` next, nil when the wheel is empty: never later than the earliest
    /// deadline, and equal to it unless that timer was cancelled among more than 64 of a slot.
    ///
    /// Advancing to this instant expires a timer or makes the next answer strictly later. It lies
    /// in the past when a timer was added with a deadline in the past.
    ///
    /// - Complexity: O(1): the lowest level with anything, and its lowest slot.
    package func nextDeadline() -> Int64? {
        first < slots.count ? slots[first].earliest : nil
    }

    /// Moves to `now` and hands out the payload of every timer with `deadline <= now`, in order of
    /// deadline, and of adding where those are equal.
    ///
    /// A `now` before an earlier one moves nothing back; timers due by then still expire.
    ///
    /// - Complexity: O(n log n) in the timers handed out, plus what cascades; empty time is jumped.
    package mutating func advance(to now: Int64, expire: (UInt64) -> Void) {
        let target = max(WheelGeometry.tick(of: now), elapsed)
        while first < slots.count {
            let position = first
            let firstTick = WheelGeometry.firstTick(of: position, elapsed: elapsed)
            if firstTick > target { break }
            assert(firstTick >= elapsed, "slot \(position) at \(firstTick) is behind \(elapsed)")
            elapsed = firstTick
            // A timer that is alone in its slot needs no cascade to be the next one.
            if WheelGeometry.level(of: position) > 0, slots[position].entries.count > 1 {
                cascade(position)
                continue
            }
            expireDue(at: position, by: now, expire)
            // Later in this very millisecond: they stay until their microsecond has come.
            if !slots[position].entries.isEmpty { break }
        }
        elapsed = target
        if hasManyDead { dropDead() }
        dropDeadFirst()
        assert(isPlausible)
    }
}

// MARK: - Slots

/// A timer on its way out, with what decides its turn.
private struct DueTimer: Sendable {
    let deadline: Int64
    let payload: UInt64
    /// The place in the slot, where equal instants are in the order of adding.
    let place: Int
}

extension Wheel {
    /// Puts an entry at the end of its slot.
    ///
    /// Equal instants stay in the order of adding: what was added before is in the same slot, ahead
    /// of this, and cascading keeps the order.
    @inline(__always)
    private mutating func file(_ entry: WheelEntry) {
        // What is overdue joins the present slot, which the next advance looks at first.
        let tick = max(WheelGeometry.tick(of: entry.deadline), elapsed)
        let position = WheelGeometry.position(of: tick, elapsed: elapsed)
        if slots[position].append(entry) { markOccupied(position) }
    }

    @inline(never)
    private mutating func markOccupied(_ position: Int) {
        occupancy[WheelGeometry.level(of: position)] |=
            1 << UInt64(WheelGeometry.slot(of: position))
        first = min(first, position)
    }

    private mutating func markEmpty(_ position: Int) {
        occupancy[WheelGeometry.level(of: position)] &=
            ~(1 << UInt64(WheelGeometry.slot(of: position)))
        if position == first { first = firstOccupied }
    }

    private var firstOccupied: Int {
        for level in 0..<WheelGeometry.levelCount where occupancy[level] != 0 {
            return level * WheelGeometry.slotsPerLevel + occupancy[level].trailingZeroBitCount
        }
        return WheelGeometry.positionCount
    }

    /// Takes all entries of a slot, which is empty then.
    private mutating func emptySlot(_ position: Int) -> [WheelEntry] {
        markEmpty(position)
        var entries: [WheelEntry] = []
        swap(&entries, &slots[position].entries)
        slots[position].forgetEarliest()
        return entries
    }

    /// Gives a slot that was taken its array back, for its capacity.
    private mutating func giveBack(_ taken: consuming [WheelEntry], to position: Int) {
        guard taken.capacity <= Self.keptCapacity, slots[position].entries.isEmpty else { return }
        taken.removeAll(keepingCapacity: true)
        slots[position].entries = taken
    }

    /// Takes the dead entries out of a slot, whose earliest deadline is exact then.
    private mutating func dropDead(at position: Int) {
        deadCount -= slots[position].removeDead(by: timers)
        if slots[position].entries.isEmpty { markEmpty(position) }
    }

    /// Each cancellation pays for its share of going through the slots: what is gone through then
    /// is at most twice the dead.
    private var hasManyDead: Bool { deadCount > max(timers.count, Self.deadLimit) }

    /// Takes the dead entries out of all slots.
    private mutating func dropDead() {
        for level in 0..<WheelGeometry.levelCount {
            var word = occupancy[level]
            while word != 0 {
                dropDead(at: level * WheelGeometry.slotsPerLevel + word.trailingZeroBitCount)
                word &= word - 1
            }
        }
    }

    /// Makes the next deadline exact again after its timer was cancelled, unless the slot is long:
    /// that keeps its bound, which is then too early, and is put right when the wheel gets there.
    private mutating func dropDeadFirst() {
        while first < slots.count, !timers.holds(slots[first].earliestID),
            slots[first].entries.count <= Self.scanLimit
        {
            dropDead(at: first)
        }
    }

    /// Files the entries of a slot that the wheel has reached anew, in lower levels.
    private mutating func cascade(_ position: Int) {
        // The whole slot is taken first: an entry must not meet the array that is being walked.
        let entries = emptySlot(position)
        for entry in entries {
            if timers.holds(entry.id) { file(entry) } else { deadCount -= 1 }
        }
        assert(slots[position].entries.isEmpty, "an entry has not moved down")
        giveBack(entries, to: position)
    }

    /// Hands out what is due in a slot; the rest is filed anew, with its earliest deadline exact.
    private mutating func expireDue(at position: Int, by now: Int64, _ expire: (UInt64) -> Void) {
        var batch: [DueTimer] = []
        swap(&batch, &due)
        var isInOrder = true
        let entries = emptySlot(position)
        for entry in entries {
            if entry.deadline > now {
                if timers.holds(entry.id) { file(entry) } else { deadCount -= 1 }
            } else if timers.release(entry.id) {
                if let last = batch.last, last.deadline > entry.deadline { isInOrder = false }
                batch.append(
                    DueTimer(
                        deadline: entry.deadline, payload: entry.payload, place: batch.count))
            } else {
                deadCount -= 1
            }
        }
        giveBack(entries, to: position)
        if !isInOrder {
            batch.sort { ($0.deadline, $0.place) < ($1.deadline, $1.place) }
        }
        for timer in batch { expire(timer.payload) }
        batch.removeAll(keepingCapacity: true)
        swap(&batch, &due)
    }
}
