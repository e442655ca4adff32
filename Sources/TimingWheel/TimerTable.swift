// Which timers live: a half-word for each, so that cancelling one of a million touches one line of
// two megabytes, as much as a processor's own cache holds. An index is used again with a new
// generation, and no more once its generations are spent: no identifier is ever given twice.

/// The generations of all indices, and the indices that are free.
struct TimerTable: Sendable {
    /// What an identifier of the index has to say; `spent` fits none.
    private(set) var generations: [UInt16] = []
    /// Free indices, the last released on top; without that of `spare`.
    private(set) var free: [UInt32] = []
    /// The identifier that the next timer gets, or `none`: a timer that is put in place of the one
    /// just cancelled needs no look at the table.
    private(set) var spare = Wheel.TimerID.none
    /// How many timers live.
    private(set) var count = 0

    /// The generation at which an index retires. That costs two bytes for every 65,535 timers, at
    /// one a second 3 KB in three years.
    static let spent = UInt16.max

    @inline(__always)
    func holds(_ id: Wheel.TimerID) -> Bool {
        id.index < generations.count && generations[id.index] == id.generation
    }

    @inline(__always)
    mutating func allocate() -> Wheel.TimerID {
        count += 1
        let id = spare
        if id == .none { return allocateFromTable() }
        spare = .none
        return id
    }

    @inline(never)
    private mutating func allocateFromTable() -> Wheel.TimerID {
        if let index = free.popLast() {
            return Wheel.TimerID(index: Int(index), generation: generations[Int(index)])
        }
        precondition(generations.count < UInt32.max, "more than 2^32 - 1 indices")
        generations.append(0)
        return Wheel.TimerID(index: generations.count - 1, generation: 0)
    }

    /// Ends a timer, and says whether it lived.
    @inline(__always)
    mutating func release(_ id: Wheel.TimerID) -> Bool {
        guard holds(id) else { return false }
        let next = id.generation + 1
        generations[id.index] = next
        count -= 1
        if next == Self.spent { return true }
        if spare != .none { freeSpare() }
        spare = Wheel.TimerID(index: id.index, generation: next)
        return true
    }

    @inline(never)
    private mutating func freeSpare() {
        free.append(UInt32(spare.index))
    }
}

extension Wheel.TimerID {
    /// Fits no timer: no table grows to that index.
    static let none = Wheel.TimerID(index: Int(UInt32.max), generation: TimerTable.spent)
}
