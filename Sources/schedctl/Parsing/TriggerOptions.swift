// The options of `add` and `next` that say when: at most one of --at, --in, --every, --calendar and
// --on, and what goes with it. An option that would have no effect is refused, never ignored.

package import CivilTime
package import Platform
package import SchedulerInterface

/// When, as options say it.
package enum TriggerOptions {
    /// The options of the group "When" in the help.
    package static let options = [
        OptionDescription(
            "at", value: "WHEN",
            help: "once, at a point in time: '2026-12-01 09:00[:SS]' or\n"
                + "09:00 (today or tomorrow) in your zone or --zone's,\n"
                + "2026-12-01T09:00:00Z, or @SECONDS since 1970"),
        OptionDescription(
            "in", value: "SPAN", help: "once, after this long: 90s, 20m, 1h30m, 2d"),
        OptionDescription(
            "every", value: "SPAN", help: "repeatedly; at least 60 s, counted from now"),
        OptionDescription(
            "on", value: "EXPR",
            help: "repeatedly, at the times of an expression as\n"
                + "systemd.time(7) has it ('Mon..Fri 09:00', daily) or\n"
                + "of five cron fields ('0 9 * * 1-5')"),
        OptionDescription(
            "calendar", value: "JSON",
            help: "the same as the calendar object of schedd's\n"
                + "interface: '{\"hour\":[9],\"weekday\":[2,6]}'"),
        OptionDescription("once", help: "with --on or --calendar: the next time only"),
        OptionDescription(
            "zone", value: "NAME",
            help: "the zone of --at, --on or --calendar, such as\n"
                + "Europe/Berlin; yours when absent"),
        OptionDescription(
            "starts", value: "WHEN",
            help: "when a repeating one begins; --every counts from it"),
        OptionDescription("ends", value: "WHEN", help: "when a repeating one ends"),
        OptionDescription("count", value: "N", help: "a repeating one ends after N times"),
    ]

    private static let kinds = ["at", "in", "every", "on", "calendar"]

    /// The trigger of the options; nil for now.
    package static func trigger(
        _ options: ParsedOptions, _ time: TimeContext
    ) throws(UsageError) -> Wire.Trigger? {
        let given = kinds.filter { options.contains($0) }
        if given.count > 1 {
            throw UsageError("--\(given[0]) and --\(given[1]) exclude each other")
        }
        let kind = given.first
        let isCalendar = kind == "on" || kind == "calendar"
        if options.contains("once"), !isCalendar {
            throw UsageError("--once goes with --on or --calendar only")
        }
        if options.contains("zone"), !isCalendar, kind != "at" {
            throw UsageError("--zone goes with --at, --on or --calendar only")
        }
        let repeats = kind == "every" || isCalendar && !options.contains("once")
        if !repeats, let bound = ["starts", "ends", "count"].first(where: options.contains) {
            throw UsageError("--\(bound) goes with a repeating trigger only")
        }
        guard let kind, let value = options.value(of: kind) else { return nil }
        var trigger = try trigger(kind: kind, value: value, options, time)
        if repeats { try bound(&trigger, by: options, time) }
        return trigger
    }

    private static func trigger(
        kind: String, value: String, _ options: ParsedOptions, _ time: TimeContext
    ) throws(UsageError) -> Wire.Trigger {
        let zone = options.value(of: "zone")
        switch kind {
        case "at":
            let instant = try instant(value, of: kind, zone: zone, time, after: time.now)
            return Wire.Trigger(date: .init(atUsec: instant))
        case "in":
            return Wire.Trigger(interval: .init(seconds: try span(value, of: kind)))
        case "every":
            return Wire.Trigger(interval: .init(seconds: try span(value, of: kind)), repeats: true)
        default:
            var calendar: Wire.CalendarTrigger
            let own: String?
            if kind == "on" {
                own = try ExpressionText.expression(value).timeZone
                calendar = Wire.CalendarTrigger(expression: value)
            } else {
                calendar = try CalendarJSON.calendar(value)
                own = calendar.timeZone
            }
            if let zone {
                if let own {
                    throw UsageError(
                        "the calendar names the zone '\(EscapedText.line(own))' itself; "
                            + "leave --zone out")
                }
                calendar.timeZone = try named(zone, by: "zone", time).name
            } else if let own {
                _ = try named(own, by: kind, time)
            }
            return Wire.Trigger(
                calendar: calendar, repeats: options.contains("once") ? nil : true)
        }
    }

    private static func bound(
        _ trigger: inout Wire.Trigger, by options: ParsedOptions, _ time: TimeContext
    ) throws(UsageError) {
        let zone = options.value(of: "zone")
        if let value = options.value(of: "starts") {
            trigger.startsAtUsec = try instant(value, of: "starts", zone: zone, time)
        }
        if let value = options.value(of: "ends") {
            trigger.endsAtUsec = try instant(value, of: "ends", zone: zone, time)
        }
        if let starts = trigger.startsAtUsec, let ends = trigger.endsAtUsec, ends < starts {
            throw UsageError("--ends is before --starts")
        }
        trigger.maxCount = try number("count", options)
    }

    /// WHEN in microseconds since 1970. A local time that the clocks show twice is its first pass
    /// unless that has gone by at `reference`.
    package static func instant(
        _ text: String, of option: String, zone: String?, _ time: TimeContext,
        after reference: WallInstant? = nil
    ) throws(UsageError) -> Int64 {
        let zone = if let zone { try named(zone, by: "zone", time) } else { time.zone }
        do throws(UsageError) {
            return try WhenText(text: text).instant(in: zone, after: reference ?? time.now)
                .microseconds
        } catch {
            throw UsageError("--\(option): \(error.message)")
        }
    }

    /// The zone that an option names.
    private static func named(
        _ zone: String, by option: String, _ time: TimeContext
    ) throws(UsageError) -> Zone {
        do throws(UsageError) {
            return try time.namedZone(zone)
        } catch {
            throw UsageError("--\(option): \(error.message)")
        }
    }

    /// SPAN in seconds, more than 0.
    package static func span(_ text: String, of option: String) throws(UsageError) -> Double {
        let span: TimeSpan
        do throws(UsageError) {
            span = try TimeSpan(text: text)
        } catch {
            throw UsageError("--\(option): \(error.message)")
        }
        if span.microseconds == 0 { throw UsageError("--\(option): a span must be more than 0") }
        return span.seconds
    }

    /// A whole number of at least 1; nil when the option is absent.
    package static func number(
        _ option: String, _ options: ParsedOptions
    ) throws(UsageError) -> Int64? {
        guard let text = options.value(of: option) else { return nil }
        guard let value = Int64(text), value >= 1 else {
            throw UsageError(
                "--\(option): '\(EscapedText.line(text))' is no whole number of at least 1")
        }
        return value
    }
}
