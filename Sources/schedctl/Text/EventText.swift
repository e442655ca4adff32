// One line for each event, in columns that stay aligned from line to line.

package import CivilTime
package import SchedulerInterface

/// Renders events.
package enum EventText {
    /// "Tue 2026-12-01 09:00:00  fired  schedctl tea  Tea (late)", without a newline.
    package static func line(_ event: Wire.Event, in zone: Zone, style: TextStyle) -> String {
        let kind = DisplayWidth.pad(event.kind.rawValue, to: kindWidth)
        var parts = [
            TimeText.local(event.atUsec, in: zone), coloured(kind, event.kind, style),
            EscapedText.line(event.app), EscapedText.line(event.identifier),
        ]
        if let title = event.title { parts.append(EscapedText.line(title)) }
        let notes = notes(event, in: zone)
        if !notes.isEmpty { parts.append("(\(notes.joined(separator: ", ")))") }
        return parts.joined(separator: "  ").trimmedEnd
    }

    private static let kindWidth = Wire.EventKind.allCases.map(\.rawValue.count).max() ?? 0

    private static func coloured(
        _ text: String, _ kind: Wire.EventKind, _ style: TextStyle
    ) -> String {
        switch kind {
        case .fired: style.green(text)
        case .missed: style.yellow(text)
        case .added, .rescheduled, .removed, .presented, .removedDelivered: text
        }
    }

    private static func notes(_ event: Wire.Event, in zone: Zone) -> [String] {
        var notes: [String] = []
        if event.late == true, let due = event.dueUsec {
            notes.append("late, was due \(TimeText.local(due, in: zone))")
        }
        if let count = event.missedCount, count > 0 { notes.append("\(count) missed") }
        if let reason = event.missed { notes.append(ListingText.reason(reason)) }
        if let removal = event.removal { notes.append(removal.rawValue) }
        if let next = event.nextUsec {
            notes.append("next \(TimeText.local(next, in: zone))")
        }
        return notes
    }
}
