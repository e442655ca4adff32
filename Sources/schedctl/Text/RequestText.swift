// One request in full, a line for each thing that is set.

import CivilTime
package import SchedulerInterface
import Varlink

/// Renders one pending request.
package enum RequestText {
    package static func text(_ request: Wire.PendingRequest, _ time: TimeContext) -> String {
        var lines: [(String, String?)] = [
            ("ID", request.identifier), ("App", request.app),
            (
                "Next",
                TimeText.localWithOffset(request.nextUsec, in: time.zone) + " ("
                    + SpanText.relative(to: request.nextUsec, from: time.nowUsec) + ")"
            ),
            ("Trigger", TriggerText.words(request.trigger, time)),
            ("Fired", request.occurrenceCount == 1 ? "1 time" : "\(request.occurrenceCount) times"),
            ("Added", TimeText.localWithOffset(request.addedUsec, in: time.zone)),
            ("If missed", ifMissed(request)),
        ]
        // The body has lines of its own, and comes last.
        let rows = ContentOption.settings + ContentOption.texts.filter { $0.field != "body" }
        lines += rows.map { ($0.label, $0.shown(request.content)) }
        lines.append(("User info", request.content.userInfo?.jsonText))
        var text = lines.compactMap { name, value in
            value.map { "\("\(name):".padded(to: nameWidth))\(EscapedText.line($0))\n" }
        }.joined()
        if let body = request.content.body {
            let indent = String(repeating: " ", count: nameWidth)
            let lines = EscapedText.block(body).split(
                separator: "\n", omittingEmptySubsequences: false)
            text += "Body:".padded(to: nameWidth) + lines.joined(separator: "\n\(indent)") + "\n"
        }
        return text
    }

    private static let nameWidth = 12

    /// A limit says something beside `skip` too: how long a delivery may wait for the screen.
    private static func ifMissed(_ request: Wire.PendingRequest) -> String {
        let limit = request.latenessLimit.map {
            "at most \(TimeSpan(seconds: $0)) late"
        }
        return switch (request.ifMissed, limit) {
        case (.skip, nil): "skip"
        case (.skip, .some(let limit)): "skip, and else deliver \(limit)"
        case (.deliver, nil): "deliver late"
        case (.deliver, .some(let limit)): "deliver, \(limit)"
        // A policy of a newer schedd, which this schedctl does not know.
        case (nil, let limit): limit.map { "deliver \($0), if at all" } ?? "-"
        }
    }
}
