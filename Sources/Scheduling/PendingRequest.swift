// A request in the queue, with all that must be known of it after a restart. It is what the store
// keeps, field by field; what can be computed from it (timers, order) is not in it.

package import CivilTime

/// A request that waits for its next occurrence.
package struct PendingRequest: Sendable, Hashable {
    package var app: String
    package var request: Request
    /// Order of adding over all apps: breaks ties among equal instants. A replacement takes a new
    /// number, but keeps the slot.
    package var sequence: Int64
    package var added: WallInstant
    /// The civil date from which a calendar trigger's stride counts, in days since 1970-01-01: that
    /// of its start, in the zone of when it was added. Every second Tuesday stays the second one
    /// when the zone changes. Nil without a stride, and in rows from before format 2.
    package var strideDay: Int?
    package var next: Occurrence
    /// How many occurrences have passed, shown or not.
    package var occurrenceCount: Int
    /// Occurrences that have fired and must not fire again after the clock was set back.
    package var fired: FiredRanges

    package init(
        app: String, request: Request, sequence: Int64, added: WallInstant,
        strideDay: Int? = nil, next: Occurrence, occurrenceCount: Int = 0,
        fired: FiredRanges = FiredRanges()
    ) {
        self.app = app
        self.request = request
        self.sequence = sequence
        self.added = added
        self.strideDay = strideDay
        self.next = next
        self.occurrenceCount = occurrenceCount
        self.fired = fired
    }

    package var key: RequestKey { RequestKey(app: app, identifier: request.identifier) }
}

/// One instant that a trigger yields, on the clock that it is bound to.
package enum Occurrence: Sendable, Hashable {
    /// Of a date or calendar trigger: moves against the boot clock when the wall clock is set.
    case wall(WallInstant)
    /// Of an interval: unmoved by the wall clock, valid in the present boot.
    case boot(BootInstant)
}

/// Instants that have fired, as closed ranges in which every occurrence did, newest last.
///
/// A run of firings that followed each other is one range, so that a daily request that never
/// missed a day keeps two numbers. A jump starts a new range: what a clock far in the future made
/// pass without firing is in none, and fires when the clock is right again.
package struct FiredRanges: Sendable, Hashable {
    /// Older ranges than these are forgotten: the clock would have to be set back over as many
    /// jumps.
    package static let limit = 16

    package private(set) var ranges: [ClosedRange<WallInstant>]

    package init(ranges: [ClosedRange<WallInstant>] = []) {
        self.ranges = ranges.suffix(Self.limit)
    }

    /// The end of the range that holds `instant`, if one does.
    package func end(covering instant: WallInstant) -> WallInstant? {
        ranges.first { $0.contains(instant) }?.upperBound
    }

    /// The start of the range that holds `instant`, if one does.
    package func start(covering instant: WallInstant) -> WallInstant? {
        ranges.first { $0.contains(instant) }?.lowerBound
    }

    /// Notes that `instant` fired; `directlyAfter` names the occurrence before it if that fired
    /// too.
    package mutating func insert(_ instant: WallInstant, directlyAfter previous: WallInstant?) {
        if let previous, let last = ranges.last, last.upperBound == previous, instant > previous {
            ranges[ranges.count - 1] = last.lowerBound...instant
            return
        }
        ranges.append(instant...instant)
        if ranges.count > Self.limit { ranges.removeFirst() }
    }
}
