// The summary of `status`: one line a subject, what is wrong in colour and with what to do.

package import SchedulerInterface

/// Renders schedd's state.
package enum StatusText {
    package static func text(
        _ status: ManagerMethod.GetStatus.Reply, _ time: TimeContext, style: TextStyle
    ) -> String {
        let uptime = SpanText.rough(microseconds: max(0, status.nowUsec - status.startedUsec))
        let lines = [
            style.bold("schedd \(EscapedText.line(status.version))")
                + ", process \(status.processID), up for \(uptime)",
            line("Pending", pending(status, time)),
            line("Delivered", delivered(status, style)),
            line("Missed", "\(status.missed)"),
            line(
                "Zone",
                EscapedText.line("\(status.timeZone) (from \(status.timeZoneSource))")),
            line("Notifications", presentation(status, style)),
            line("Storage", storage(status, style)),
            line("Connections", "\(status.connections)"),
        ]
        return lines.map { $0 + "\n" }.joined()
    }

    private static func line(_ name: String, _ value: String) -> String {
        "  \("\(name):".padded(to: 15))\(value)"
    }

    private static func pending(
        _ status: ManagerMethod.GetStatus.Reply, _ time: TimeContext
    ) -> String {
        guard let next = status.nextUsec else { return "\(status.pending)" }
        let apps = status.apps == 1 ? "1 app" : "\(status.apps) apps"
        let left = SpanText.relative(to: next, from: time.nowUsec)
        let backlog = status.backlog == 0 ? "" : ", and \(status.backlog) in the backlog"
        return
            "\(status.pending) of \(apps), next \(TimeText.local(next, in: time.zone)) "
            + "(\(left))\(backlog)"
    }

    private static func delivered(
        _ status: ManagerMethod.GetStatus.Reply, _ style: TextStyle
    ) -> String {
        if status.waiting == 0 { return "\(status.delivered)" }
        return "\(status.delivered), "
            + style.yellow("\(status.waiting) waiting for a notification server")
    }

    private static func presentation(
        _ status: ManagerMethod.GetStatus.Reply, _ style: TextStyle
    ) -> String {
        let state =
            switch status.presentation {
            case .connected: EscapedText.line(status.notificationServer ?? "connected")
            case .noServer:
                style.yellow("no notification server on the session bus; they wait for one")
            case .noBus: style.yellow("no session bus; they wait for one")
            // A state of a newer schedd, for which only its message has words.
            case nil: style.yellow("unknown")
            }
        return with(status.presentationMessage, state)
    }

    private static func storage(
        _ status: ManagerMethod.GetStatus.Reply, _ style: TextStyle
    ) -> String {
        let directory = EscapedText.line(status.stateDirectory)
        let state =
            switch status.storage {
            case .ok: "ok, \(directory)"
            case .failing: style.red("the disk refuses writes") + ", \(directory)"
            case nil: style.yellow("unknown") + ", \(directory)"
            }
        return with(status.storageMessage, state)
    }

    private static func with(_ message: String?, _ text: String) -> String {
        guard let message else { return text }
        return text + "\n" + String(repeating: " ", count: 17) + EscapedText.line(message)
    }
}
