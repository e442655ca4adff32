// The recent past, kept so that a subscriber that lost its connection can go on where it stopped. A
// cursor names the daemon's run and a position in it; what is unknown or too old starts anew.

package import SchedulerInterface

/// A bounded log of events with resumable positions.
package struct EventHistory: Sendable {
    /// So many events are kept.
    package static let capacity = 4_096
    /// So many more come before the oldest go, so that moving the rest costs an event little.
    private static let excessLimit = 256

    /// Tells one run of the log from another.
    private var run: String
    private var entries: [Entry] = []
    /// Position of `entries.first`.
    private var start = 0

    /// `run` is random: a position of another run means nothing here.
    package init(run: String) {
        self.run = run
        makeRoom()
    }

    /// The position after the latest event.
    package var end: Int { start + entries.count }

    package mutating func append(_ event: Wire.Event) {
        entries.append(Entry(event))
        if entries.count == Self.capacity + Self.excessLimit {
            entries.removeFirst(Self.excessLimit)
            start += Self.excessLimit
        }
    }

    /// Begins another run: no cursor given out so far is good any more.
    package mutating func forget() {
        run += "+"
        start = end
        entries = []
        makeRoom()
    }

    /// All the room at once: what was never written to takes no memory, and growing leaves none
    /// behind.
    private mutating func makeRoom() {
        entries.reserveCapacity(Self.capacity + Self.excessLimit)
    }

    package func cursor(at position: Int) -> String { "\(run)-\(position)" }

    /// The position that a cursor names; nil if it is of another run, or too old.
    package func position(of cursor: String) -> Int? {
        let parts = cursor.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, parts[0] == run, let position = Int(parts[1]),
            position >= start, position <= end
        else { return nil }
        return position
    }

    /// At most `limit` events of `app` (nil = of all) from `position` on, and the position after
    /// the last one looked at; nil if some have been forgotten.
    package func events(
        from position: Int, app: String?, limit: Int
    ) -> (events: [Wire.Event], next: Int)? {
        guard position >= start else { return nil }
        var found: [Wire.Event] = []
        var next = position
        while next < end, found.count < limit {
            let entry = entries[next - start]
            if app == nil || entry.app == app { found.append(entry.event) }
            next += 1
        }
        return (found, next)
    }
}

/// An event as it is kept: 80 bytes instead of 136, as most have few of the numbers.
private struct Entry: Sendable {
    /// What only a delivery or a missed occurrence has.
    private final class Numbers: Sendable {
        let dueUsec: Int64?
        let delivery: Int64?
        let missedCount: Int64?

        init?(_ event: Wire.Event) {
            if event.dueUsec == nil, event.delivery == nil, event.missedCount == nil { return nil }
            dueUsec = event.dueUsec
            delivery = event.delivery
            missedCount = event.missedCount
        }
    }

    let app: String
    private let identifier: String
    private let title: String?
    private let atUsec: Int64
    private let numbers: Numbers?
    // The small ones last: they share a word.
    private let nextUsec: Int64?
    private let kind: Wire.EventKind
    private let late: Bool?
    private let removal: Wire.RemovalReason?
    private let missed: Wire.MissedReason?

    init(_ event: Wire.Event) {
        app = event.app
        identifier = event.identifier
        title = event.title
        atUsec = event.atUsec
        numbers = Numbers(event)
        nextUsec = event.nextUsec
        kind = event.kind
        late = event.late
        removal = event.removal
        missed = event.missed
    }

    var event: Wire.Event {
        Wire.Event(
            kind: kind, app: app, identifier: identifier, atUsec: atUsec, nextUsec: nextUsec,
            dueUsec: numbers?.dueUsec, delivery: numbers?.delivery, late: late,
            missedCount: numbers?.missedCount, title: title, removal: removal, missed: missed)
    }
}
