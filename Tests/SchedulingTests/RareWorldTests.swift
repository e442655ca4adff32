// Worlds that a day of testing does not meet: histories that the simulation found, cut down to what
// matters in them.

import CivilTime
import Scheduling
import TestSupport
import Testing

@Suite struct RareWorldTests {
    @Test func `late deliveries come in order of the due time that they carry`() throws {
        var world = World(at: WallInstant("2026-06-01T00:00:00Z"))
        // Due first is the daily one, and it is delivered for the last of its days.
        world.add([
            request("daily", try calendar([.hour: [9]])),
            request("once", .date(WallInstant("2026-06-02T12:00:00Z"))),
        ])
        world.suspend(until: WallInstant("2026-06-03T10:00:00Z"))
        world.handle(.deadlineReached)
        #expect(
            world.takePresented() == [
                Shown("once", due: WallInstant("2026-06-02T12:00:00Z"), late: true),
                Shown("daily", due: WallInstant("2026-06-03T09:00:00Z"), late: true),
            ])
    }

    @Test(arguments: [true, false])
    func `what was skipped before an occurrence on time carries its own due time`(
        isInterval: Bool
    ) throws {
        var world = World(at: WallInstant("2026-06-01T08:00:00Z"))
        let trigger =
            isInterval ? interval(seconds: 3_600, repeats: true) : try calendar([.minute: [0]])
        world.add([request("hourly", trigger, ifMissed: .skip)])
        world.suspend(until: WallInstant("2026-06-01T12:00:00Z"))
        world.handle(.deadlineReached)
        #expect(
            world.takePresented() == [Shown("hourly", due: WallInstant("2026-06-01T12:00:00Z"))])
        #expect(world.missed().map(\.due) == [WallInstant("2026-06-01T11:00:00Z")])
        #expect(world.missed().map(\.count) == [3])
    }

    @Test func `a one-shot is not brought forward by a start with the clock set back`() throws {
        var world = World(at: WallInstant("2026-06-01T10:00:00Z"))
        world.add([request("once", try calendar([.hour: [9]], repeats: false))])
        world.restart(at: WallInstant("2026-05-20T00:00:00Z"), rebooted: true)
        #expect(world.next("once") == WallInstant("2026-06-02T09:00:00Z"))
    }

    @Test func `what is due when news of a zone comes is delivered, not dropped`() throws {
        let paris = try Zone(name: "Europe/Paris", posixRule: "CET-1CEST,M3.5.0,M10.5.0/3")
        var world = World(at: WallInstant("2026-06-01T08:00:00Z"))
        world.add([request("nine", try calendar([.hour: [9]]))])
        world.suspend(until: WallInstant("2026-06-01T09:30:00Z"))
        // The news is read before the timer.
        world.handle(.zonesChanged(local: paris, named: [:]))
        #expect(
            world.takePresented() == [
                Shown("nine", due: WallInstant("2026-06-01T09:00:00Z"), late: true)
            ])
        #expect(world.next("nine") == WallInstant("2026-06-02T07:00:00Z"))
    }

    @Test func `a limit of no lateness shows what is on time`() {
        var world = World(at: WallInstant("2026-06-01T09:00:00Z"))
        let due = WallInstant("2026-06-01T09:30:00Z")
        world.add([request("a", .date(due), latenessLimit: 0)])
        // No timer is exact to the microsecond, and no server answers within one.
        world.suspend(until: WallInstant("2026-06-01T09:30:00.000200Z"))
        world.handle(.deadlineReached)
        #expect(world.takePresented() == [Shown("a", due: due)])
        world.run(to: WallInstant("2026-06-01T09:30:01Z"))
        #expect(world.missed().isEmpty)
        world.run(to: WallInstant("2026-06-01T09:30:01.000001Z"))
        #expect(world.missed().map(\.reason) == [.latenessLimit])
    }

    @Test func `an interval on time is not late by a clock change that is not known yet`() {
        var world = World(at: WallInstant("2026-06-01T09:00:00Z"))
        world.add([request("a", interval(seconds: 60), ifMissed: .skip)])
        world.suspend(until: WallInstant("2026-06-01T09:01:00Z"))
        world.setClockUnheard(to: WallInstant("2026-06-01T12:00:00Z"))
        world.handle(.deadlineReached)
        #expect(world.takePresented().map(\.late) == [false])
        #expect(world.missed().isEmpty)
    }

    @Test
    func `B47: the last of too many missed to count may have fired before the clock went back`()
        throws
    {
        var world = World(at: WallInstant("2026-06-03T08:59:30Z"))
        world.add([request("minutes", try calendar([.second: [0]]))])
        world.run(to: WallInstant("2026-06-03T12:00:10Z"))
        world.answerAll()
        _ = world.takePresented()
        world.setClock(to: WallInstant("2026-06-01T12:00:10Z"))
        world.suspend(until: WallInstant("2026-06-03T12:00:20Z"))
        world.handle(.deadlineReached)
        #expect(
            world.takePresented() == [
                Shown("minutes", due: WallInstant("2026-06-03T08:59:00Z"), late: true)
            ])
        #expect(world.next("minutes") == WallInstant("2026-06-03T12:01:00Z"))
    }

    @Test func `one app's pace does not wait for another's`() {
        var world = World(at: WallInstant("2026-06-01T00:00:00Z"))
        world.hasServer = true
        func add(_ app: String, _ count: Int, due: String) {
            for number in 0..<count {
                world.add([request("\(due)\(number)", .date(WallInstant(due)))], app: app)
            }
        }
        add("a", 5, due: "2026-06-01T01:00:00Z")
        add("b", 6, due: "2026-06-01T02:00:00Z")
        add("a", 1, due: "2026-06-01T03:00:00Z")
        world.setClock(to: WallInstant("2026-06-01T01:30:00Z"))
        world.run(to: WallInstant("2026-06-01T01:30:00.500000Z"))
        world.setClock(to: WallInstant("2026-06-01T02:30:00.500000Z"))
        world.run(to: WallInstant("2026-06-01T02:30:00.800000Z"))
        world.setClock(to: WallInstant("2026-06-01T03:30:00.800000Z"))
        #expect(world.takePresented().count == 10)
        // The second of b is over later than that of a, though b was the first to wait.
        world.run(to: WallInstant("2026-06-01T03:30:01Z"))
        #expect(world.takePresented().map(\.due) == [WallInstant("2026-06-01T03:00:00Z")])
        world.run(to: WallInstant("2026-06-01T03:30:01.500000Z"))
        #expect(world.takePresented().map(\.due) == [WallInstant("2026-06-01T02:00:00Z")])
    }

    @Test func `not more than five are shown in any second, whenever it begins`() {
        var world = World(at: WallInstant("2026-06-01T00:00:00Z"))
        world.hasServer = true
        for number in 0..<10 {
            let due = number == 0 ? "2026-06-01T01:00:00Z" : "2026-06-01T03:00:00Z"
            world.add([request("\(number)", .date(WallInstant(due)))])
        }
        world.setClock(to: WallInstant("2026-06-01T02:00:00Z"))
        world.run(to: WallInstant("2026-06-01T02:00:00.950000Z"))
        #expect(world.takePresented().count == 1)
        world.setClock(to: WallInstant("2026-06-01T04:00:00.950000Z"))
        #expect(world.takePresented().count == 4)
        world.run(to: WallInstant("2026-06-01T04:00:01.900000Z"))
        #expect(world.takePresented().count == 1)
        world.run(to: WallInstant("2026-06-01T04:00:02Z"))
        #expect(world.takePresented().count == 4)
    }

    @Test func `what was removed while it waited takes no place in the line`() {
        var world = World(at: WallInstant("2026-06-01T00:00:00Z"))
        world.hasServer = true
        for number in 0..<12 {
            world.add([request("\(number)", .date(WallInstant("2026-06-01T01:00:00Z")))])
        }
        world.suspend(until: WallInstant("2026-06-01T02:00:00Z"))
        world.handle(.deadlineReached)
        #expect(world.takePresented().map(\.identifier) == ["0", "1", "2", "3", "4"])
        world.dismiss(["5", "7"])
        world.run(to: WallInstant("2026-06-01T02:00:01Z"))
        #expect(world.takePresented().map(\.identifier) == ["6", "8", "9", "10", "11"])
    }

    /// Twelve that are late by an hour when the daemon hears of it.
    private func overdue(_ identifiers: [String]) -> World {
        var world = World(at: WallInstant("2026-06-01T00:00:00Z"))
        world.add(
            identifiers.map { request($0, .date(WallInstant("2026-06-01T01:00:00Z"))) })
        world.suspend(until: WallInstant("2026-06-01T02:00:00Z"))
        return world
    }

    @Test func `B52: the pace begins when a notification server comes`() {
        var world = overdue((0..<12).map { "\($0)" })
        world.handle(.deadlineReached)
        #expect(world.presented.count == 5)
        world.run(to: WallInstant("2026-06-01T03:00:00Z"))
        #expect(world.presented.count == 5, "none was taken yet")
        world.answerAll()
        world.hasServer = true
        world.run(to: WallInstant("2026-06-01T03:00:00.999999Z"))
        #expect(world.takePresented().count == 5)
        world.run(to: WallInstant("2026-06-01T03:00:01Z"))
        #expect(world.takePresented().map(\.identifier) == ["5", "6", "7", "8", "9"])
        world.run(to: WallInstant("2026-06-01T03:00:02Z"))
        #expect(world.takePresented().map(\.identifier) == ["10", "11"])
        world.run(to: WallInstant("2026-06-01T04:00:00Z"))
        #expect(world.takePresented().isEmpty)
    }

    @Test func `what is removed before a server takes it gives its place to others`() {
        var world = overdue((0..<8).map { "\($0)" })
        world.handle(.deadlineReached)
        #expect(world.takePresented().map(\.identifier) == ["0", "1", "2", "3", "4"])
        world.dismiss(["0", "1", "2", "3", "4"])
        world.run(to: WallInstant("2026-06-01T02:00:01Z"))
        #expect(world.takePresented().map(\.identifier) == ["5", "6", "7"])
    }

    @Test func `what a server does not take for now lets the others pass`() {
        var world = overdue((0..<8).map { "\($0)" })
        world.handle(.deadlineReached)
        let first = world.takePresented().map(\.identifier)
        #expect(first == ["0", "1", "2", "3", "4"])
        for number in 1...5 { world.handle(.putOff(delivery: Int64(number))) }
        // Again, and one that has no place.
        for number in [1, 8, 99] { world.handle(.putOff(delivery: Int64(number))) }
        world.run(to: WallInstant("2026-06-01T02:00:01Z"))
        #expect(world.takePresented().map(\.identifier) == ["5", "6", "7"])
        // They are still there.
        #expect(world.scheduler.counts.waiting == 8)
    }

    @Test func `a late delivery in line takes what it replaces off the screen at once`() {
        var world = World(at: WallInstant("2026-06-01T00:00:00Z"))
        world.hasServer = true
        let identifiers = (0..<7).map { "\($0)" }
        world.add(identifiers.map { request($0, .now) })
        #expect(world.takePresented().count == 7)
        world.add(
            identifiers.map { request($0, .date(WallInstant("2026-06-01T01:00:00Z"))) })
        world.suspend(until: WallInstant("2026-06-01T02:00:00Z"))
        world.handle(.deadlineReached)
        // The first five are told which they replace.
        #expect(world.takePresented().count == 5)
        #expect(world.withdrawn == [6, 7])
        world.dismiss(["6"])
        world.run(to: WallInstant("2026-06-01T02:00:10Z"))
        #expect(world.takePresented().map(\.identifier) == ["5"])
    }

    private static let berlin = "CET-1CEST,M3.5.0,M10.5.0/3"
    private static let newYork = "EST5EDT,M3.2.0,M11.1.0"

    @Test func `a zone that changed while schedd was down leaves no instant of the old one`() throws
    {
        let berlin = try Zone(name: "Europe/Berlin", posixRule: Self.berlin)
        let newYork = try Zone(name: "America/New_York", posixRule: Self.newYork)
        var world = World(at: WallInstant("2026-06-01T09:30:00Z"), zone: berlin)
        let noon = try calendar([.hour: [12]])
        world.add(
            [
                request("daily", noon),
                request("once", try calendar([.hour: [12]], repeats: false)),
                request("fixed", try calendar([.hour: [12]], zone: "Europe/Berlin")),
            ], zones: ["Europe/Berlin": berlin])
        #expect(world.next("daily") == WallInstant("2026-06-01T10:00:00Z"))
        world.localZone = newYork
        world.restart(
            at: WallInstant("2026-06-01T10:00:06Z"), zones: ["Europe/Berlin": berlin])
        // Only the one that has a zone of its own was due.
        #expect(world.takePresented().map(\.identifier) == ["fixed"])
        #expect(world.next("daily") == WallInstant("2026-06-01T16:00:00Z"))
        #expect(world.next("once") == WallInstant("2026-06-01T16:00:00Z"))
        #expect(world.missed().isEmpty)
        world.run(to: WallInstant("2026-06-01T16:00:00Z"))
        #expect(world.takePresented().map(\.late) == [false, false])
    }

    @Test func `what the new zone had due while schedd was down is a misfire`() throws {
        let berlin = try Zone(name: "Europe/Berlin", posixRule: Self.berlin)
        let newYork = try Zone(name: "America/New_York", posixRule: Self.newYork)
        var world = World(at: WallInstant("2026-06-01T09:30:00Z"), zone: berlin)
        world.add([request("daily", try calendar([.hour: [12]]))])
        world.localZone = newYork
        world.restart(at: WallInstant("2026-06-03T15:00:00Z"))
        #expect(
            world.takePresented() == [
                Shown("daily", due: WallInstant("2026-06-02T16:00:00Z"), late: true)
            ])
        #expect(world.next("daily") == WallInstant("2026-06-03T16:00:00Z"))
    }

    @Test func `a request that is evicted by its own batch is told of`() {
        var world = World(at: WallInstant("2026-06-01T00:00:00Z"))
        let due = WallInstant("2026-06-01T01:00:00Z")
        world.add((0..<64).map { request("\($0)", .date(due)) })
        let later = Trigger.date(WallInstant("2026-06-02T00:00:00Z"))
        world.add(
            [request("new", later), request("7", later), request("x", .date(due))],
            whenFull: .keepSoonest)
        let evicted = world.events.filter { $0.kind == .removed(.evicted) }
        #expect(evicted.map(\.key.identifier) == ["new", "7"])
        #expect(world.pending().count == 64)
    }

    @Test func `a delivery that waited in vain leaves the delivered list, and that is said`() {
        var world = World(at: WallInstant("2026-06-01T00:00:00Z"))
        world.add([request("w", .now, latenessLimit: 2_000_000)])
        world.run(to: WallInstant("2026-06-01T00:00:03Z"))
        let kinds = world.events.filter { $0.key.identifier == "w" }.map(\.kind)
        #expect(kinds.contains(.removedDelivered(delivery: 1, .missed)))
        #expect(world.missed().map(\.reason) == [.latenessLimit])
    }

    @Test func `every second week stays the second one when the zone moves west`() throws {
        let berlin = try Zone(name: "Europe/Berlin", posixRule: Self.berlin)
        let london = try Zone(name: "Europe/London", posixRule: "GMT0BST,M3.5.0/1,M10.5.0")
        // Monday, half past midnight; in London it is still Sunday, and the week before.
        var world = World(at: WallInstant("2026-11-29T23:30:00Z"), zone: berlin)
        let weekly = CalendarTrigger(
            pattern: try CalendarPattern(
                fields: [.weekday: [3], .hour: [9]], firstWeekday: nil,
                minimumDaysInFirstWeek: nil, missingDay: .skip),
            zone: nil, repeats: true, stride: Stride(count: 2, unit: .week))
        var fromMidnight = weekly
        fromMidnight.bounds = Bounds(startsAt: WallInstant("2026-11-29T23:00:00Z"))
        world.add([
            request("added", .calendar(weekly)), request("starts", .calendar(fromMidnight)),
        ])
        world.run(to: WallInstant("2026-12-01T10:00:00Z"))
        #expect(world.takePresented().count == 2)
        world.localZone = london
        world.handle(.zonesChanged(local: london, named: [:]))
        let next = WallInstant("2026-12-15T09:00:00Z")
        #expect(world.next("added") == next)
        #expect(world.next("starts") == next)
        world.restart(at: WallInstant("2026-12-02T00:00:00Z"))
        #expect(world.next("added") == next)
        #expect(world.next("starts") == next)
    }

    @Test func `too many missed to count are told as 10000, on time or late`() throws {
        for isLate in [false, true] {
            var world = World(at: WallInstant("2026-06-01T00:00:00Z"))
            world.add([request("seconds", try calendar([.second: Array(0..<60)]))])
            world.add([request("hours", try calendar([.minute: Array(0..<60)]))])
            // A wheel turn late by 0.2 s, or by 1.5 s where only even seconds come.
            world.suspend(until: WallInstant("2026-06-09T00:00:00.200000Z"))
            if isLate { world.suspend(until: WallInstant("2026-06-09T00:00:01.500000Z")) }
            world.handle(.deadlineReached)
            let counts = world.presented.map(\.missedCount)
            #expect(counts == [10_000, 10_000])
        }
    }
}
