// After every event: the scheduler's memory is what the model says, and what the store holds when
// nothing is on the way there; the timer is armed for the first thing that is due.

import CivilTime
import Scheduling

extension Simulation {
    mutating func compareStates() {
        guard failure == nil, let life else { return }
        let scheduler = life.scheduler
        checkTimer(scheduler)
        // To look at a full queue after every event would be most of the work.
        let isFull = model.pending.count > 24
        guard !isFull || statistics.turns % 8 == 0 else { return }
        let memory = Memory(scheduler)
        comparePending(memory)
        compareDeliveries(memory)
        compareMissed(memory)
        if !life.commits.isCommitting, !life.commits.hasWork { compareStore(memory) }
    }

    /// All that the scheduler lists.
    private struct Memory {
        /// With those in the backlog.
        var pending: [PendingRequest]
        /// Without those.
        var queueCount: Int
        var deliveries: [Delivery]
        var missed: [Missed]

        init(_ scheduler: Scheduler) {
            pending = scheduler.requests(of: .everything)
            queueCount = scheduler.counts.pending
            deliveries = scheduler.deliveries(of: .everything)
            missed = scheduler.missed(of: .everything)
        }
    }

    private mutating func comparePending(_ memory: Memory) {
        guard memory.pending.map(\.key) == model.firingOrder else {
            let expected = model.firingOrder.compactMap { model.pending[$0] }
            return fail(
                "pending are \(memory.pending.map(Self.brief)), "
                    + "should be \(expected.map(Self.brief))")
        }
        var counts: [String: Int] = [:]
        for real in memory.pending {
            guard let naive = model.pending[real.key] else { continue }
            counts[real.app, default: 0] += 1
            let due: Model.Due =
                switch real.next {
                case .wall(let instant): .wall(instant.microseconds)
                case .boot(let instant): .boot(instant.microseconds)
                }
            if due != naive.due || real.request.content.title != naive.title
                || real.occurrenceCount != naive.passed
            {
                fail("pending is \(Self.brief(real)), should be \(Self.brief(naive))")
            }
            if gone.contains(naive.title) || goneUntilPowerCut.contains(naive.title) {
                fail("\(naive.key) is pending again after its removal was acknowledged")
            }
        }
        let expected = counts.values.reduce(0) { $0 + min($1, 64) }
        if memory.queueCount != expected {
            fail("\(memory.queueCount) requests are in queues of 64, should be \(expected)")
        }
    }

    private static func brief(_ pending: PendingRequest) -> String {
        "\(pending.app)/\(pending.request.identifier) \(pending.request.content.title) "
            + "next \(pending.next) after \(pending.occurrenceCount)"
    }

    private static func brief(_ entry: Model.Entry) -> String {
        "\(entry.app)/\(entry.request.identifier) \(entry.title) "
            + "next \(entry.due) after \(entry.passed)"
    }

    private mutating func compareDeliveries(_ memory: Memory) {
        let deliveries = memory.deliveries
        if deliveries.count != model.delivered.count {
            let keys = Set(deliveries.map(\.key)).symmetricDifference(model.delivered.keys)
            fail("only one of scheduler and model has delivered \(keys)")
        }
        for delivery in deliveries {
            guard let shown = model.delivered[delivery.key] else {
                return fail("\(delivery.key) should not be delivered")
            }
            if delivery.content.title != shown.occurrence.title
                || delivery.due.microseconds != shown.due || delivery.late != shown.late
                || delivery.missedCount != shown.missedCount
                || (delivery.presented != nil) != shown.isPresented
            {
                fail("delivered is \(delivery), should be \(shown)")
            }
        }
    }

    private mutating func compareMissed(_ memory: Memory) {
        var missed: [String: [Model.Miss]] = [:]
        for real in memory.missed {
            missed[real.app, default: []].append(
                Model.Miss(
                    identifier: real.identifier, title: real.title,
                    due: real.due.microseconds, count: real.count, reason: real.reason))
        }
        statistics.missed = max(statistics.missed, missed.values.map(\.count).max() ?? 0)
        for app in Set(missed.keys).union(model.missed.keys) {
            let (real, naive) = (missed[app] ?? [], model.missed[app] ?? [])
            // Of a full list only the length: which of one moment leaves first is not promised.
            let isFull = naive.count == Limits.missedPerApp
            if (!isFull && Set(real) != Set(naive)) || real.count != naive.count {
                fail("\(app) missed \(real), should have \(naive)")
            }
        }
    }

    private mutating func checkTimer(_ scheduler: Scheduler) {
        guard let due = model.nextInstant else { return }
        guard let deadline = scheduler.nextDeadline?.microseconds else {
            return fail("no timer is armed, the next is due at \(due)")
        }
        if deadline > max(due, now.boot.microseconds) {
            fail("the timer is armed for \(deadline), the next is due at \(due)")
        }
    }

    private mutating func compareStore(_ memory: Memory) {
        let rows = store.current.rows
        if memory.pending.contains(where: { rows.pending[$0.key] != $0 })
            || memory.pending.count != rows.pending.count
        {
            fail("the pending requests in memory are not those in the store")
        }
        if memory.deliveries.contains(where: { rows.deliveries[$0.key] != $0 })
            || memory.deliveries.count != rows.deliveries.count
        {
            fail("the deliveries in memory are not those in the store")
        }
        if memory.missed.contains(where: { rows.missed[$0.number] != $0 })
            || memory.missed.count != rows.missed.count
        {
            fail("the missed ones in memory are not those in the store")
        }
        if rows.clock?.bootID != "boot\(bootNumber)" || rows.clock?.offset != model.offset {
            fail("the clock in the store is \(rows.clock as Any)")
        }
    }

    // MARK: The end

    /// With a disk that works and a server that answers, everything is shown and written soon.
    mutating func comeToRest() {
        effectsLeft = nil
        take(.disk(.works(after: 0)))
        take(.server(.answers(after: 1_000)))
        startIfDown()
        for _ in 0..<40 {
            run(for: 1_000_000)
            let isAtRest =
                screen.isIdle && life?.commits.isCommitting == false && life?.calls.isEmpty == true
            if isAtRest, model.delivered.values.allSatisfy(\.isPresented) { break }
        }
        guard failure == nil, let life else { return }
        if !screen.isIdle || life.commits.isCommitting {
            fail("at rest, something still waits for the screen or the disk")
        }
        let waiting = model.delivered.filter { !$0.value.isPresented }
        if !waiting.isEmpty, !isBusy {
            fail("at rest, \(waiting.keys) were fired and never shown")
        }
        if !life.calls.isEmpty {
            fail("at rest, calls \(life.calls.keys.map(\.number)) have no answer")
        }
    }

    /// A request that fires in these seconds may be on its way.
    private var isBusy: Bool {
        model.delivered.values.contains {
            !$0.isPresented && now.wall.microseconds - $0.due < 2_000_000 && !$0.late
        }
    }
}
