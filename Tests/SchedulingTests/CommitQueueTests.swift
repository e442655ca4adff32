// What may leave the daemon when: after its commit, after 250 ms for a firing, and what a failed
// commit takes back.

import CivilTime
import Scheduling
import TestSupport
import Testing

@Suite struct CommitQueueTests {
    @Test func `a reply leaves only after its commit`() {
        var desk = Desk()
        let (call, atOnce) = desk.add("a", seconds: 60)
        #expect(atOnce.isEmpty)
        let commit = desk.queue.nextCommit()
        #expect(commit?.isDurable == true)
        #expect(commit?.changes.count == 1)
        #expect(replies(desk.queue.committed()) == [call])
        #expect(desk.queue.nextCommit() == nil)
    }

    @Test func `calls that come while a commit runs share the next one`() {
        var desk = Desk()
        _ = desk.add("a", seconds: 60)
        _ = desk.queue.nextCommit()
        let (second, _) = desk.add("b", seconds: 60)
        let (third, _) = desk.add("c", seconds: 60)
        #expect(desk.queue.nextCommit() == nil)
        _ = desk.queue.committed()
        #expect(desk.queue.nextCommit()?.changes.count == 2)
        #expect(replies(desk.queue.committed()) == [second, third])
    }

    @Test func `a refusal changes nothing and leaves at once, also while a commit runs`() {
        var desk = Desk()
        _ = desk.add("a", seconds: 60)
        _ = desk.queue.nextCommit()
        desk.calls += 1
        let call = CallToken(number: desk.calls)
        let late = Batch(app: "app", requests: [request("x", .date(WallInstant(seconds: 0)))])
        #expect(replies(desk.handle(.submitted(late, call: call))) == [call])
    }

    @Test func `a firing's record need not be synced, and is presented after it`() {
        var desk = Desk()
        _ = desk.add("a", seconds: 1)
        _ = desk.queue.nextCommit()
        _ = desk.queue.committed()
        desk.pass(1_000_000)
        #expect(desk.handle(.deadlineReached).isEmpty)
        #expect(desk.queue.nextCommit()?.isDurable == false)
        #expect(presented(desk.queue.committed()) == ["a"])
    }

    @Test func `a firing whose commit stalls is presented after 250 ms, once`() {
        var desk = Desk()
        _ = desk.add("a", seconds: 1)
        _ = desk.queue.nextCommit()
        _ = desk.queue.committed()
        desk.pass(1_000_000)
        _ = desk.handle(.deadlineReached)
        _ = desk.queue.nextCommit()
        #expect(desk.queue.patienceEnds?.microseconds == desk.now.boot.microseconds + 250_000)
        desk.pass(249_999)
        #expect(desk.queue.overdue(at: desk.now.boot).isEmpty)
        desk.pass(1)
        #expect(presented(desk.queue.overdue(at: desk.now.boot)) == ["a"])
        #expect(desk.queue.patienceEnds == nil)
        #expect(presented(desk.queue.committed()).isEmpty)
    }

    @Test func `a notification of a call waits for its commit however long that takes`() {
        var desk = Desk()
        desk.calls += 1
        let batch = Batch(app: "app", requests: [request("n", .now)])
        _ = desk.handle(.submitted(batch, call: CallToken(number: desk.calls)))
        _ = desk.queue.nextCommit()
        desk.pass(60_000_000)
        #expect(desk.queue.overdue(at: desk.now.boot).isEmpty)
        let failure = desk.queue.failed(&desk.scheduler)
        #expect(failure.actions.isEmpty)
        #expect(desk.scheduler.counts.delivered == 0)
    }

