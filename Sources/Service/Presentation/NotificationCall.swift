// The arguments of one Notify call, made from a presentation and what the server can do.
// Hints are typed fields, never a dictionary of the app's: two servers break on a hint of a wrong
// type (mako fails the call, swaync 0.7 aborts).

import SchedulerInterface

/// The arguments of `org.freedesktop.Notifications.Notify`, valid for D-Bus as they are.
package struct NotificationCall: Sendable, Equatable {
    package var appName: String
    /// The server's number of the notification to replace, 0 for none.
    package var replacesID: UInt32
    package var summary: String
    package var body: String
    /// Key, label, key, label...
    package var actions: [String]
    package var hints: [NotificationHint]
    /// Milliseconds; -1 is the server's choice, 0 is never.
    package var expireTimeout: Int32

    /// - Parameter capabilities: what GetCapabilities said; nil when the server would not tell.
    ///   Such a server gets escaped text: a stray `&amp;` is ugly, a tag let through is a hole.
    package init(_ presentation: Presentation, replacesID: UInt32, capabilities: Set<String>?) {
        typealias Text = NotificationText
        let content = presentation.content
        appName = Text.singleLine(presentation.app, limitBytes: Text.nameLimitBytes)
        self.replacesID = replacesID
        summary = Text.singleLine(content.title ?? "", limitBytes: Text.summaryLimitBytes)
        var lines: [String] = []
        if let subtitle = content.subtitle, !subtitle.isEmpty {
            lines.append(Text.singleLine(subtitle, limitBytes: Text.subtitleLimitBytes))
        }
        if let body = content.body, !body.isEmpty {
            lines.append(Text.paragraph(body, limitBytes: Text.bodyLimitBytes))
        }
        let plain = lines.joined(separator: "\n")
        let isMarkup = capabilities?.contains("body-markup") ?? true
        body = isMarkup ? Text.escaped(plain) : plain
        actions = []
        if capabilities?.contains("actions") ?? false {
            for action in presentation.actions {
                actions.append(Text.singleLine(action.key, limitBytes: Text.nameLimitBytes))
                actions.append(Text.singleLine(action.label, limitBytes: Text.nameLimitBytes))
            }
        }
        hints = NotificationHint.hints(of: presentation, capabilities: capabilities)
        expireTimeout = Self.milliseconds(content.expireTimeoutUsec)
    }

    /// Rounded up, so that a short time does not become 0, which would mean never; a negative time
    /// is no time at all and leaves it to the server.
    package static func milliseconds(_ usec: Int64?) -> Int32 {
        guard let usec, usec >= 0 else { return -1 }
        let (whole, rest) = usec.quotientAndRemainder(dividingBy: 1000)
        return Int32(clamping: rest > 0 ? whole + 1 : whole)
    }
}
