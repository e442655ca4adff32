// Triggers in words, as the table and `show` print them.

import CivilTime
package import SchedulerInterface

/// Renders triggers.
package enum TriggerText {
    /// "every 1 h 30 min, until Tue 2026-12-01 09:00:00".
    package static func words(_ trigger: Wire.Trigger, _ time: TimeContext) -> String {
        let repeats = trigger.repeats ?? false
        var words: String
        if trigger.date != nil {
            // The time is printed beside it, as the next one.
            words = "once"
        } else if let interval = trigger.interval {
            let span = TimeSpan(seconds: interval.seconds)
            words = repeats ? "every \(span)" : "once, after \(span)"
        } else if let calendar = trigger.calendar {
            words = (repeats ? "" : "once, ") + CalendarText.words(calendar)
        } else {
            words = "now"
        }
        if let starts = trigger.startsAtUsec {
            words += ", from \(TimeText.local(starts, in: time.zone))"
        }
        if let ends = trigger.endsAtUsec {
            words += ", until \(TimeText.local(ends, in: time.zone))"
        }
        if let count = trigger.maxCount { words += count == 1 ? ", 1 time" : ", \(count) times" }
        return words
    }
}
