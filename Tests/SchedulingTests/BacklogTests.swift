// What waits behind the 64: in order, on its own list, moving up by itself; and imports, which may
// fill it.

import CivilTime
import Scheduling
import TestSupport
import Testing

@Suite struct BacklogTests {
    private static let start = WallInstant("2026-06-01T09:00:00Z")

    private func minutes(_ count: Int) -> WallInstant {
        WallInstant(microseconds: Self.start.microseconds + Int64(count) * 60_000_000)
    }

    private func numbered(_ range: some Sequence<Int>) -> [Request] {
        range.map { request("n\($0)", .date(minutes($0))) }
    }

    private func backlog(_ world: World) -> [String] {
        world.scheduler.backlog(of: Selection(app: nil, identifiers: nil))
            .map(\.request.identifier)
    }

    @Test func `what fires later than 64 others waits in the backlog, in order of due time`() {
        var world = World(at: Self.start)
        let reply = world.add(numbered((1...100).reversed()), whenFull: .queue)
        guard case .added(let added, evicted: [])? = reply else {
            Issue.record("\(String(describing: reply))")
            return
        }
        #expect(added.count == 100)
        #expect(
            Set(added.filter(\.isBacklogged).map(\.identifier)) == Set((65...100).map { "n\($0)" }))
        #expect(world.pending().map(\.request.identifier) == (1...64).map { "n\($0)" })
        #expect(backlog(world) == (65...100).map { "n\($0)" })
        #expect(world.scheduler.counts.pending == 64)
        #expect(world.scheduler.counts.backlog == 36)
    }

    @Test func `the backlog moves up as slots free themselves, and everything fires in order`() {
        var world = World(at: Self.start)
        world.add(numbered(1...100), whenFull: .queue)
        world.run(to: minutes(10))
        #expect(world.pending().map(\.request.identifier) == (11...74).map { "n\($0)" })
        world.remove(["n20", "n90"])
        #expect(world.pending().count == 64)
        #expect(backlog(world).count == 24)
        world.run(to: minutes(101))
        let expected = (1...100).filter { $0 != 20 && $0 != 90 }.map { "n\($0)" }
        #expect(world.takePresented().map(\.identifier) == expected)
        #expect(world.scheduler.counts.pending == 0)
    }

    @Test func `the 64 stay what fires soonest, also when a repeating one moves on`() {
        var world = World(at: Self.start)
        world.add([request("r", interval(seconds: 36_000, repeats: true))])
        world.add(numbered(1...64), whenFull: .queue)
        #expect(backlog(world) == ["r"])
        world.add(
            [request("soon", interval(seconds: 30))],
            whenFull: .queue)
        #expect(backlog(world) == ["n64", "r"])
    }

    @Test func `with a backlog the queue is full for every batch that does not say queue`() {
        var world = World(at: Self.start)
        world.add(numbered(1...70), whenFull: .queue)
        #expect(
            world.add(numbered([200]))
                == .refused(
                    .queueFull(app: "app", limit: 64, pending: 70, identifiers: ["n200"])))
        // Replacing needs no room.
        guard case .added? = world.add([request("n70", .date(minutes(2)))]) else {
            Issue.record("a replacement was refused")
            return
        }
        #expect(world.scheduler.counts.backlog == 6)
        guard case .added(_, let evicted)? = world.add(numbered([300]), whenFull: .keepSoonest)
        else {
            Issue.record("keepSoonest was refused")
            return
        }
        #expect(evicted.map(\.identifier) == ["n300"])
        #expect(world.scheduler.counts.backlog == 6)
    }

    @Test func `the backlog ends at 10000`() {
        var world = World(at: Self.start)
        for part in 0..<10 {
            world.add(
                numbered(part * 1_000..<(part + 1) * 1_000).dropFirst(part == 0 ? 1 : 0).map { $0 },
                whenFull: .queue)
        }
        world.add(numbered(20_000..<20_065), whenFull: .queue)
        #expect(world.scheduler.counts.backlog == 10_000)
        #expect(
            world.add(numbered([30_000]), whenFull: .queue)
                == .refused(
                    .queueFull(
                        app: "app", limit: 10_064, pending: 10_064, identifiers: ["n30000"])))
    }

    @Test func `a restart finds the backlog as it was`() {
        var world = World(at: Self.start)
        world.add(numbered(1...100), whenFull: .queue)
        let before = backlog(world)
        world.restart(at: WallInstant(microseconds: Self.start.microseconds + 1_000_000))
        #expect(backlog(world) == before)
        #expect(world.scheduler.counts.pending == 64)
    }

    // MARK: Imports

    private func take(
        _ batches: [Batch], isDryRun: Bool = false, in world: inout World
    ) -> Reply? {
        let call = CallToken(number: 1_000_000)
        world.handle(.importAsked(batches, isDryRun: isDryRun, call: call))
        return world.replies[call]
    }

    private func outcomes(_ reply: Reply?) -> [String: ImportedItem.Outcome] {
        guard case .imported(let items)? = reply else { return [:] }
        return Dictionary(uniqueKeysWithValues: items.map { ($0.key.identifier, $0.outcome) })
    }

    @Test func `an import adds, replaces, and passes over what is past`() {
        var world = World(at: Self.start)
        world.add(numbered([1]))
        let batches = [
            Batch(app: "app", requests: numbered([1, 2, -5])),
            Batch(app: "other", requests: [request("x", .date(minutes(9)))]),
        ]
        let dry = take(batches, isDryRun: true, in: &world)
        #expect(outcomes(dry) == ["n1": .replaced, "n2": .added, "n-5": .past, "x": .added])
        #expect(world.pending().count == 1)
        #expect(take(batches, in: &world) == dry)
        #expect(world.pending().map(\.request.identifier) == ["n1", "n2", "x"])
    }

    @Test func `an import that fails for one app changes nothing for any`() {
        var world = World(at: Self.start)
        let reply = take(
            [
                Batch(app: "a", requests: numbered([1])),
                Batch(app: "b", requests: numbered([1, 1])),
            ], in: &world)
        #expect(
            reply
                == .refused(
                    .invalid(
                        field: "requests[2].request.identifier",
                        reason: "is in this batch more than once"))
        )
        #expect(world.pending().isEmpty)
        #expect(world.events.isEmpty)
    }

    @Test func `an import's list is in order over its apps`() {
        var world = World(at: Self.start)
        world.add([request("before", .date(minutes(9)))])
        let reply = take(
            [
                Batch(
                    app: "a", requests: numbered([-1]) + [request("second", .date(minutes(9)))],
                    places: [1, 2]),
                Batch(
                    app: "z",
                    requests: [
                        request("first", .date(minutes(9))), request("third", .date(minutes(9))),
                    ],
                    places: [0, 3]),
            ], in: &world)
        guard case .imported(let items)? = reply else {
            Issue.record("\(String(describing: reply))")
            return
        }
        #expect(items.map(\.key.identifier) == ["first", "n-1", "second", "third"])
        world.add([request("after", .date(minutes(9)))])
        world.run(to: minutes(10))
        #expect(
            world.takePresented().map(\.identifier)
                == ["before", "first", "second", "third", "after"])
    }

    @Test func `an import's error counts in its list, and what is past counts too`() {
        var world = World(at: Self.start)
        let reply = take(
            [
                Batch(app: "a", requests: numbered([1, 2]), places: [0, 4]),
                Batch(app: "b", requests: numbered([-1, 1, 1]), places: [1, 2, 3]),
            ], in: &world)
        #expect(
            reply
                == .refused(
                    .invalid(
                        field: "requests[3].request.identifier",
                        reason: "is in this batch more than once"))
        )
    }
}