    @Test func `a failed commit refuses exactly its calls and memory is what is stored`() {
        var desk = Desk()
        _ = desk.add("kept", seconds: 60)
        _ = desk.queue.nextCommit()
        _ = desk.queue.committed()
        let (first, _) = desk.add("a", seconds: 60)
        let (second, _) = desk.add("kept", seconds: 90)
        _ = desk.queue.nextCommit()
        let (third, _) = desk.add("b", seconds: 60)
        let before = desk.scheduler.pending(of: Selection(app: "app", identifiers: ["kept"]))
        let failure = desk.queue.failed(&desk.scheduler)
        #expect(failure.refused == [first, second])
        #expect(desk.identifiers == ["kept"])
        let after = desk.scheduler.pending(of: Selection(app: "app", identifiers: ["kept"]))
        #expect(before[0].request.trigger == interval(seconds: 90))
        #expect(after[0].request.trigger == interval(seconds: 60))
        // The third was not in the commit: it is decided again, and goes into the next.
        #expect(failure.again.count == 1)
        for event in failure.again { #expect(desk.handle(event).isEmpty) }
        #expect(desk.identifiers == ["kept", "b"])
        _ = desk.queue.nextCommit()
        #expect(replies(desk.queue.committed()) == [third])
    }

    @Test func `a firing in a failed commit is presented, kept, and written with the next one`() {
        var desk = Desk()
        _ = desk.add("a", seconds: 1)
        _ = desk.queue.nextCommit()
        _ = desk.queue.committed()
        desk.pass(1_000_000)
        _ = desk.handle(.deadlineReached)
        let changes = desk.queue.nextCommit()?.changes
        let failure = desk.queue.failed(&desk.scheduler)
        #expect(presented(failure.actions) == ["a"])
        #expect(failure.refused.isEmpty)
        #expect(desk.identifiers.isEmpty)
        #expect(desk.queue.unwrittenCount == 2)
        let again = desk.queue.nextCommit()
        #expect(again?.changes == changes)
        _ = desk.queue.committed()
        #expect(desk.queue.unwrittenCount == 0)
    }

    @Test func `a request whose add failed and that fired meanwhile never came to be`() {
        var desk = Desk()
        let (call, _) = desk.add("a", seconds: 0.1)
        _ = desk.queue.nextCommit()
        desk.pass(100_000)
        _ = desk.handle(.deadlineReached)
        let failure = desk.queue.failed(&desk.scheduler)
        #expect(failure.refused == [call])
        #expect(failure.actions.isEmpty)
        #expect(desk.identifiers.isEmpty)
        #expect(desk.scheduler.counts.delivered == 0)
        #expect(desk.scheduler.nextDeadline == nil)
        #expect(desk.queue.nextCommit()?.changes.isEmpty ?? true)
    }

    @Test func `an occurrence missed by a request whose add failed is not on record`() {
        var desk = Desk()
        let due = WallInstant(microseconds: desk.now.wall.microseconds + 1_000_000)
        _ = desk.add(request("a", .date(due), ifMissed: .skip))
        _ = desk.queue.nextCommit()
        desk.pass(60_000_000)
        _ = desk.handle(.deadlineReached)
        #expect(desk.scheduler.counts.missed == 1)
        _ = desk.queue.failed(&desk.scheduler)
        #expect(desk.scheduler.counts.missed == 0)
        #expect(desk.queue.nextCommit()?.changes.isEmpty ?? true)
    }

    @Test func `missed ones of a request whose add failed drive no others out of the list`() {
        var desk = Desk()
        func addSkipping(_ identifier: String) {
            _ = desk.add(
                request(identifier, interval(seconds: 60, repeats: true), ifMissed: .skip))
        }
        func missOne() {
            desk.pass(60_000_000)
            _ = desk.handle(.deadlineReached)
        }
        addSkipping("kept")
        _ = desk.queue.nextCommit()
        _ = desk.queue.committed()
        desk.pass(2_000_000)
        for _ in 0..<200 { missOne() }
        _ = desk.queue.nextCommit()
        _ = desk.queue.committed()
        addSkipping("refused")
        _ = desk.queue.nextCommit()
        desk.pass(2_000_000)
        for _ in 0..<50 { missOne() }
        #expect(desk.scheduler.counts.missed == Limits.missedPerApp)
        _ = desk.fail()
        #expect(desk.scheduler.counts.missed == 250)
        let removed = desk.queue.nextCommit()?.changes.filter { change in
            if case .missed(.some, nil) = change { true } else { false }
        }
        #expect(removed?.isEmpty == true)
    }

    @Test func `a firing of a request that is not on disk itself waits for it`() {
        var desk = Desk()
        _ = desk.add("a", seconds: 1)
        _ = desk.queue.nextCommit()
        desk.pass(1_000_000)
        _ = desk.handle(.deadlineReached)
        #expect(desk.queue.patienceEnds == nil)
        desk.pass(60_000_000)
        #expect(desk.queue.overdue(at: desk.now.boot).isEmpty)
        _ = desk.queue.committed()
        // On disk now, so the firing's own record may come later.
        #expect(presented(desk.queue.overdue(at: desk.now.boot)) == ["a"])
    }

    @Test(arguments: [Event.presented(delivery: 1), .dismissed(delivery: 1)])
    func `what is said of a delivery whose removal fails is not lost`(_ event: Event) {
        var desk = Desk()
        _ = desk.add(request("n", .now))
        _ = desk.queue.nextCommit()
        _ = desk.queue.committed()
        desk.calls += 1
        let all = Selection(app: nil, identifiers: nil)
        _ = desk.handle(.dismissalAsked(all, call: CallToken(number: desk.calls)))
        _ = desk.queue.nextCommit()
        #expect(desk.handle(event).isEmpty)
        let failure = desk.queue.failed(&desk.scheduler)
        #expect(desk.scheduler.deliveries(of: all).map(\.presented) == [nil])
        for event in failure.again { _ = desk.handle(event) }
        #expect(desk.scheduler.deliveries(of: all).allSatisfy { $0.presented != nil })
        #expect(desk.queue.nextCommit()?.changes.count == 1)
    }

    @Test func `a removal that finds nothing fails while the firing is not on disk`() {
        var desk = Desk()
        _ = desk.add("a", seconds: 60)
        _ = desk.queue.nextCommit()
        _ = desk.queue.committed()
        desk.pass(60_000_000)
        _ = desk.handle(.deadlineReached)
        _ = desk.queue.nextCommit()
        #expect(presented(desk.queue.failed(&desk.scheduler).actions) == ["a"])
        // After a crash the request would be pending again, so the disk has the last word.
        let (first, second) = (CallToken(number: 101), CallToken(number: 102))
        let all = Selection(app: "app", identifiers: nil)
        #expect(desk.handle(.removalAsked(all, call: first)).isEmpty)
        _ = desk.queue.nextCommit()
        #expect(desk.queue.failed(&desk.scheduler).refused == [first])
        #expect(desk.handle(.removalAsked(all, call: second)).isEmpty)
        #expect(desk.queue.nextCommit()?.isDurable == true)
        #expect(replies(desk.queue.committed()) == [second])
    }

    @Test func `what a failed commit puts back is due by the clock as it is set now`() {
        var desk = Desk()
        let due = WallInstant(microseconds: desk.now.wall.microseconds + 3_600_000_000)
        _ = desk.add(request("a", .date(due)))
        _ = desk.queue.nextCommit()
        _ = desk.queue.committed()
        let later = WallInstant(microseconds: due.microseconds + 86_400_000_000)
        _ = desk.add(request("a", .date(later)))
        _ = desk.queue.nextCommit()
        desk.now.wall.microseconds += 1_800_000_000
        _ = desk.handle(.clockChanged)
        _ = desk.queue.failed(&desk.scheduler)
        #expect(
            desk.scheduler.nextDeadline?.microseconds
                == desk.now.boot.microseconds + 1_800_000_000)
    }

