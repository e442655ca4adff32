// The wheel's reference: a binary heap of timers that can cancel, as sd-event and most event loops
// have one. Each timer knows its place in the heap, so that cancelling needs no search.

/// Timers by deadline; adding, cancelling and taking the first are O(log n).
struct BinaryHeap {
    struct TimerID {
        fileprivate let index: UInt32
        fileprivate let generation: UInt32
    }

    private struct Entry {
        let deadline: Int64
        let payload: UInt64
        /// Keeps equal instants in the order of adding.
        let sequence: UInt64
        let index: UInt32

        func precedes(_ other: Entry) -> Bool {
            deadline == other.deadline ? sequence < other.sequence : deadline < other.deadline
        }
    }

    private struct Place {
        var position: UInt32
        var generation: UInt32
    }

    private var entries: [Entry] = []
    private var places: [Place] = []
    private var free: [UInt32] = []
    private var nextSequence: UInt64 = 0

    var count: Int { entries.count }

    mutating func add(deadline: Int64, payload: UInt64) -> TimerID {
        let index: UInt32
        if let last = free.popLast() {
            index = last
        } else {
            index = UInt32(places.count)
            places.append(Place(position: 0, generation: 0))
        }
        let entry = Entry(
            deadline: deadline, payload: payload, sequence: nextSequence, index: index)
        nextSequence += 1
        entries.append(entry)
        siftUp(entry, from: entries.count - 1)
        return TimerID(index: index, generation: places[Int(index)].generation)
    }

    mutating func cancel(_ id: TimerID) -> Bool {
        let place = places[Int(id.index)]
        guard place.generation == id.generation else { return false }
        remove(at: Int(place.position))
        return true
    }

    func nextDeadline() -> Int64? { entries.first?.deadline }

    mutating func advance(to now: Int64, expire: (UInt64) -> Void) {
        while let first = entries.first, first.deadline <= now {
            remove(at: 0)
            expire(first.payload)
        }
    }

    private mutating func remove(at position: Int) {
        let index = entries[position].index
        places[Int(index)].generation &+= 1
        free.append(index)
        let last = entries.removeLast()
        guard position < entries.count else { return }
        if position > 0, last.precedes(entries[(position - 1) / 2]) {
            siftUp(last, from: position)
        } else {
            siftDown(last, from: position)
        }
    }

    private mutating func siftUp(_ entry: Entry, from start: Int) {
        var position = start
        while position > 0 {
            let parent = (position - 1) / 2
            guard entry.precedes(entries[parent]) else { break }
            put(entries[parent], at: position)
            position = parent
        }
        put(entry, at: position)
    }

    private mutating func siftDown(_ entry: Entry, from start: Int) {
        var position = start
        while true {
            var child = 2 * position + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, entries[child + 1].precedes(entries[child]) {
                child += 1
            }
            guard entries[child].precedes(entry) else { break }
            put(entries[child], at: position)
            position = child
        }
        put(entry, at: position)
    }

    private mutating func put(_ entry: Entry, at position: Int) {
        entries[position] = entry
        places[Int(entry.index)].position = UInt32(position)
    }
}
