// What happens when the world changes under the scheduler: restarts, reboots, sleep, clocks that
// are set, zones that change.

import CivilTime
import Scheduling
import TestSupport
import Testing

@Suite struct WorldTests {
    private func zone(_ name: String) throws -> Zone {
        try Zone(name: name, tzif: CompiledZones.cases.get().bytes(name))
    }

    @Test
    func `B45: a floating trigger follows the machine's zone and drops what is no longer due`()
        throws
    {
        let (berlin, newYork) = (try zone("Europe/Berlin"), try zone("America/New_York"))
        var world = World(at: WallInstant("2026-06-01T04:00:00Z"), zone: berlin)
        world.add([request("floating", try calendar([.hour: [8]]))])
        world.add(
            [request("fixed", try calendar([.hour: [8]], zone: "Europe/Berlin"))],
            zones: ["Europe/Berlin": berlin])
        world.run(to: WallInstant("2026-06-01T05:00:00Z"))
        world.handle(.zonesChanged(local: newYork, named: [:]))
        #expect(world.next("floating") == WallInstant("2026-06-01T12:00:00Z"))
        world.run(to: WallInstant("2026-06-01T11:00:00Z"))
        #expect(world.takePresented() == [Shown("fixed", due: WallInstant("2026-06-01T06:00:00Z"))])
        world.handle(.zonesChanged(local: berlin, named: [:]))
        #expect(world.next("floating") == WallInstant("2026-06-02T06:00:00Z"))
        world.run(to: WallInstant("2026-06-02T05:59:59Z"))
        #expect(world.takePresented().isEmpty)
    }

    @Test func `a zone file that is replaced moves the triggers of its zone and fires nothing`()
        throws
    {
        let berlin = try zone("Europe/Berlin")
        var world = World(at: WallInstant("2026-06-01T04:00:00Z"))
        world.add(
            [request("fixed", try calendar([.hour: [8]], zone: "Europe/Berlin"))],
            zones: ["Europe/Berlin": berlin])
        let moved = try zone("America/New_York")
        world.handle(.zonesChanged(local: .utc, named: ["Europe/Berlin": moved]))
        #expect(world.presented.isEmpty)
        #expect(world.next("fixed") == WallInstant("2026-06-01T12:00:00Z"))
    }

    @Test func `a one-shot whose hour has passed in the new zone is recorded as missed`() throws {
        let berlin = try zone("Europe/Berlin")
        var world = World(at: WallInstant("2026-06-01T04:00:00Z"))
        let fields: [CalendarPattern.Field: [Int]] = [
            .year: [2026], .month: [6], .day: [1], .hour: [5],
        ]
        world.add([request("once", try calendar(fields, repeats: false))])
        world.handle(.zonesChanged(local: berlin, named: [:]))
        #expect(world.pending().isEmpty)
        #expect(world.missed().map(\.reason) == [.zoneChanged])
        #expect(world.missed().map(\.due) == [WallInstant("2026-06-01T05:00:00Z")])
    }

