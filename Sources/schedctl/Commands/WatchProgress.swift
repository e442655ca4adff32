// What a watch remembers over all its connections: where to resume, and which deliveries it has
// seen, so that a firing is shown once even when schedd has lost its cursors.

import Platform
import SchedulerInterface

/// How far a watch has come.
struct WatchProgress {
    /// Events still to come; nil for no end.
    var left: Int64?
    var cursor: String?
    /// How often connecting has failed since it last worked.
    var attempts: Int32 = 0
    /// The highest delivery seen; schedd counts up and never uses a number twice.
    private var lastDelivery: Int64 = 0

    init(left: Int64?) {
        self.left = left
    }

    /// Takes notice of an event, printed or not.
    mutating func note(_ event: Wire.Event) {
        if let delivery = event.delivery { lastDelivery = max(lastDelivery, delivery) }
    }

    /// The firings that the present state tells of and that no event did, in order.
    mutating func firings(in delivered: [Wire.DeliveredNotification]) -> [Wire.Event] {
        let news = delivered.filter { $0.delivery > lastDelivery }
            .sorted { $0.delivery < $1.delivery }
        lastDelivery = news.last?.delivery ?? lastDelivery
        return news.map {
            Wire.Event(
                kind: .fired, app: $0.app, identifier: $0.identifier, atUsec: $0.firedUsec,
                nextUsec: nil, dueUsec: $0.dueUsec, delivery: $0.delivery, late: $0.late,
                missedCount: $0.missedCount,
                title: $0.content.title ?? $0.content.subtitle ?? $0.content.body, removal: nil,
                missed: nil)
        }
    }

    /// Waits before the next attempt: longer each time, up to 2 s.
    mutating func pause(_ session: Session) {
        if attempts == 0 { session.notes("schedctl: connection lost, connecting again\n") }
        Clock.pause(milliseconds: min(2_000, 100 << min(attempts, 5)))
        attempts += 1
    }
}