    @Test func `a removal that finds nothing waits for what took it away`() {
        var desk = Desk()
        _ = desk.add("a", seconds: 60)
        _ = desk.queue.nextCommit()
        _ = desk.queue.committed()
        let (first, second) = (CallToken(number: 101), CallToken(number: 102))
        let all = Selection(app: "app", identifiers: nil)
        #expect(desk.handle(.removalAsked(all, call: first)).isEmpty)
        _ = desk.queue.nextCommit()
        #expect(desk.handle(.removalAsked(all, call: second)).isEmpty)
        let failure = desk.queue.failed(&desk.scheduler)
        #expect(failure.refused == [first])
        #expect(desk.identifiers == ["a"])
        for event in failure.again { _ = desk.handle(event) }
        #expect(desk.identifiers.isEmpty)
        _ = desk.queue.nextCommit()
        #expect(replies(desk.queue.committed()) == [second])
    }

    @Test func `what a failed commit puts back follows the zones and the clock as they are now`()
        throws
    {
        var desk = Desk()
        let trigger = try calendar([.hour: [12]])
        _ = desk.add(request("a", trigger))
        _ = desk.queue.nextCommit()
        _ = desk.queue.committed()
        _ = desk.add(request("a", .now))
        _ = desk.queue.nextCommit()
        let paris = try Zone(name: "Europe/Paris", posixRule: "CET-1CEST,M3.5.0,M10.5.0/3")
        _ = desk.handle(.zonesChanged(local: paris, named: [:]))
        desk.now.wall.microseconds -= 86_400_000_000
        _ = desk.handle(.clockChanged)
        _ = desk.queue.failed(&desk.scheduler)
        let next = desk.scheduler.pending(of: Selection(app: "app", identifiers: ["a"]))
            .map(\.next)
        #expect(next == [.wall(WallInstant("2026-05-31T10:00:00Z"))])
        // Twice moved, and both are in the next commit.
        #expect(desk.queue.nextCommit()?.changes.count == 3)
    }

