// The deliveries that are not on the screen yet, in the order in which they are to be shown.
// One that a server keeps refusing steps aside, so that it cannot hold up the others.

/// A queue with removal by key; every delivery is in it at most once.
struct WaitingLine: Sendable {
    /// A delivery in the line.
    struct Item: Sendable, Equatable {
        var presentation: Presentation
        /// How often a server has refused it.
        var refusals = 0
        /// How often a server has not answered for it.
        var silences = 0
        /// Not before this instant; only items that stepped aside have one.
        var notBefore: Int64?
    }

    /// The line proper: keys by place. Places grow at the back and shrink at the front, and an item
    /// that was put back in front gets a place before all others, so no item ever has to move.
    private var places: [Int: Int64] = [:]
    private var front = 0
    private var back = 0
    /// Without a place: those aside, and those that are parked.
    private var items: [Int64: (item: Item, place: Int?)] = [:]
    /// Those that stepped aside, in no order.
    private var aside: Set<Int64> = []

    var count: Int { items.count }
    var isEmpty: Bool { items.isEmpty }

    mutating func append(_ item: Item) {
        precondition(items[item.presentation.deliveryID] == nil, "a delivery waits once")
        places[back] = item.presentation.deliveryID
        items[item.presentation.deliveryID] = (item, back)
        back += 1
    }

    mutating func putBack(_ item: Item) {
        precondition(items[item.presentation.deliveryID] == nil, "a delivery waits once")
        front -= 1
        places[front] = item.presentation.deliveryID
        items[item.presentation.deliveryID] = (item, front)
    }

    mutating func stepAside(_ item: Item, until notBefore: Int64) {
        precondition(items[item.presentation.deliveryID] == nil, "a delivery waits once")
        var item = item
        item.notBefore = notBefore
        items[item.presentation.deliveryID] = (item, nil)
        aside.insert(item.presentation.deliveryID)
    }

    /// Keeps it for the next server, or for a late answer of this one: it is not taken by itself.
    mutating func park(_ item: Item) {
        precondition(items[item.presentation.deliveryID] == nil, "a delivery waits once")
        items[item.presentation.deliveryID] = (item, nil)
    }

    @discardableResult
    mutating func remove(_ deliveryID: Int64) -> Item? {
        guard let (item, place) = items.removeValue(forKey: deliveryID) else { return nil }
        if let place {
            places[place] = nil
        } else {
            aside.remove(deliveryID)
        }
        return item
    }

    /// Takes the one to show now: of those aside the longest ready, else the first of the line.
    mutating func takeNext(at now: Int64) -> Item? {
        if let ready = earliestAside, let notBefore = ready.notBefore, notBefore <= now {
            return remove(ready.presentation.deliveryID)
        }
        while front < back {
            if let deliveryID = places[front] {
                return remove(deliveryID)
            }
            front += 1
        }
        return nil
    }

    /// When there is something to show; any instant in the past while the line is not empty.
    var nextInstant: Int64? {
        places.isEmpty ? earliestAside?.notBefore : .min
    }

    /// A new server has refused nothing yet: all stand in line again, those aside in front.
    mutating func forgetRefusals() {
        let standing = items.filter { $0.value.place == nil }.keys
        for deliveryID in standing.sorted(by: >) {
            guard var item = remove(deliveryID) else { continue }
            item.notBefore = nil
            putBack(item)
        }
        for deliveryID in items.keys {
            items[deliveryID]?.item.refusals = 0
            items[deliveryID]?.item.silences = 0
        }
    }

    /// Whoever was to replace `deliveryID`, or has its key, replaces `other` instead.
    mutating func redirect(replacing deliveryID: Int64, to other: Int64?) {
        if items[deliveryID]?.item.presentation.replaces == nil {
            items[deliveryID]?.item.presentation.replaces = other
        }
        for key in items.keys where items[key]?.item.presentation.replaces == deliveryID {
            items[key]?.item.presentation.replaces = other
        }
    }

    private var earliestAside: Item? {
        aside.lazy.compactMap { items[$0]?.item }.min {
            ($0.notBefore ?? .min, $0.presentation.deliveryID)
                < ($1.notBefore ?? .min, $1.presentation.deliveryID)
        }
    }
}
