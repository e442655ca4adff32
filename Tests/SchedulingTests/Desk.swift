// A hand-turned scheduler and commit queue: the test says when a commit begins, and how it ends.

import CivilTime
import Scheduling
import TestSupport
import Testing

/// A scheduler and its commit queue, without a store.
struct Desk {
    var scheduler: Scheduler
    var queue = CommitQueue()
    var now = Moment(
        wall: WallInstant("2026-06-01T09:00:00Z"), boot: BootInstant(microseconds: 1_000_000_000))
    var calls: UInt64 = 0

    init() {
        (scheduler, _) = Scheduler.restore(
            StoredState(), at: now, bootID: "b", localZone: .utc, zones: [:])
    }

    mutating func pass(_ microseconds: Int64) {
        now.wall.microseconds += microseconds
        now.boot.microseconds += microseconds
    }

    /// The commit failed. Of a desk that a function has captured, queue and scheduler cannot be
    /// changed at once from outside.
    mutating func fail() -> CommitQueue.Failure { queue.failed(&scheduler) }

    mutating func handle(_ event: Event) -> [Effect] {
        queue.add(event, scheduler.handle(event, at: now), at: now)
    }

    mutating func add(_ request: Request) -> [Effect] {
        calls += 1
        let batch = Batch(app: "app", requests: [request])
        return handle(.submitted(batch, call: CallToken(number: calls)))
    }

    /// Adds a request that fires after `seconds`; returns the call and what may leave at once.
    mutating func add(_ identifier: String, seconds: Double) -> (CallToken, [Effect]) {
        calls += 1
        let call = CallToken(number: calls)
        let batch = Batch(
            app: "app", requests: [request(identifier, interval(seconds: seconds))])
        return (call, handle(.submitted(batch, call: call)))
    }

    var identifiers: [String] {
        scheduler.pending(of: Selection(app: nil, identifiers: nil))
            .map(\.request.identifier)
    }

    /// Requests named 1 to `count` came due a minute ago, and five of them have just been shown.
    static func overdue(_ count: Int) -> Desk {
        var desk = Desk()
        desk.comeDue(count)
        return desk
    }

    /// Requests named 1 to `count` come due and are heard of a minute later; five are shown.
    mutating func comeDue(_ count: Int) {
        let requests = (1...count).map { request("\($0)", interval(seconds: 1)) }
        calls += 1
        let batch = Batch(app: "app", requests: requests, whenFull: .queue)
        _ = handle(.submitted(batch, call: CallToken(number: calls)))
        _ = commit()
        pass(60_000_000)
        _ = handle(.deadlineReached)
        #expect(presented(commit()) == ["1", "2", "3", "4", "5"])
    }

    /// The notification server takes every delivery that waits, but for one.
    mutating func takeAll(but left: String? = nil) {
        for delivery in scheduler.deliveries(of: Selection(app: nil, identifiers: nil))
        where delivery.presented == nil && delivery.identifier != left {
            _ = handle(.presented(delivery: delivery.number))
        }
    }

    /// The next commit, which succeeds: what may be done after it.
    mutating func commit() -> [Effect] {
        queue.nextCommit() == nil ? [] : queue.committed()
    }
}

func replies(_ effects: [Effect]) -> [CallToken] {
    effects.compactMap { effect in
        if case .reply(let call, _) = effect { call } else { nil }
    }
}

func presented(_ effects: [Effect]) -> [String] {
    effects.compactMap { effect in
        if case .present(let delivery, _) = effect { delivery.identifier } else { nil }
    }
}
