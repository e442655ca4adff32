// A change of what is stored, with what it replaced, so that a turn whose commit failed can be
// undone, newest change first.

/// One row that changes; nil before = it is new, nil after = it goes. Never nil on both sides.
package enum Change: Sendable, Hashable {
    case pending(before: PendingRequest?, after: PendingRequest?)
    case delivery(before: Delivery?, after: Delivery?)
    case missed(before: Missed?, after: Missed?)
    case clock(before: ClockRecord?, after: ClockRecord?)

    /// The change that takes this one back.
    package var reversed: Change {
        switch self {
        case .pending(let before, let after): .pending(before: after, after: before)
        case .delivery(let before, let after): .delivery(before: after, after: before)
        case .missed(let before, let after): .missed(before: after, after: before)
        case .clock(let before, let after): .clock(before: after, after: before)
        }
    }
}

/// All that the store kept: what the scheduler starts from.
package struct StoredState: Sendable, Hashable {
    package var pending: [PendingRequest]
    package var deliveries: [Delivery]
    package var missed: [Missed]
    package var clock: ClockRecord?
    /// The highest numbers ever given out, also to rows that are gone.
    package var lastSequence: Int64
    package var lastDelivery: Int64
    package var lastMissed: Int64

    package init(
        pending: [PendingRequest] = [], deliveries: [Delivery] = [], missed: [Missed] = [],
        clock: ClockRecord? = nil, lastSequence: Int64 = 0, lastDelivery: Int64 = 0,
        lastMissed: Int64 = 0
    ) {
        self.pending = pending
        self.deliveries = deliveries
        self.missed = missed
        self.clock = clock
        self.lastSequence = lastSequence
        self.lastDelivery = lastDelivery
        self.lastMissed = lastMissed
    }
}