    @Test func `a request that moved with the zone before it was replaced is moved once`() throws {
        var desk = Desk()
        _ = desk.add(request("a", try calendar([.hour: [12]])))
        _ = desk.queue.nextCommit()
        _ = desk.queue.committed()
        let paris = try Zone(name: "Europe/Paris", posixRule: "CET-1CEST,M3.5.0,M10.5.0/3")
        _ = desk.add("b", seconds: 60)
        _ = desk.queue.nextCommit()
        _ = desk.handle(.clockChanged)
        _ = desk.handle(.zonesChanged(local: paris, named: [:]))
        _ = desk.add(request("a", .now))
        _ = desk.queue.failed(&desk.scheduler)
        #expect(desk.queue.nextCommit()?.changes.count == 1)
    }

    @Test func `a batch that is decided again brings no old zone back`() throws {
        let old = try Zone(name: "Europe/Paris", posixRule: "CET-1CEST,M3.5.0,M10.5.0/3")
        let new = try Zone(name: "Europe/Paris", posixRule: "CET-1")
        var desk = Desk()
        _ = desk.add("b", seconds: 60)
        _ = desk.queue.nextCommit()
        let noon = request("a", try calendar([.hour: [12]], zone: "Europe/Paris"))
        let batch = Batch(app: "app", requests: [noon], zones: ["Europe/Paris": old])
        _ = desk.handle(.submitted(batch, call: CallToken(number: 101)))
        _ = desk.handle(.zonesChanged(local: .utc, named: ["Europe/Paris": new]))
        for event in desk.queue.failed(&desk.scheduler).again { _ = desk.handle(event) }
        let next = desk.scheduler.pending(of: Selection(app: "app", identifiers: ["a"]))
            .map(\.next)
        #expect(next == [.wall(WallInstant("2026-06-01T11:00:00Z"))])
    }
}
