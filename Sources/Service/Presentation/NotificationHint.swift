// What of a notification goes to the server as a hint: one row of the table for each. A hint always
// has the type that the desktop notification specification gives it: two servers break on a wrong
// one (mako fails the call, swaync 0.7 aborts).

import SchedulerInterface

/// A hint of `org.freedesktop.Notifications.Notify`.
package struct NotificationHint: Sendable, Hashable {
    /// A value of the D-Bus type that the hint has.
    package enum Value: Sendable, Hashable {
        case byte(UInt8)
        case string(String)
    }

    package var name: String
    package var value: Value

    package init(name: String, value: Value) {
        self.name = name
        self.value = value
    }

    /// Which hint, and what it says of a notification; nil where it says nothing.
    private struct Row {
        var name: String
        /// What the server must list for the hint to be of use; nil = any server may have it.
        var capability: String?
        var value: @Sendable (Presentation) -> Value?
    }

    private static let table = [
        Row(name: "urgency", capability: nil) { presentation in
            switch presentation.content.urgency {
            case .low: .byte(0)
            case .normal, nil: .byte(1)
            case .critical: .byte(2)
            }
        },
        Row(name: "desktop-entry", capability: nil) { presentation in
            text(presentation.desktopEntry)
        },
    ]

    /// The hints for a server with these capabilities, in the order of the table; nil when it would
    /// not tell.
    static func hints(
        of presentation: Presentation, capabilities: Set<String>?
    ) -> [NotificationHint] {
        table.compactMap { row in
            if let needed = row.capability, capabilities?.contains(needed) != true { return nil }
            return row.value(presentation).map { NotificationHint(name: row.name, value: $0) }
        }
    }

    private static func text(_ text: String?) -> Value? {
        guard let text, !text.isEmpty else { return nil }
        return .string(
            NotificationText.singleLine(text, limitBytes: NotificationText.nameLimitBytes))
    }
}
