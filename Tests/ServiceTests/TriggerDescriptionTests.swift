// What a preview says of its trigger: all that thins it out or ends it, and no expression that
// would fire more often.

import CivilTime
import Scheduling
import Service
import TestSupport
import Testing

struct TriggerDescriptionTests {
    private static func calendar(
        _ expression: String, repeats: Bool = true, every stride: Stride? = nil,
        _ bounds: Bounds = Bounds()
    ) throws -> Trigger {
        let read = try CalendarExpression(expression)
        return .calendar(
            CalendarTrigger(
                pattern: read.pattern, zone: read.timeZone, repeats: repeats, stride: stride,
                bounds: bounds))
    }

    private static let bounds = Bounds(
        startsAt: WallInstant("2026-12-01T08:00:00Z"), endsAt: WallInstant("2027-07-01T07:00:00Z"),
        maxCount: 3)

    private func text(_ trigger: Trigger) throws -> TriggerDescription {
        let zone = try Zone(name: "Europe/Berlin", posixRule: "CET-1CEST,M3.5.0,M10.5.0/3")
        return TriggerDescription(trigger, in: zone)
    }

    @Test func `a pattern has its expression and its words`() throws {
        let daily = try text(Self.calendar("09:00"))
        #expect(daily.words == "every day at 09:00")
        #expect(daily.expression == "*-*-* 09:00:00")
        let once = try text(Self.calendar("09:00 UTC", repeats: false))
        #expect(once.words == "once, every day at 09:00, UTC")
        #expect(once.expression == "*-*-* 09:00:00 UTC")
    }

    @Test(arguments: [
        (Stride(count: 2, unit: .day), "every 2 days"),
        (Stride(count: 3, unit: .week), "every 3 weeks"),
        (Stride(count: 4, unit: .month), "every 4 months"),
        (Stride(count: 5, unit: .year), "every 5 years"),
        (Stride(count: 1, unit: .day), "every day"),
    ])
    func `every N is in the words, and no expression says it`(
        stride: Stride?, words: String
    ) throws {
        let said = try text(Self.calendar("09:00", every: stride))
        #expect(said.words == "every day at 09:00, \(words)")
        #expect(said.expression == nil)
    }

    @Test func `bounds are in the words, in the trigger's zone`() throws {
        let words = ", from Tue 2026-12-01 09:00:00, until Thu 2027-07-01 09:00:00, 3 times"
        #expect(try text(Self.calendar("09:00", Self.bounds)).words == "every day at 09:00" + words)
        let interval = IntervalTrigger(period: 60_000_000, repeats: true, bounds: Self.bounds)
        #expect(try text(.interval(interval)).words == "every 1 min" + words)
        let last = try text(Self.calendar("09:00", Bounds(maxCount: 1)))
        #expect(last.words == "every day at 09:00, 1 time")
        #expect(last.expression == "*-*-* 09:00:00")
    }
}
