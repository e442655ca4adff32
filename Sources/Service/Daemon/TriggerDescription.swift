// A trigger for people: its canonical text where there is one, and in words. Who reads either must
// not take the trigger for one that fires more often: a text that cannot say it all is left out.

package import CivilTime
package import Scheduling

/// What a preview says about its trigger.
package struct TriggerDescription: Equatable {
    /// Of a calendar trigger its canonical expression; none with a stride, which no expression has.
    package var expression: String?
    /// "every day at 09:00, every 2 days, from Tue 2026-12-01 09:00:00, 3 times".
    package var words: String

    /// The bounds are printed in `zone`, the one that the trigger is computed in.
    package init(_ trigger: Trigger, in zone: Zone) {
        switch trigger {
        case .now:
            words = "now"
        case .date:
            words = "once"
        case .interval(let interval):
            let span = TimeSpan(microseconds: interval.period)
            words = interval.repeats ? "every \(span)" : "once, after \(span)"
        case .calendar(let calendar):
            let said = CalendarExpression(pattern: calendar.pattern, timeZone: calendar.zone)
            if calendar.stride == nil { expression = said.text }
            words = calendar.repeats ? said.words : "once, \(said.words)"
            if let stride = calendar.stride { words += ", every \(Self.period(of: stride))" }
        }
        words += Self.bounds(trigger.bounds, in: zone)
    }

    /// "2 days".
    private static func period(of stride: Stride) -> String {
        let unit =
            switch stride.unit {
            case .day: "day"
            case .week: "week"
            case .month: "month"
            case .year: "year"
            }
        return stride.count == 1 ? unit : "\(stride.count) \(unit)s"
    }

    private static func bounds(_ bounds: Bounds, in zone: Zone) -> String {
        func local(_ instant: WallInstant) -> String {
            let seconds = instant.wholeSeconds
            return CivilDateTime(localSeconds: seconds + Int64(zone.offset(at: seconds)))
                .textWithWeekday
        }
        var text = ""
        if let starts = bounds.startsAt { text += ", from \(local(starts))" }
        if let ends = bounds.endsAt { text += ", until \(local(ends))" }
        if let count = bounds.maxCount { text += count == 1 ? ", 1 time" : ", \(count) times" }
        return text
    }
}
