// What `add` says when schedd has taken the request.

package import SchedulerInterface

/// Renders the reply to an addition.
package enum AddedText {
    /// One line, and one more for each request that made room.
    package static func text(
        _ added: Wire.Added, isNow: Bool, evicted: [Wire.Evicted], _ time: TimeContext
    ) -> String {
        let id = EscapedText.line(added.identifier)
        var lines: [String]
        if isNow {
            lines = ["delivered \(id) now"]
        } else {
            let verb = added.replaced ? "replaced" : "added"
            lines = ["\(verb) \(id), fires \(Self.when(added.nextUsec, time))"]
            if added.backlogged {
                lines.append("it waits in the backlog: 64 others fire sooner")
            }
        }
        lines += evicted.map {
            "evicted \(EscapedText.line($0.identifier)), which was due "
                + when($0.nextUsec, time)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func when(_ usec: Int64, _ time: TimeContext) -> String {
        let left = SpanText.relative(to: usec, from: time.nowUsec)
        return "\(TimeText.local(usec, in: time.zone)) (\(left))"
    }
}
