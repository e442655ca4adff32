// What a subscription streams.
// Mirrors the .varlink files; a test holds the two equal.

extension Wire {
    /// What happened. added: a request came into the queue. rescheduled: its next
    /// occurrence moved with the clock or a zone. removed: it left without firing. fired:
    /// an occurrence was recorded as delivered. presented: the notification server took it.
    /// removedDelivered: a delivered one was removed. missed: an occurrence was not shown.
    package enum EventKind: String, Codable, Hashable, Sendable, CaseIterable {
        case added, rescheduled, removed, fired, presented, removedDelivered, missed
    }

    /// Why a request left the queue, or a notification the delivered list. requested: by a
    /// call. replaced: by a newer one of its identifier. evicted: to make room, as the
    /// whenFull of a call asked, or as the oldest of a full list. ended: it has no further
    /// occurrence. dismissed: by the user, on the screen. missed: it waited for a notification
    /// server in vain.
    package enum RemovalReason: String, Codable, Hashable, Sendable, CaseIterable {
        case requested, replaced, evicted, ended, dismissed, missed
    }

    /// One thing that happened.
    package struct Event: Codable, Hashable, Sendable {
        package var kind: EventKind
        package var app: String
        package var identifier: String
        package var atUsec: Int64
        package var nextUsec: Int64?
        package var dueUsec: Int64?
        package var delivery: Int64?
        package var late: Bool?
        package var missedCount: Int64?
        package var title: String?
        package var removal: RemovalReason?
        package var missed: MissedReason?

        package init(
            kind: EventKind, app: String, identifier: String, atUsec: Int64,
            nextUsec: Int64? = nil, dueUsec: Int64? = nil, delivery: Int64? = nil,
            late: Bool? = nil, missedCount: Int64? = nil, title: String? = nil,
            removal: RemovalReason? = nil, missed: MissedReason? = nil
        ) {
            self.kind = kind
            self.app = app
            self.identifier = identifier
            self.atUsec = atUsec
            self.nextUsec = nextUsec
            self.dueUsec = dueUsec
            self.delivery = delivery
            self.late = late
            self.missedCount = missedCount
            self.title = title
            self.removal = removal
            self.missed = missed
        }
    }
}
