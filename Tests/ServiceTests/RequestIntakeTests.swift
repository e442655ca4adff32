// What comes in over the wire is checked by field: every limit at its edge, and one beyond.

import CivilTime
import Scheduling
import SchedulerInterface
import Service
import Testing
import Varlink

@Suite struct RequestIntakeTests {
    private func wire(
        _ trigger: Wire.Trigger? = nil, identifier: String = "x",
        content: Wire.Content = Wire.Content(title: "t"), latenessLimit: Double? = nil
    ) -> [Wire.Request] {
        [
            Wire.Request(
                identifier: identifier, content: content, trigger: trigger,
                latenessLimit: latenessLimit)
        ]
    }

    /// The error of a batch, nil if it is taken.
    private func error(_ requests: [Wire.Request]) -> RequestError? {
        do throws(RequestError) {
            _ = try RequestIntake.requests(requests)
            return nil
        } catch {
            return error
        }
    }

    private func field(_ error: RequestError?) -> String? {
        switch error {
        case .invalid(let field, _), .neverFires(let field, _), .tooLarge(let field, _, _),
            .inPast(let field, _, _):
            field
        case .queueFull, nil:
            nil
        }
    }

    struct IntervalCase: CustomTestStringConvertible, Sendable {
        var seconds: Double
        var repeats: Bool
        var isTaken: Bool
        var testDescription: String { "\(seconds) s\(repeats ? ", repeating" : "")" }
    }

    @Test(arguments: [
        IntervalCase(seconds: 0, repeats: false, isTaken: false),
        IntervalCase(seconds: -46, repeats: false, isTaken: false),
        IntervalCase(seconds: .nan, repeats: false, isTaken: false),
        IntervalCase(seconds: .infinity, repeats: false, isTaken: false),
        IntervalCase(seconds: -.infinity, repeats: false, isTaken: false),
        IntervalCase(seconds: 1e300, repeats: false, isTaken: false),
        IntervalCase(seconds: 3_155_760_001, repeats: false, isTaken: false),
        IntervalCase(seconds: 59.9, repeats: true, isTaken: false),
        IntervalCase(seconds: 0.2, repeats: false, isTaken: true),
        IntervalCase(seconds: 1e-9, repeats: false, isTaken: true),
        IntervalCase(seconds: 60, repeats: true, isTaken: true),
        IntervalCase(seconds: 3_155_760_000, repeats: true, isTaken: true),
    ])
    func `B62: an interval is more than 0, at most 100 years, and 60 s or more when it repeats`(
        _ row: IntervalCase
    ) throws {
        let trigger = Wire.Trigger(
            interval: Wire.IntervalTrigger(seconds: row.seconds), repeats: row.repeats)
        let found = error(wire(trigger))
        #expect((found == nil) == row.isTaken)
        if !row.isTaken {
            #expect(field(found) == "requests[0].trigger.interval.seconds")
        } else {
            let taken = try RequestIntake.requests(wire(trigger))
            guard case .interval(let interval) = taken[0].trigger else {
                Issue.record("not an interval")
                return
            }
            #expect(interval.period >= 1)
        }
    }

    struct CalendarCase: CustomTestStringConvertible, Sendable {
        var calendar: Wire.CalendarTrigger
        var field: String
        var neverFires = false
        var testDescription: String { field }
    }

    @Test(arguments: [
        CalendarCase(calendar: .init(month: [2], day: [30]), field: "", neverFires: true),
        CalendarCase(calendar: .init(month: [2], day: [31]), field: "", neverFires: true),
        CalendarCase(calendar: .init(month: [4], day: [31]), field: "", neverFires: true),
        CalendarCase(
            calendar: .init(year: [2027], month: [2], day: [29]), field: "", neverFires: true),
        CalendarCase(calendar: .init(month: [13]), field: ".month"),
        CalendarCase(calendar: .init(hour: [24]), field: ".hour"),
        CalendarCase(calendar: .init(minute: [60]), field: ".minute"),
        CalendarCase(calendar: .init(second: [60]), field: ".second"),
        CalendarCase(calendar: .init(day: [0]), field: ".day"),
        CalendarCase(calendar: .init(weekday: [8]), field: ".weekday"),
        CalendarCase(calendar: .init(weekday: [0], hour: [9]), field: ".weekday"),
        CalendarCase(calendar: .init(hour: []), field: ".hour"),
        CalendarCase(calendar: .init(hour: [.max]), field: ".hour"),
        CalendarCase(calendar: .init(hour: [9], firstWeekday: 8), field: ".firstWeekday"),
        CalendarCase(
            calendar: .init(hour: [9], minimumDaysInFirstWeek: 0),
            field: ".minimumDaysInFirstWeek"),
        CalendarCase(calendar: .init(), field: ""),
    ])
    func `B37, B39: a pattern that is out of range or never fires is refused by field`(
        _ row: CalendarCase
    ) {
        let found = error(wire(Wire.Trigger(calendar: row.calendar, repeats: true)))
        #expect(field(found) == "requests[0].trigger.calendar" + row.field)
        if case .neverFires? = found {
            #expect(row.neverFires)
        } else {
            #expect(!row.neverFires)
        }
    }

