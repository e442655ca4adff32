// What can happen to the scheduler. Whatever needs a clock, a file or an id has it in the event.

package import CivilTime

/// The call that waits for a reply; the endpoint gives the numbers.
package struct CallToken: Sendable, Hashable {
    package var number: UInt64

    package init(number: UInt64) {
        self.number = number
    }
}

/// What to do when a batch does not fit into the queue.
package enum FullPolicy: Sendable, Hashable {
    case fail
    case keepSoonest
    case keepLatestAdded
    /// What fires later than 64 others waits in the backlog.
    case queue
}

/// Which requests or deliveries a removal means.
package struct Selection: Sendable, Hashable {
    /// nil = every app.
    package var app: String?
    /// nil = every identifier.
    package var identifiers: [String]?

    package init(app: String?, identifiers: [String]?) {
        self.app = app
        self.identifiers = identifiers
    }
}

/// A batch of requests that is added whole or not at all.
package struct Batch: Sendable {
    package var app: String
    package var requests: [Request]
    package var whenFull: FullPolicy
    /// Where each request stands in the list of an import, ascending; nil = as in `requests`.
    /// Errors name it, and requests are numbered by it, over the batches of all apps.
    package var places: [Int]?
    /// Zones that the batch names and that `Scheduler.knows(zone:)` denied.
    package var zones: [String: Zone]

    package init(
        app: String, requests: [Request], places: [Int]? = nil, whenFull: FullPolicy = .fail,
        zones: [String: Zone] = [:]
    ) {
        self.app = app
        self.requests = requests
        self.places = places
        self.whenFull = whenFull
        self.zones = zones
    }
}

/// One thing that happened.
package enum Event: Sendable {
    /// The daemon is ready: what was missed or not yet presented is handled now.
    case started
    case submitted(Batch, call: CallToken)
    case removalAsked(Selection, call: CallToken)
    case dismissalAsked(Selection, call: CallToken)
    /// Batches of several apps, all of them or none; a dry run changes nothing.
    case importAsked([Batch], isDryRun: Bool, call: CallToken)
    /// The instant of `Scheduler.nextDeadline` may have come; too early or twice does no harm.
    case deadlineReached
    /// The wall clock was set, or the machine woke up.
    case clockChanged
    /// The machine's zone or zone files changed; `named` holds those whose rules are new.
    case zonesChanged(local: Zone, named: [String: Zone])
    /// The notification server took the delivery with this number.
    case presented(delivery: Int64)
    /// The notification server does not take the delivery with this number for now. It is offered
    /// again, but others need not wait for it.
    case putOff(delivery: Int64)
    /// The user dismissed the delivery with this number on the screen.
    case dismissed(delivery: Int64)
}

extension Event {
    /// The call that waits for what comes of it; nil = it happened by itself and cannot be refused.
    package var call: CallToken? {
        switch self {
        case .submitted(_, let call), .removalAsked(_, let call), .dismissalAsked(_, let call),
            .importAsked(_, _, let call):
            call
        case .started, .deadlineReached, .clockChanged, .zonesChanged, .presented, .putOff,
            .dismissed:
            nil
        }
    }
}
