// The rules of the queue: the cap, replacing, batches, removing, and what is refused.

import CivilTime
import Scheduling
import TestSupport
import Testing

@Suite struct QueueTests {
    private static let start = WallInstant("2026-06-01T09:00:00Z")

    private func minutes(_ count: Int) -> Trigger {
        .date(WallInstant(microseconds: Self.start.microseconds + Int64(count) * 60_000_000))
    }

    private func numbered(_ range: some Sequence<Int>) -> [Request] {
        range.map { request("n\($0)", minutes($0)) }
    }

    @Test(arguments: [false, true])
    func `B60: the 65th request is refused by name and nothing changes`(latestFirst: Bool) {
        var world = World(at: Self.start)
        var order = Array(1...70)
        if latestFirst { order.reverse() }
        for (index, number) in order.enumerated() {
            let reply = world.add(numbered([number]), app: "a")
            if index < 64 {
                guard case .added(let added, evicted: [])? = reply else {
                    Issue.record(
                        "request \(index + 1) was answered with \(String(describing: reply))")
                    return
                }
                #expect(added.map(\.identifier) == ["n\(number)"])
            } else {
                #expect(
                    reply
                        == .refused(
                            .queueFull(
                                app: "a", limit: 64, pending: 64, identifiers: ["n\(number)"])))
            }
        }
        #expect(world.pending(app: "a").count == 64)
        #expect(
            Set(world.pending(app: "a").map(\.request.identifier))
                == Set(order.prefix(64).map { "n\($0)" }))

        world.add(numbered([1]), app: "b")
        #expect(world.pending(app: "b").count == 1)

        world.remove(["n\(order[0])"], app: "a")
        world.add(numbered([70]), app: "a")
        #expect(world.pending(app: "a").count == 64)
    }

    @Test func `B60: a fired one-shot frees its slot, a repeating one keeps it`() {
        var world = World(at: Self.start)
        world.add(numbered(1...63))
        world.add([request("r", interval(seconds: 60, repeats: true))])
        world.run(to: WallInstant("2026-06-01T09:01:30Z"))
        #expect(world.pending().count == 63)
        world.add([request("new", minutes(90))])
        #expect(world.pending().count == 64)
    }

    @Test
    func `B61: the same identifier replaces, at the limit too, and the old instant never fires`() {
        var world = World(at: Self.start)
        world.add(numbered(1...64))
        let reply = world.add([request("n10", minutes(200))])
        guard case .added(let added, evicted: [])? = reply else {
            Issue.record("\(String(describing: reply))")
            return
        }
        #expect(added.map(\.replaced) == [true])
        #expect(world.pending().count == 64)
        world.run(to: WallInstant("2026-06-01T10:30:00Z"))
        #expect(!world.takePresented().contains { $0.identifier == "n10" })
        world.run(to: WallInstant("2026-06-01T13:00:00Z"))
        #expect(world.takePresented().map(\.identifier) == ["n10"])
    }

    @Test func `B61: adding the identifier of a shown notification leaves it on the screen`() {
        var world = World(at: Self.start)
        world.add([request("n", minutes(1))])
        world.run(to: WallInstant("2026-06-01T09:02:00Z"))
        world.add([request("n", minutes(10))])
        #expect(world.withdrawn.isEmpty)
        #expect(world.pending().map(\.request.identifier) == ["n"])
        #expect(world.scheduler.counts.delivered == 1)
    }

    @Test func `a batch is added whole or not at all`() {
        var world = World(at: Self.start)
        world.add(numbered(1...60))
        let reply = world.add(numbered(100...105))
        #expect(
            reply
                == .refused(
                    .queueFull(
                        app: "app", limit: 64, pending: 60, identifiers: ["n104", "n105"])))
        #expect(world.pending().count == 60)

        let past = world.add([request("ok", minutes(5)), request("past", minutes(-1))])
        #expect(
            past
                == .refused(
                    .inPast(
                        field: "requests[1].trigger.date.atUsec",
                        at: WallInstant("2026-06-01T08:59:00Z"), now: Self.start)))
        #expect(world.pending().count == 60)
    }

    @Test func `an identifier twice in a batch is refused by field`() {
        var world = World(at: Self.start)
        let reply = world.add([request("a", minutes(1)), request("a", minutes(2))])
        #expect(
            reply
                == .refused(
                    .invalid(
                        field: "requests[1].identifier", reason: "is in this batch more than once"))
        )
        #expect(world.pending().isEmpty)
    }

    @Test func `keepSoonest evicts what fires last and names it`() {
        var world = World(at: Self.start)
        world.add(numbered(1...64))
        let reply = world.add(
            [
                request("soon", interval(seconds: 5)),
                request("late", minutes(500)),
            ],
            whenFull: .keepSoonest)
        guard case .added(let added, let evicted)? = reply else {
            Issue.record("\(String(describing: reply))")
            return
        }
        #expect(added.map(\.identifier) == ["soon"])
        #expect(evicted.map(\.identifier) == ["n64", "late"])
        #expect(world.pending().count == 64)
        #expect(
            world.events.contains {
                $0.kind == .removed(.evicted) && $0.key.identifier == "n64"
            })
    }

    @Test func `keepLatestAdded evicts what was added first`() {
        var world = World(at: Self.start)
        world.add(numbered(1...64))
        let reply = world.add(numbered(200...201), whenFull: .keepLatestAdded)
        guard case .added(let added, let evicted)? = reply else {
            Issue.record("\(String(describing: reply))")
            return
        }
        #expect(added.count == 2)
        #expect(evicted.map(\.identifier) == ["n1", "n2"])
        #expect(world.pending().count == 64)
    }

    @Test func `removing counts what was there`() {
        var world = World(at: Self.start)
        world.add(numbered(1...3))
        #expect(
            world.remove(["n1", "n9", "n1"])
                == .removed([RequestKey(app: "app", identifier: "n1")]))
        #expect(world.remove(["n1"]) == .removed([]))
        guard case .removed(let keys)? = world.remove(nil) else {
            Issue.record("no answer")
            return
        }
        #expect(keys.map(\.identifier) == ["n2", "n3"])
        world.run(to: WallInstant("2026-06-01T10:00:00Z"))
        #expect(world.takePresented().isEmpty)
    }

    @Test func `a request without trigger is delivered at once and never pending`() {
        var world = World(at: Self.start)
        world.add(numbered(1...64))
        world.add([request("now", .now)])
        #expect(world.takePresented() == [Shown("now", due: Self.start)])
        #expect(world.pending().count == 64)
    }

    @Test func `two requests due at one instant fire in the order in which they were added`() {
        var world = World(at: Self.start)
        world.add([request("b", minutes(5))])
        world.add([request("a", minutes(5))])
        world.add([request("c", interval(seconds: 300))])
        world.setClock(to: WallInstant("2026-06-01T09:01:00Z"))
        world.run(to: WallInstant("2026-06-01T09:10:00Z"))
        #expect(world.takePresented().map(\.identifier) == ["b", "a", "c"])
    }

    @Test func `a delivered one is replaced on screen by a new firing of its identifier`() {
        var world = World(at: Self.start)
        world.add([request("r", interval(seconds: 60, repeats: true))])
        world.run(to: WallInstant("2026-06-01T09:02:30Z"))
        #expect(world.scheduler.counts.delivered == 1)
        #expect(world.presented.map(\.number) == [1, 2])
        world.handle(.presented(delivery: 1))
        #expect(world.scheduler.delivery(1) == nil)
        world.handle(.presented(delivery: 2))
        #expect(world.scheduler.delivery(2)?.presented == world.now.wall)
    }

    @Test func `removing a delivered one takes it off the screen`() {
        var world = World(at: Self.start)
        world.add([request("x", .now)])
        world.handle(.presented(delivery: 1))
        #expect(world.dismiss(["x"]) == .removed([RequestKey(app: "app", identifier: "x")]))
        #expect(world.withdrawn == [1])
        #expect(world.scheduler.counts.delivered == 0)
    }

    @Test func `the delivered list keeps the newest 256 and says which left`() {
        var world = World(at: Self.start)
        world.hasServer = true
        for number in 1...258 { world.add([request("d\(number)", .now)]) }
        #expect(world.scheduler.counts.delivered == 256)
        #expect(world.withdrawn == [1, 2])
        let left = world.events.filter { $0.kind == .removedDelivered(delivery: 1, .evicted) }
        #expect(left.map(\.key.identifier) == ["d1"])
        #expect(world.missed().isEmpty)
    }

    @Test func `what nobody has seen yet does not leave the delivered list`() {
        var world = World(at: Self.start)
        for number in 1...300 { world.add([request("d\(number)", .now)]) }
        #expect(world.scheduler.counts.delivered == 300)
        #expect(world.scheduler.counts.waiting == 300)
        // As they are shown, the oldest of those that were give way.
        world.answerAll()
        #expect(world.scheduler.counts.delivered == 256)
        #expect(world.scheduler.counts.waiting == 0)
        #expect(world.withdrawn == (1...44).map(Int64.init))
        #expect(world.missed().isEmpty)
    }

    @Test func `beyond 10000 that wait for a server the oldest is missed, and that is said`() {
        var world = World(at: Self.start)
        for first in stride(from: 1, through: 10_000, by: 1_000) {
            world.add((first..<first + 1_000).map { request("d\($0)", .now) })
        }
        #expect(world.missed().isEmpty)
        world.add([request("last", .now)])
        #expect(world.scheduler.counts.waiting == 10_000)
        #expect(world.missed().map(\.identifier) == ["d1"])
        #expect(world.missed().map(\.reason) == [.evicted])
        #expect(world.withdrawn == [1])
        let kinds = world.events.filter { $0.key.identifier == "d1" }.map(\.kind)
        #expect(kinds.contains(.removedDelivered(delivery: 1, .missed)))
    }

    @Test func `a trigger that is bounded ends after its last occurrence`() throws {
        var world = World(at: Self.start)
        let bounds = Bounds(endsAt: WallInstant("2026-06-03T09:30:00Z"), maxCount: 5)
        world.add([
            request("c", try calendar([.hour: [9], .minute: [30]], bounds: bounds)),
            request("i", interval(seconds: 60, repeats: true, bounds: Bounds(maxCount: 2))),
        ])
        world.run(to: WallInstant("2026-06-10T00:00:00Z"))
        let shown = world.takePresented()
        #expect(shown.filter { $0.identifier == "i" }.count == 2)
        #expect(
            shown.filter { $0.identifier == "c" }.map(\.due) == [
                WallInstant("2026-06-01T09:30:00Z"), WallInstant("2026-06-02T09:30:00Z"),
                WallInstant("2026-06-03T09:30:00Z"),
            ])
        #expect(world.pending().isEmpty)
    }

    @Test func `a pattern in the past is refused as never firing`() throws {
        var world = World(at: Self.start)
        let reply = world.add([request("x", try calendar([.year: [2020]], repeats: false))])
        #expect(
            reply
                == .refused(
                    .neverFires(
                        field: "requests[0].trigger.calendar",
                        reason: "it matches no civil time after now")))
        #expect(world.pending().isEmpty)
    }

    @Test func `a pattern that its bounds leave nothing of is refused, and that is why`() throws {
        var world = World(at: Self.start)
        let bounds = Bounds(endsAt: WallInstant("2026-01-01T00:00:00Z"))
        let reply = world.add([request("x", try calendar([.hour: [9]], bounds: bounds))])
        let reason = "it matches no civil time after now up to the end of its bounds"
        #expect(
            reply
                == .refused(.neverFires(field: "requests[0].trigger.calendar", reason: reason)))
    }
}
