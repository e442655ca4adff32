// The next occurrence of a pattern: ours beside Foundation's nextDate and systemd-analyze, and an
// impossible pattern refused. Occurrences are chained, each from the one before, in Europe/Berlin.

import CivilTime
import Foundation

enum CalendarBenchmark {
    /// One pattern, and how the others say it where they can.
    private struct Case {
        let name: String
        /// In the compact form.
        let fields: String
        var components: DateComponents?
        var onCalendar: String?
        /// Rows of everyday patterns are held to 1 µs at the 99th percentile.
        var isOrdinary = true
    }

    private static let cases = [
        Case(
            name: "hour and minute", fields: "hour=9 minute=30",
            components: DateComponents(hour: 9, minute: 30, second: 0), onCalendar: "09:30"),
        Case(
            name: "weekday set", fields: "weekday=2..6 hour=9",
            // Foundation takes one weekday at a time.
            components: DateComponents(hour: 9, minute: 0, second: 0, weekday: 2),
            onCalendar: "Mon..Fri 09:00"),
        Case(
            name: "day 31", fields: "day=31 hour=9",
            components: DateComponents(day: 31, hour: 9, minute: 0, second: 0),
            onCalendar: "*-*-31 09:00"),
        Case(
            name: "29 February", fields: "month=2 day=29 hour=9",
            components: DateComponents(month: 2, day: 29, hour: 9, minute: 0, second: 0),
            onCalendar: "*-02-29 09:00"),
        Case(
            name: "first Monday", fields: "weekday=2 weekdayOrdinal=1 hour=9",
            components: DateComponents(
                hour: 9, minute: 0, second: 0, weekday: 2, weekdayOrdinal: 1),
            onCalendar: "Mon *-*-01..07 09:00"),
        Case(
            name: "last Friday", fields: "weekday=6 weekdayOrdinal=-1 hour=9",
            components: nil, onCalendar: "Fri *-*~07/1 09:00"),
        Case(
            name: "week 53", fields: "weekOfYear=53 weekday=2 hour=9",
            components: DateComponents(
                hour: 9, minute: 0, second: 0, weekday: 2, weekOfYear: 53), onCalendar: nil),
        Case(
            name: "every second", fields: "second=0..59",
            components: nil, onCalendar: "*:*:*"),
    ]

    private static let impossible = [
        Case(
            name: "30 February refused", fields: "month=2 day=30 hour=9",
            components: DateComponents(month: 2, day: 30, hour: 9, minute: 0, second: 0)),
        Case(
            name: "fifth Monday of February 2027 refused",
            fields: "year=2027 month=2 weekday=2 weekdayOrdinal=5"),
        Case(name: "week 53 of 2027 refused", fields: "yearForWeekOfYear=2027 weekOfYear=53"),
        Case(name: "29 February in week 1 refused", fields: "month=2 day=29 weekOfYear=1"),
    ]

    private static let zoneName = "Europe/Berlin"
    /// 2026-01-01T00:00:00Z.
    private static let start = WallInstant(seconds: 1_767_225_600)

    static func run() throws -> [ReportRow] {
        let folder = ProcessInfo.processInfo.environment["TZDIR"] ?? "/usr/share/zoneinfo"
        let file = URL(filePath: folder).appending(path: zoneName)
        let zone = try Zone(name: zoneName, tzif: [UInt8](try Data(contentsOf: file)))
        var rows: [ReportRow] = []
        for one in cases {
            rows += try measure(one, in: zone)
        }
        for one in impossible {
            rows += try measureRefusal(one)
        }
        return rows
    }

    private static func measure(_ one: Case, in zone: Zone) throws -> [ReportRow] {
        let pattern = try CalendarPattern(compact: one.fields)
        var instant = start
        let step = {
            // Back to the start before the calendar's end; a pattern of the list never ends
            // before.
            instant = pattern.next(after: instant, in: zone) ?? start
            if instant.wholeSeconds > 16_725_225_600 { instant = start }
        }
        _ = Stopwatch.perCall(batches: 200, callsInBatch: 50, step)
        let times = Stopwatch.perCall(batches: 2_000, callsInBatch: 50, step)
        let median = times[times.count / 2]
        var rows: [ReportRow] = []
        if let components = one.components {
            rows.append(
                .compared(
                    one.name, ours: median, to: foundation(components),
                    of: "Foundation nextDate", unit: "ns", atLeast: 100))
        }
        if let expression = one.onCalendar {
            rows.append(
                .compared(
                    one.name, ours: median, to: try systemd(expression),
                    of: "systemd-analyze calendar", unit: "ns", atLeast: 100))
        }
        let percentile = times[times.count * 99 / 100]
        rows.append(.limited("\(one.name), p99", percentile, unit: "ns", to: 1_000))
        if AllocationCount.isCounting {
            let count = AllocationCount.during {
                for _ in 0..<1_000 { step() }
            }
            rows.append(
                .limited(
                    "\(one.name), allocations", Double(count), unit: "in 1000 calls", to: 0))
        }
        return rows
    }

    private static func measureRefusal(_ one: Case) throws -> [ReportRow] {
        var refused = 0
        let time = Stopwatch.mean(atMost: 2_000, seconds: 1) {
            do { _ = try CalendarPattern(compact: one.fields) } catch { refused += 1 }
        }
        guard refused > 0 else { throw PatternError.neverFires }
        var rows = [ReportRow.limited(one.name, time, unit: "ns", to: 1_000_000)]
        if let components = one.components {
            rows.append(
                .compared(
                    one.name, ours: time, to: foundation(components), of: "Foundation nextDate",
                    unit: "ns", atLeast: 100))
        }
        return rows
    }

    /// Nanoseconds per occurrence of Foundation's search, chained in the same way.
    private static func foundation(_ components: DateComponents) -> Double? {
        var calendar = Calendar(identifier: .iso8601)
        guard let zone = TimeZone(identifier: zoneName) else { return nil }
        calendar.timeZone = zone
        let first = Date(timeIntervalSince1970: Double(start.wholeSeconds))
        var date = first
        return Stopwatch.mean(atMost: 300, seconds: 0.5) {
            date =
                calendar.nextDate(
                    after: date, matching: components, matchingPolicy: .nextTime,
                    repeatedTimePolicy: .first) ?? first
        }
    }

    /// Nanoseconds per further occurrence: a run with many less a run with one.
    private static func systemd(_ expression: String) throws -> Double? {
        // A pattern may have fewer occurrences before systemd's last year, so they are counted.
        func run(_ iterations: Int) throws -> (time: Double, occurrences: Int)? {
            let words = [
                "/usr/bin/systemd-analyze", "calendar", "--iterations=\(iterations)",
                "--base-time=2026-01-01 00:00:00 UTC", "\(expression) \(zoneName)",
            ]
            guard let run = try Command.run(words) else { return nil }
            let lines = run.output.split(separator: "\n")
            return (
                run.nanoseconds, lines.count { $0.contains("elapse:") || $0.contains("Iter") }
            )
        }
        guard let one = try run(1), let many = try run(301), many.occurrences > one.occurrences
        else { return nil }
        return max(0, many.time - one.time) / Double(many.occurrences - one.occurrences)
    }
}