    @Test func `B77: a text is taken at its limit and refused one byte beyond it`() {
        func content(_ key: WritableKeyPath<Wire.Content, String?>, _ size: Int) -> Wire.Content {
            var content = Wire.Content(title: "t")
            content[keyPath: key] = String(repeating: "x", count: size)
            return content
        }
        let rows: [(WritableKeyPath<Wire.Content, String?>, String, Int)] = [
            (\.title, "title", 1_024), (\.subtitle, "subtitle", 1_024), (\.body, "body", 16_384),
        ]
        for (key, name, limit) in rows {
            #expect(error(wire(content: content(key, limit))) == nil)
            #expect(
                error(wire(content: content(key, limit + 1)))
                    == .tooLarge(
                        field: "requests[0].content.\(name)", size: limit + 1, limit: limit))
        }
        #expect(
            error(wire(content: content(\.body, 2_000_000)))
                == .tooLarge(field: "requests[0].content.body", size: 2_000_000, limit: 16_384))
        #expect(error(wire(identifier: String(repeating: "i", count: 1_024))) == nil)
        #expect(
            error(wire(identifier: String(repeating: "i", count: 1_025)))
                == .tooLarge(field: "requests[0].identifier", size: 1_025, limit: 1_024))
        #expect(field(error(wire(identifier: ""))) == "requests[0].identifier")
    }

    @Test func `userInfo is an object of at most 16384 bytes`() {
        func content(_ value: JSONValue) -> Wire.Content {
            Wire.Content(title: "t", userInfo: value)
        }
        #expect(error(wire(content: content(.object([:])))) == nil)
        #expect(error(wire(content: content(.string("x")))) != nil)
        let large = JSONValue.object(["k": .string(String(repeating: "v", count: 16_384))])
        #expect(field(error(wire(content: content(large)))) == "requests[0].content.userInfo")
    }

    @Test func `userInfo has at most 32 objects and arrays in each other`() {
        func nested(_ depth: Int, _ outside: (JSONValue) -> JSONValue) -> Wire.Content {
            var value = JSONValue.object([:])
            for _ in 2..<depth { value = outside(value) }
            return Wire.Content(title: "t", userInfo: .object(["a": .int(1), "k": value]))
        }
        let reason = "has more than 32 objects and arrays in each other"
        for outside: (JSONValue) -> JSONValue in [{ .object(["k": $0]) }, { .array([.null, $0]) }] {
            #expect(error(wire(content: nested(32, outside))) == nil)
            #expect(
                error(wire(content: nested(33, outside)))
                    == .invalid(field: "requests[0].content.userInfo", reason: reason))
        }
    }

    @Test func `a notification that says nothing is refused`() {
        #expect(field(error(wire(content: Wire.Content()))) == "requests[0].content")
        #expect(field(error(wire(content: Wire.Content(title: "")))) == "requests[0].content")
        #expect(error(wire(content: Wire.Content(body: "b"))) == nil)
    }

    @Test func `a batch has 1 to 1024 requests`() {
        #expect(field(error([])) == "requests")
        let one = wire()[0]
        #expect(error(Array(repeating: one, count: 1_024)) == nil)
        #expect(
            error(Array(repeating: one, count: 1_025))
                == .tooLarge(field: "requests", size: 1_025, limit: 1_024))
    }

    struct TriggerCase: CustomTestStringConvertible, Sendable {
        var trigger: Wire.Trigger
        /// nil = it is taken.
        var field: String?
        var testDescription: String { field ?? "taken" }
    }

    @Test(arguments: [
        TriggerCase(trigger: .init(), field: ""),
        TriggerCase(
            trigger: .init(date: .init(atUsec: 1), interval: .init(seconds: 1)), field: ""),
        TriggerCase(trigger: .init(date: .init(atUsec: 1), repeats: true), field: ".repeats"),
        TriggerCase(trigger: .init(date: .init(atUsec: .max)), field: ".date.atUsec"),
        TriggerCase(trigger: .init(date: .init(atUsec: .min)), field: ".date.atUsec"),
        TriggerCase(
            trigger: .init(interval: .init(seconds: 1), startsAtUsec: 1), field: ".startsAtUsec"),
        TriggerCase(
            trigger: .init(interval: .init(seconds: 60), endsAtUsec: 1), field: ".endsAtUsec"),
        TriggerCase(
            trigger: .init(interval: .init(seconds: 60), repeats: true, maxCount: 0),
            field: ".maxCount"),
        TriggerCase(
            trigger: .init(
                interval: .init(seconds: 60), repeats: true, startsAtUsec: 2, endsAtUsec: 1),
            field: ".endsAtUsec"),
        TriggerCase(
            trigger: .init(
                calendar: .init(hour: [9], every: .init(count: 2, unit: .day))),
            field: ".calendar.every"),
        TriggerCase(
            trigger: .init(
                calendar: .init(hour: [9], every: .init(count: 0, unit: .day)), repeats: true),
            field: ".calendar.every.count"),
        TriggerCase(
            trigger: .init(
                calendar: .init(hour: [9], every: .init(count: 1_000, unit: .year)),
                repeats: true, startsAtUsec: 1, endsAtUsec: 1, maxCount: 1)),
    ])
    func `a trigger has exactly one kind, and bounds only where they mean something`(
        _ row: TriggerCase
    ) {
        let found = error(wire(row.trigger))
        #expect(field(found) == row.field.map { "requests[0].trigger" + $0 })
    }

    @Test(arguments: [
        ("", false), (".x", false), ("-x", false), ("a b", false), ("a/b", false),
        ("ä", false), ("org.example.Diary", true), ("schedctl", true), ("A_1-2", true),
    ])
    func `an app id is made of letters, digits, dots, underscores and dashes`(
        name: String, isTaken: Bool
    ) {
        let taken = try? RequestIntake.app(name)
        #expect((taken != nil) == isTaken)
    }

    @Test func `an app id has at most 255 bytes`() {
        #expect((try? RequestIntake.app(String(repeating: "a", count: 255))) != nil)
        #expect(throws: RequestError.tooLarge(field: "app", size: 256, limit: 255)) {
            try RequestIntake.app(String(repeating: "a", count: 256))
        }
    }

    @Test func `a lateness limit is 0 to 100 years`() {
        #expect(error(wire(latenessLimit: 0)) == nil)
        #expect(error(wire(latenessLimit: 3_155_760_000)) == nil)
        for limit in [-1, .nan, .infinity, 3_155_760_001] {
            #expect(field(error(wire(latenessLimit: limit))) == "requests[0].latenessLimit")
        }
    }

    @Test(arguments: [
        (Wire.Trigger(), ""),
        (.init(date: .init(atUsec: 1), repeats: true), ".repeats"),
        (.init(date: .init(atUsec: .max)), ".date.atUsec"),
        (.init(date: .init(atUsec: 1), startsAtUsec: 1, maxCount: 1), ".startsAtUsec"),
        (.init(date: .init(atUsec: 1), endsAtUsec: 1, maxCount: 1), ".endsAtUsec"),
        (.init(date: .init(atUsec: 1), maxCount: 1), ".maxCount"),
        (.init(interval: .init(seconds: 60), repeats: true, maxCount: 0), ".maxCount"),
        (.init(interval: .init(seconds: 60), repeats: true, endsAtUsec: .min), ".endsAtUsec"),
        (.init(interval: .init(seconds: 0)), ".interval.seconds"),
        (.init(calendar: .init(hour: [24])), ".calendar.hour"),
        (.init(calendar: .init(year: [0], hour: [24])), ".calendar.year"),
        (.init(calendar: .init()), ".calendar"),
        (.init(calendar: .init(month: [2], day: [30])), ".calendar"),
        (.init(calendar: .init(expression: "never")), ".calendar.expression"),
        (.init(calendar: .init(expression: "daily", second: [1])), ".calendar.expression"),
        (
            .init(calendar: .init(hour: [9], every: .init(count: 2, unit: .day))),
            ".calendar.every"
        ),
        (
            .init(calendar: .init(hour: [9], every: .init(count: 0, unit: .day)), repeats: true),
            ".calendar.every.count"
        ),
    ])
    func `a mistake is named by its path, wherever the trigger stands`(
        trigger: Wire.Trigger, path: String
    ) {
        #expect(field(error(wire(trigger))) == "requests[0].trigger" + path)
        let found = #expect(throws: RequestError.self) {
            try TriggerIntake(field: "trigger").trigger(trigger)
        }
        #expect(field(found) == "trigger" + path)
    }
}
