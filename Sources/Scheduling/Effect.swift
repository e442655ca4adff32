// What the shell must do. Changes come first in a turn and are made durable before anything that
// depends on them leaves the daemon.

package import CivilTime

/// One thing to do, in order.
package enum Effect: Sendable, Equatable {
    case change(Change)
    case reply(CallToken, Reply)
    /// Show it; `replacing` names an earlier delivery that it takes the place of on the screen.
    case present(Delivery, replacing: Int64?)
    /// Take it off the screen, or out of the line to it.
    case withdraw(delivery: Int64)
    case publish(SchedulerEvent)

    /// Whether it is for the notification server alone: such effects keep their order among
    /// themselves, and nobody sees whether others of their turn went before them.
    package var isForScreen: Bool {
        switch self {
        case .present, .withdraw: true
        case .change, .reply, .publish: false
        }
    }
}

/// The answer to a call.
package enum Reply: Sendable, Equatable {
    case added([Added], evicted: [Evicted])
    case removed([RequestKey])
    case imported([ImportedItem])
    case refused(RequestError)
}

/// What became of one request of a batch.
package struct Added: Sendable, Hashable {
    package var identifier: String
    package var next: WallInstant
    package var replaced: Bool
    /// Whether 64 others fire sooner, so that it waits in the backlog.
    package var isBacklogged: Bool
}

/// What an import did with one request.
package struct ImportedItem: Sendable, Hashable {
    package enum Outcome: Sendable, Hashable {
        case added, replaced
        /// It has no occurrence any more: its time passed on the way.
        case past
    }

    package var key: RequestKey
    package var outcome: Outcome
}

/// A request that made room for others.
package struct Evicted: Sendable, Hashable {
    package var identifier: String
    package var next: WallInstant
}

/// Why a request left the queue without firing, or a delivery the delivered list.
package enum RemovalReason: Sendable, Hashable {
    case requested, replaced, evicted, ended, dismissed, missed
}

/// What subscribers hear.
package struct SchedulerEvent: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case added(next: WallInstant, title: String)
        /// The next occurrence moved with the clock or a zone.
        case rescheduled(next: WallInstant, title: String)
        case removed(RemovalReason)
        /// `next` is nil when the request never fires again.
        case fired(Delivery, next: WallInstant?)
        case presented(Delivery)
        case removedDelivered(delivery: Int64, RemovalReason)
        case missed(Missed)
    }

    package var kind: Kind
    package var key: RequestKey
    package var at: WallInstant
}
