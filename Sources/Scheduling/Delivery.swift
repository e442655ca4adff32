// What became of occurrences: deliveries that were fired, and those that were missed.

package import CivilTime

/// A firing on record: made before it is presented, kept until it is removed or replaced.
package struct Delivery: Sendable, Hashable {
    /// Counts up over all apps and is never used twice, not over restarts either.
    package var number: Int64
    package var app: String
    package var identifier: String
    /// The request that fired, by its own number.
    package var sequence: Int64
    package var content: Content
    package var due: WallInstant
    package var fired: WallInstant
    /// When the notification server took it; nil while it waits.
    package var presented: WallInstant?
    package var late: Bool
    /// Occurrences that were missed and that this delivery stands for, itself included.
    package var missedCount: Int
    /// In microseconds after `due`: when a delivery that still waits becomes a missed one.
    package var latenessLimit: Int64?

    package init(
        number: Int64, app: String, identifier: String, sequence: Int64, content: Content,
        due: WallInstant, fired: WallInstant, presented: WallInstant?, late: Bool,
        missedCount: Int, latenessLimit: Int64?
    ) {
        self.number = number
        self.app = app
        self.identifier = identifier
        self.sequence = sequence
        self.content = content
        self.due = due
        self.fired = fired
        self.presented = presented
        self.late = late
        self.missedCount = missedCount
        self.latenessLimit = latenessLimit
    }

    package var key: RequestKey { RequestKey(app: app, identifier: identifier) }

    /// The last instant at which it is shown; nil = whenever a server takes it. What is on time is
    /// shown, however small the limit: firing and showing take their moment.
    var lastInstant: WallInstant? {
        latenessLimit.map {
            WallInstant(microseconds: due.microseconds + max($0, Limits.promptMicroseconds))
        }
    }
}

/// Why occurrences were not shown.
package enum MissedReason: UInt8, Sendable, Hashable {
    /// The request says `ifMissed: skip`.
    case skipped = 0
    case latenessLimit = 1
    /// A one-shot whose civil time had already passed in the machine's new zone.
    case zoneChanged = 2
    /// Too many others waited to be shown.
    case evicted = 3
}

/// Occurrences of one request that were not shown.
package struct Missed: Sendable, Hashable {
    /// Counts up over all apps and is never used twice.
    package var number: Int64
    package var app: String
    package var identifier: String
    package var title: String
    /// The latest of them.
    package var due: WallInstant
    package var recorded: WallInstant
    package var count: Int
    package var reason: MissedReason

    package init(
        number: Int64, app: String, identifier: String, title: String, due: WallInstant,
        recorded: WallInstant, count: Int, reason: MissedReason
    ) {
        self.number = number
        self.app = app
        self.identifier = identifier
        self.title = title
        self.due = due
        self.recorded = recorded
        self.count = count
        self.reason = reason
    }

    package var key: RequestKey { RequestKey(app: app, identifier: identifier) }
}
