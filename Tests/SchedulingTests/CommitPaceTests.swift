// The pace of late deliveries while commits are under way or fail: nothing is stuck in its line,
// and nothing is shown for a request that never came to be.

import CivilTime
import Scheduling
import TestSupport
import Testing

@Suite struct CommitPaceTests {
    @Test func `a late delivery whose turn came while it was being removed gets another`() {
        var desk = Desk.overdue(6)
        for number in 1...5 { _ = desk.handle(.presented(delivery: Int64(number))) }
        _ = desk.commit()
        let last = Selection(app: "app", identifiers: ["6"])
        _ = desk.handle(.dismissalAsked(last, call: CallToken(number: 101)))
        _ = desk.queue.nextCommit()
        desk.pass(1_000_000)
        _ = desk.handle(.deadlineReached)
        _ = desk.queue.failed(&desk.scheduler)
        desk.pass(1_000_000)
        let deadline = desk.scheduler.nextDeadline?.microseconds ?? .max
        #expect(deadline <= desk.now.boot.microseconds)
        _ = desk.handle(.deadlineReached)
        #expect(presented(desk.commit()) == ["6"])
    }

    @Test func `what a refused request was to replace stays on the screen`() {
        var desk = Desk()
        _ = desk.add(request("6", .now))
        _ = desk.commit()
        // The firing of the sixth has to wait for its turn, and its request for the disk.
        for number in 1...6 { _ = desk.add("\(number)", seconds: 1) }
        _ = desk.queue.nextCommit()
        desk.pass(60_000_000)
        _ = desk.handle(.deadlineReached)
        desk.pass(1_000_000)
        var done = desk.queue.overdue(at: desk.now.boot)
        done += desk.queue.failed(&desk.scheduler).actions
        done += desk.commit()
        #expect(desk.scheduler.delivery(1)?.presented == nil)
        #expect(!done.contains { if case .withdraw = $0 { true } else { false } })
    }

    @Test func `a late delivery that a failed commit brings back has its place again`() {
        var desk = Desk.overdue(7)
        func passSecond() -> [String] {
            desk.pass(1_000_000)
            _ = desk.handle(.deadlineReached)
            return presented(desk.commit())
        }
        _ = desk.add(request("1", .now))
        _ = desk.queue.nextCommit()
        desk.pass(1_000_000)
        let sixth = desk.handle(.deadlineReached)
        _ = desk.queue.failed(&desk.scheduler)
        #expect(presented(sixth).isEmpty)
        #expect(passSecond() == ["6"])
        // Six are under way now, until two have been taken.
        _ = desk.handle(.presented(delivery: 2))
        #expect(passSecond().isEmpty)
        _ = desk.handle(.presented(delivery: 3))
        #expect(passSecond() == ["7"])
    }

    @Test func `a late firing whose request is refused is not shown in its turn`() {
        var desk = Desk()
        for number in 1...6 { _ = desk.add("\(number)", seconds: 1) }
        _ = desk.queue.nextCommit()
        desk.pass(60_000_000)
        _ = desk.handle(.deadlineReached)
        desk.pass(1_000_000)
        _ = desk.handle(.deadlineReached)
        #expect(presented(desk.queue.failed(&desk.scheduler).actions).isEmpty)
        #expect(presented(desk.commit()).isEmpty)
    }

    @Test func `however many were removed in line before, one that comes back gets its turn`() {
        var desk = Desk()
        // More than are remembered, in three rounds: no more can wait at once.
        for round in 1...3 {
            desk.comeDue(9_000)
            let others = Selection(app: "app", identifiers: (6..<9_000).map { "\($0)" })
            _ = desk.handle(.dismissalAsked(others, call: CallToken(number: 100)))
            desk.takeAll(but: "9000")
            _ = desk.commit()
            // The last one is removed as well when the turn of all comes; the disk refuses that.
            let last = Selection(app: "app", identifiers: ["9000"])
            _ = desk.handle(.dismissalAsked(last, call: CallToken(number: 101)))
            _ = desk.queue.nextCommit()
            desk.pass(1_000_000)
            _ = desk.handle(.deadlineReached)
            _ = desk.queue.failed(&desk.scheduler)
            desk.pass(1_000_000)
            _ = desk.handle(.deadlineReached)
            #expect(presented(desk.commit()) == ["9000"], "round \(round)")
            desk.takeAll()
            _ = desk.commit()
            desk.pass(1_000_000)
        }
    }
}