    @Test func `B47: the clock set back moves no interval and fires nothing twice`() throws {
        var world = World(at: WallInstant("2026-06-01T08:00:00Z"))
        world.add([
            request("interval", interval(seconds: 900, repeats: true)),
            request("nine", try calendar([.hour: [9]])),
            request("once", .date(WallInstant("2026-06-01T20:00:00Z"))),
        ])
        world.run(to: WallInstant("2026-06-01T14:00:10Z"))
        #expect(
            world.takePresented().filter { $0.identifier == "nine" }
                == [Shown("nine", due: WallInstant("2026-06-01T09:00:00Z"))])
        world.setClock(to: WallInstant("2026-06-01T02:00:00Z"))
        // 14:15:00 by the old clock is 14 minutes and 50 seconds of real time away.
        #expect(world.next("interval") == WallInstant("2026-06-01T02:14:50Z"))
        #expect(world.next("nine") == WallInstant("2026-06-02T09:00:00Z"))
        world.run(to: WallInstant("2026-06-01T19:00:00Z"))
        #expect(!world.takePresented().contains { $0.identifier == "nine" })
        world.run(to: WallInstant("2026-06-02T09:30:00Z"))
        let later = world.takePresented()
        #expect(
            later.filter { $0.identifier == "nine" }
                == [Shown("nine", due: WallInstant("2026-06-02T09:00:00Z"))])
        #expect(
            later.filter { $0.identifier == "once" }
                == [Shown("once", due: WallInstant("2026-06-01T20:00:00Z"))])
    }

    @Test func `the clock set back over several fired days fires none of them again`() throws {
        var world = World(at: WallInstant("2026-06-01T00:00:00Z"))
        world.add([request("nine", try calendar([.hour: [9]]))])
        world.run(to: WallInstant("2026-06-04T10:00:00Z"))
        #expect(world.takePresented().count == 4)
        world.setClock(to: WallInstant("2026-06-02T00:00:00Z"))
        world.run(to: WallInstant("2026-06-05T08:00:00Z"))
        #expect(world.takePresented().isEmpty)
        world.run(to: WallInstant("2026-06-05T10:00:00Z"))
        #expect(world.takePresented() == [Shown("nine", due: WallInstant("2026-06-05T09:00:00Z"))])
    }

    @Test func `the clock set back before a trigger's first day fires the days that come`() throws {
        var world = World(at: WallInstant("2026-06-10T00:00:00Z"))
        world.add([request("nine", try calendar([.hour: [9]]))])
        world.setClock(to: WallInstant("2026-06-01T00:00:00Z"))
        #expect(world.next("nine") == WallInstant("2026-06-01T09:00:00Z"))
    }

    @Test func `the clock set forward makes one late delivery per request`() throws {
        var world = World(at: WallInstant("2026-06-01T08:00:00Z"))
        world.add([
            request("nine", try calendar([.hour: [9]])),
            request("interval", interval(seconds: 900)),
        ])
        world.setClock(to: WallInstant("2026-06-04T08:00:00Z"))
        #expect(
            world.takePresented() == [
                Shown("nine", due: WallInstant("2026-06-03T09:00:00Z"), late: true)
            ])
        #expect(world.next("interval") == WallInstant("2026-06-04T08:15:00Z"))
    }

    @Test func `B49: a clock that was far in the future does not block what comes after`() throws {
        var world = World(at: WallInstant("2026-07-01T12:00:00Z"))
        world.add([request("midnight", try calendar([.hour: [0]]))])
        world.run(to: WallInstant("2026-07-02T12:00:00Z"))
        world.answerAll()
        _ = world.takePresented()
        world.restart(at: WallInstant("2029-07-02T22:45:10Z"), rebooted: true)
        #expect(world.takePresented().map(\.late) == [true])
        world.run(to: WallInstant("2029-07-03T01:00:00Z"))
        #expect(world.takePresented().count == 1)
        world.setClock(to: WallInstant("2026-07-02T22:45:20Z"))
        #expect(world.next("midnight") == WallInstant("2026-07-03T00:00:00Z"))
        world.run(to: WallInstant("2026-07-03T00:00:01Z"))
        #expect(
            world.takePresented() == [Shown("midnight", due: WallInstant("2026-07-03T00:00:00Z"))])
    }

    @Test func `B50: due during suspend is delivered once on resume, late`() throws {
        var world = World(at: WallInstant("2026-06-01T12:00:00Z"), zone: try zone("Europe/Paris"))
        world.add([request("film", try calendar([.hour: [20], .minute: [30]]))])
        world.run(to: WallInstant("2026-06-01T18:00:00Z"))
        world.suspend(until: WallInstant("2026-06-02T06:00:00Z"))
        world.handle(.deadlineReached)
        #expect(
            world.takePresented() == [
                Shown("film", due: WallInstant("2026-06-01T18:30:00Z"), late: true)
            ])
        #expect(world.next("film") == WallInstant("2026-06-02T18:30:00Z"))
    }

    @Test func `B52: many overdue requests are paced per app, none is lost, in order of due time`()
    {
        var world = World(at: WallInstant("2026-06-01T00:00:00Z"))
        for number in 0..<30 {
            let due =
                WallInstant("2026-06-01T01:00:00Z").microseconds + Int64(29 - number) * 1_000_000
            world.add([request("a\(number)", .date(WallInstant(microseconds: due)))], app: "a")
        }
        for number in 0..<5 {
            let due = WallInstant("2026-06-01T02:00:00Z").microseconds + Int64(number) * 1_000_000
            world.add([request("b\(number)", .date(WallInstant(microseconds: due)))], app: "b")
        }
        let resumed = WallInstant("2026-06-01T08:00:00Z")
        world.suspend(until: resumed)
        world.hasServer = true
        world.handle(.deadlineReached)
        #expect(world.scheduler.counts.delivered == 35)
        let first = world.takePresented().map(\.identifier)
        #expect(first == ["a29", "a28", "a27", "a26", "a25", "b0", "b1", "b2", "b3", "b4"])
        world.run(to: WallInstant(microseconds: resumed.microseconds + 999_999))
        #expect(world.takePresented().isEmpty)
        world.run(to: WallInstant(microseconds: resumed.microseconds + 1_000_000))
        #expect(world.takePresented().map(\.identifier) == ["a24", "a23", "a22", "a21", "a20"])
        world.run(to: WallInstant(microseconds: resumed.microseconds + 6_000_000))
        #expect(world.takePresented().map(\.identifier) == (0..<20).reversed().map { "a\($0)" })
    }

    @Test(arguments: [(3_600, true), (3_601, false)])
    func `B53: what is later than its limit is recorded as missed, exactly at it is shown`(
        seconds: Int64, isShown: Bool
    ) {
        var world = World(at: WallInstant("2026-06-01T09:00:00Z"))
        let due = WallInstant("2026-06-01T09:30:00Z")
        world.add([
            request("a", .date(due), latenessLimit: 3_600_000_000), request("b", .date(due)),
        ])
        let back = WallInstant(microseconds: due.microseconds + seconds * 1_000_000)
        world.restart(at: back)
        let shown = world.takePresented()
        #expect(shown.contains(Shown("b", due: due, late: true)))
        #expect(shown.contains(Shown("a", due: due, late: true)) == isShown)
        #expect(world.missed().map(\.identifier) == (isShown ? [] : ["a"]))
        if !isShown {
            #expect(world.missed().map(\.due) == [due])
            #expect(world.missed().map(\.reason) == [.latenessLimit])
        }
    }

    @Test func `B53: a delivery that waits for a server beyond its limit becomes a missed one`() {
        var world = World(at: WallInstant("2026-06-01T09:00:00Z"))
        let due = WallInstant("2026-06-01T09:30:00Z")
        world.add([request("a", .date(due), latenessLimit: 60_000_000)])
        world.run(to: WallInstant("2026-06-01T09:31:00Z"))
        #expect(world.missed().isEmpty)
        world.run(to: WallInstant("2026-06-01T09:31:01Z"))
        #expect(world.missed().map(\.reason) == [.latenessLimit])
        #expect(world.withdrawn == [1])
        #expect(world.scheduler.counts.delivered == 0)
    }

    @Test func `a request that says skip is recorded, not delivered late`() throws {
        var world = World(at: WallInstant("2026-06-01T00:00:00Z"))
        world.add([request("nine", try calendar([.hour: [9]]), ifMissed: .skip)])
        world.restart(at: WallInstant("2026-06-04T08:00:00Z"))
        #expect(world.takePresented().isEmpty)
        #expect(world.missed().map(\.count) == [3])
        #expect(world.missed().map(\.due) == [WallInstant("2026-06-03T09:00:00Z")])
        world.run(to: WallInstant("2026-06-04T09:00:00Z"))
        #expect(world.takePresented() == [Shown("nine", due: WallInstant("2026-06-04T09:00:00Z"))])
    }

    @Test func `B54: after a restart nothing is shown again, early or lost`() throws {
        var world = World(at: WallInstant("2026-06-01T11:00:00Z"))
        let monday: [CalendarPattern.Field: [Int]] = [.weekday: [2]]
        world.add([
            request("twelve", try calendar(monday.merging([.hour: [12]]) { $1 })),
            request("one", try calendar(monday.merging([.hour: [13]]) { $1 })),
            request("two", try calendar(monday.merging([.hour: [14], .minute: [1]]) { $1 })),
            request("tomorrow", .date(WallInstant("2026-06-02T09:00:00Z"))),
        ])
        world.run(to: WallInstant("2026-06-01T13:30:00Z"))
        world.answerAll()
        #expect(world.takePresented().map(\.identifier) == ["twelve", "one"])
        world.restart(at: WallInstant("2026-06-01T13:32:00Z"), rebooted: true)
        #expect(world.takePresented().isEmpty)
        #expect(world.next("twelve") == WallInstant("2026-06-08T12:00:00Z"))
        #expect(world.next("one") == WallInstant("2026-06-08T13:00:00Z"))
        #expect(world.next("tomorrow") == WallInstant("2026-06-02T09:00:00Z"))
        world.run(to: WallInstant("2026-06-01T14:01:00Z"))
        #expect(world.takePresented() == [Shown("two", due: WallInstant("2026-06-01T14:01:00Z"))])
    }

    @Test func `B56: what was fired and not presented is presented after the restart, once`() {
        var world = World(at: WallInstant("2026-06-01T09:00:00Z"))
        world.add([request("x", .date(WallInstant("2026-06-01T09:00:01Z")))])
        world.run(to: WallInstant("2026-06-01T09:00:01Z"))
        #expect(world.takePresented().count == 1)
        world.restart(at: WallInstant("2026-06-01T09:00:02Z"))
        #expect(world.takePresented() == [Shown("x", due: WallInstant("2026-06-01T09:00:01Z"))])
        world.handle(.presented(delivery: 1))
        world.restart(at: WallInstant("2026-06-01T09:00:03Z"))
        #expect(world.takePresented().isEmpty)
    }

    @Test func `an interval goes on over a restart and over a reboot, in its phase`() {
        var world = World(at: WallInstant("2026-06-01T09:00:00Z"))
        world.add([
            request("repeat", interval(seconds: 3_600, repeats: true)),
            request("once", interval(seconds: 86_400)),
        ])
        world.run(to: WallInstant("2026-06-01T10:30:00Z"))
        world.restart(at: WallInstant("2026-06-01T10:40:00Z"))
        #expect(world.next("repeat") == WallInstant("2026-06-01T11:00:00Z"))
        world.restart(at: WallInstant("2026-06-01T10:50:00Z"), rebooted: true)
        #expect(world.next("repeat") == WallInstant("2026-06-01T11:00:00Z"))
        #expect(world.next("once") == WallInstant("2026-06-02T09:00:00Z"))
        _ = world.takePresented()
        world.run(to: WallInstant("2026-06-01T11:00:00Z"))
        #expect(
            world.takePresented() == [Shown("repeat", due: WallInstant("2026-06-01T11:00:00Z"))])
    }

    @Test func `missed repeats of an interval collapse into the latest and keep the phase`() {
        var world = World(at: WallInstant("2026-06-01T09:00:00Z"))
        world.add([request("r", interval(seconds: 600, repeats: true))])
        world.suspend(until: WallInstant("2026-06-01T10:05:00Z"))
        world.handle(.deadlineReached)
        #expect(world.presented.map(\.missedCount) == [6])
        #expect(
            world.takePresented() == [
                Shown("r", due: WallInstant("2026-06-01T10:00:00Z"), late: true)
            ])
        #expect(world.next("r") == WallInstant("2026-06-01T10:10:00Z"))
    }

    @Test func `years of an every-second pattern collapse in bounded work`() throws {
        var world = World(at: WallInstant("2026-06-01T09:00:00Z"))
        world.add([request("s", try calendar([.second: Array(0...59)]))])
        world.suspend(until: WallInstant("2029-06-01T09:00:00Z"))
        world.handle(.deadlineReached)
        #expect(world.takePresented() == [Shown("s", due: WallInstant("2029-06-01T09:00:00Z"))])
        #expect(world.next("s") == WallInstant("2029-06-01T09:00:01Z"))
    }

    @Test func `a trigger that ends after many occurrences has had them all after a long sleep`()
        throws
    {
        var world = World(at: WallInstant("2026-06-01T09:00:00Z"))
        let bounds = Bounds(maxCount: 3_000)
        world.add([request("s", try calendar([.second: Array(0...59)], bounds: bounds))])
        world.suspend(until: WallInstant("2026-06-01T09:40:00Z"))
        world.handle(.deadlineReached)
        #expect(world.presented.map(\.missedCount) == [2_399])
        world.suspend(until: WallInstant("2026-06-01T11:00:00Z"))
        world.handle(.deadlineReached)
        #expect(world.presented.map(\.due).last == WallInstant("2026-06-01T09:50:00Z"))
        #expect(world.pending().isEmpty)
    }

    @Test func `nothing fires early when the news of a clock set back is late`() {
        var world = World(at: WallInstant("2026-06-01T09:00:00Z"))
        world.add([request("x", .date(WallInstant("2026-06-01T09:10:00Z")))])
        // The deadline on the boot-time clock comes while the wall clock has been set back unseen.
        world.suspend(until: WallInstant("2026-06-01T09:10:00Z"))
        var scheduler = world.scheduler
        let early = Moment(wall: WallInstant("2026-06-01T09:05:00Z"), boot: world.now.boot)
        #expect(scheduler.handle(.deadlineReached, at: early).isEmpty)
        #expect(scheduler.counts.pending == 1)
        #expect(scheduler.handle(.clockChanged, at: early).count == 1)
        let due = Moment(
            wall: WallInstant("2026-06-01T09:10:00Z"),
            boot: BootInstant(microseconds: early.boot.microseconds + 300_000_000))
        #expect(scheduler.nextDeadline == due.boot)
        #expect(!scheduler.handle(.deadlineReached, at: due).isEmpty)
        #expect(scheduler.counts.pending == 0)
    }
}
