// The timers themselves, in one array: no object per timer, links are indices. A free entry is kept
// for the next timer, with a new generation, so that an identifier of the old one no longer fits.

/// One timer, in use or free.
struct WheelEntry: Sendable {
    /// The exact instant, microseconds.
    var deadline: Int64
    var payload: UInt64
    /// Counts all timers ever added; it keeps equal instants in their order.
    var sequence: UInt64
    /// Neighbours in the slot's list; `next` also links the free ones.
    var next: UInt32
    var previous: UInt32
    var generation: UInt32
    /// The position in the wheel, or `free`.
    var position: UInt16

    /// No neighbour.
    static let none = UInt32.max
    static let free = UInt16.max
}

/// The array of entries with its free list.
struct WheelEntries: Sendable {
    private(set) var storage: [WheelEntry] = []
    private(set) var firstFree = WheelEntry.none
    private(set) var count = 0

    subscript(index: UInt32) -> WheelEntry {
        get { storage[Int(index)] }
        _modify { yield &storage[Int(index)] }
    }

    /// An entry that is in no list yet.
    mutating func allocate(deadline: Int64, payload: UInt64, sequence: UInt64) -> UInt32 {
        count += 1
        if firstFree == WheelEntry.none {
            precondition(storage.count < WheelEntry.none, "more than 2^32 - 1 timers")
            storage.append(
                WheelEntry(
                    deadline: deadline, payload: payload, sequence: sequence,
                    next: WheelEntry.none, previous: WheelEntry.none, generation: 0,
                    position: WheelEntry.free))
            return UInt32(storage.count - 1)
        }
        let index = firstFree
        firstFree = self[index].next
        self[index].deadline = deadline
        self[index].payload = payload
        self[index].sequence = sequence
        return index
    }

    /// Gives back an entry that is in no list any more.
    mutating func release(_ index: UInt32) {
        assert(self[index].position != WheelEntry.free, "entry \(index) is released twice")
        count -= 1
        self[index].position = WheelEntry.free
        // After 2^32 timers in one place an old identifier would fit again: at one a millisecond
        // that is 50 days of holding on to an identifier that is long spent.
        self[index].generation &+= 1
        self[index].next = firstFree
        firstFree = index
    }
}
