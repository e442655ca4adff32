// What only schedd makes has to say every member, so that none is forgotten; tests say what they
// are about.

package import SchedulerInterface

extension Wire.PendingRequest {
    package init(
        app: String, identifier: String, content: Wire.Content, trigger: Wire.Trigger,
        ifMissed: Wire.MissedPolicy = .deliver, addedUsec: Int64, nextUsec: Int64,
        occurrenceCount: Int64
    ) {
        self.init(
            app: app, identifier: identifier, content: content, trigger: trigger,
            ifMissed: ifMissed, latenessLimit: nil, addedUsec: addedUsec, nextUsec: nextUsec,
            occurrenceCount: occurrenceCount)
    }
}

extension Wire.Event {
    package init(
        kind: Wire.EventKind, app: String, identifier: String, atUsec: Int64,
        nextUsec: Int64? = nil, dueUsec: Int64? = nil, title: String? = nil
    ) {
        self.init(
            kind: kind, app: app, identifier: identifier, atUsec: atUsec, nextUsec: nextUsec,
            dueUsec: dueUsec, delivery: nil, late: nil, missedCount: nil, title: title,
            removal: nil, missed: nil)
    }
}

extension ManagerMethod.Subscribe.Reply {
    package init(
        cursor: String, pending: [Wire.PendingRequest]? = nil,
        delivered: [Wire.DeliveredNotification]? = nil, resumed: Bool? = nil,
        ready: Bool? = nil
    ) {
        self.init(
            cursor: cursor, pending: pending, delivered: delivered, resumed: resumed, ready: ready,
            events: nil)
    }

    package init(cursor: String, events: [Wire.Event]) {
        self.init(
            cursor: cursor, pending: nil, delivered: nil, resumed: nil, ready: nil,
            events: events)
    }
}
