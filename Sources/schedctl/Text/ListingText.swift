// The tables of list, delivered and missed.

package import SchedulerInterface

/// Turns listings into tables.
package enum ListingText {
    package static func pending(_ requests: [Wire.PendingRequest], _ time: TimeContext) -> Table {
        Table(
            columns: [
                .init("NEXT"), .init("LEFT"), .name("APP"), .name("ID"),
                .init("TRIGGER", shortest: 12), .init("TITLE", shortest: 12),
            ],
            rows: requests.map { request in
                [
                    TimeText.local(request.nextUsec, in: time.zone),
                    left(request.nextUsec, time),
                    request.app, request.identifier, TriggerText.words(request.trigger, time),
                    headline(request.content),
                ]
            })
    }

    package static func delivered(
        _ notifications: [Wire.DeliveredNotification], _ time: TimeContext
    ) -> Table {
        Table(
            columns: [
                .init("FIRED"), .init("AGO"), .name("APP"), .name("ID"),
                .init("NOTE", shortest: 8), .init("TITLE", shortest: 12),
            ],
            rows: notifications.map { notification in
                [
                    TimeText.local(notification.firedUsec, in: time.zone),
                    ago(notification.firedUsec, time),
                    notification.app, notification.identifier, note(notification),
                    headline(notification.content),
                ]
            })
    }

    package static func missed(
        _ notifications: [Wire.MissedNotification], _ time: TimeContext
    ) -> Table {
        Table(
            columns: [
                .init("DUE"), .init("AGO"), .name("APP"), .name("ID"),
                .init("TIMES"), .init("WHY", shortest: 12), .init("TITLE", shortest: 12),
            ],
            rows: notifications.map { missed in
                [
                    TimeText.local(missed.dueUsec, in: time.zone), ago(missed.dueUsec, time),
                    missed.app, missed.identifier, "\(missed.count)",
                    missed.reason.map(reason) ?? "-",
                    missed.title ?? "-",
                ]
            })
    }

    /// Why an occurrence was not shown, in a few words.
    package static func reason(_ reason: Wire.MissedReason) -> String {
        switch reason {
        case .skipped: "skipped, as its policy says"
        case .latenessLimit: "later than its limit"
        case .zoneChanged: "the zone changed"
        case .evicted: "too many waited to be shown"
        }
    }

    /// The first text that a content has.
    package static func headline(_ content: Wire.Content) -> String {
        [content.title, content.subtitle, content.body].lazy.compactMap(\.self)
            .first { !$0.isEmpty } ?? "-"
    }

    /// What is unusual about a delivery; a dash when nothing is.
    package static func note(_ notification: Wire.DeliveredNotification) -> String {
        var notes: [String] = []
        if notification.presentedUsec == nil { notes.append("waiting") }
        if notification.late { notes.append("late") }
        if notification.missedCount > 0 { notes.append("\(notification.missedCount) missed") }
        return notes.isEmpty ? "-" : notes.joined(separator: ", ")
    }

    private static func left(_ usec: Int64, _ time: TimeContext) -> String {
        let left = usec - time.nowUsec
        return left <= 0 ? "now" : SpanText.rough(microseconds: left)
    }

    private static func ago(_ usec: Int64, _ time: TimeContext) -> String {
        SpanText.rough(microseconds: max(0, time.nowUsec - usec))
    }
}

extension Table.Column {
    /// A column of apps or identifiers.
    fileprivate static func name(_ head: String) -> Self {
        Self(head, shortest: 8, isName: true)
    }
}
