// What `next` prints: the trigger in words, as schedd writes it back, and its next times.

package import SchedulerInterface

/// Renders previews.
package enum PreviewText {
    package static func text(
        _ reply: SchedulerMethod.Preview.Reply, _ time: TimeContext, width: Int?, style: TextStyle
    ) -> String {
        var text = EscapedText.line(reply.words) + "\n"
        if let expression = reply.expression {
            text += "written as  \(EscapedText.line(expression))\n"
        }
        text += "zone        \(EscapedText.line(reply.timeZone))\n\n"
        if reply.occurrences.isEmpty { return text + "no further occurrence\n" }
        let table = Table(
            columns: [.init("NEXT"), .init("OFFSET"), .init("UTC"), .init("LEFT")],
            rows: reply.occurrences.map { row($0, time) })
        return text + table.text(width: width, style: style)
    }

    private static func row(_ occurrence: Wire.Occurrence, _ time: TimeContext) -> [String] {
        let offset = Int32(clamping: occurrence.utcOffsetSeconds)
        return [
            TimeText.local(occurrence.atUsec, offset: offset),
            "\(TimeText.offset(offset)) \(occurrence.abbreviation)",
            TimeText.utc(occurrence.atUsec),
            SpanText.relative(to: occurrence.atUsec, from: time.nowUsec),
        ]
    }
}
