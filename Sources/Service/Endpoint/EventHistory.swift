// The recent past, kept so that a subscriber that lost its connection can go on where it stopped. A
// cursor names the daemon's run and a position in it; what is unknown or too old starts anew.

package import SchedulerInterface

/// A bounded log of events with resumable positions.
package struct EventHistory: Sendable {
    /// So many events are kept.
    package static let capacity = 4_096

    /// Tells one run of the log from another.
    private var run: String
    private var events: [Wire.Event] = []
    /// Position of `events.first`.
    private var start = 0

    /// `run` is random: a position of another run means nothing here.
    package init(run: String) {
        self.run = run
    }

    /// The position after the latest event.
    package var end: Int { start + events.count }

    package mutating func append(_ event: Wire.Event) {
        events.append(event)
        // In bulk, so that an event costs the same on average.
        if events.count >= Self.capacity * 2 {
            let excess = events.count - Self.capacity
            events.removeFirst(excess)
            start += excess
        }
    }

    /// Begins another run: no cursor given out so far is good any more.
    package mutating func forget() {
        run += "+"
        start = end
        events = []
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
            let event = events[next - start]
            if app == nil || event.app == app { found.append(event) }
            next += 1
        }
        return (found, next)
    }
}
