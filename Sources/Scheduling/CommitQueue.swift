// Between deciding and acting: what an event changed has to be on disk before what depends on it
// leaves the daemon. While one commit runs the next turns gather here, so that many calls share one
// fsync. Pure like the scheduler: the shell commits and reports.
//
// When a commit fails, the calls in it are refused and memory goes back to what is stored; firings
// are kept, shown, and offered again with the next commit. The order is always: undo all that is
// not stored, newest first; do the firings again; handle anew the calls that were not in the
// commit.

import CivilTime

/// The steps that wait for the disk, oldest first.
package struct CommitQueue: Sendable {
    /// What one event came to.
    private struct Step: Sendable {
        var event: Event
        /// When it happened.
        var now: Moment
        var changes: [Change]
        var actions: [Effect]

        var call: CallToken? { event.call }

        mutating func append(_ effect: Effect) {
            if case .change(let change) = effect {
                changes.append(change)
            } else {
                actions.append(effect)
            }
        }

        /// Requests that its call removes or replaces.
        var takenAway: Set<Int64> {
            guard call != nil else { return [] }
            return Set(
                changes.compactMap { change in
                    if case .pending(let before?, _) = change { before.sequence } else { nil }
                })
        }

        /// Whether it told of a delivery that a call had just removed: news again if the call
        /// fails.
        var isUnheard: Bool {
            switch event {
            case .presented, .dismissed: changes.isEmpty
            case .started, .submitted, .removalAsked, .dismissalAsked, .importAsked,
                .deadlineReached, .clockChanged, .zonesChanged, .putOff:
                false
            }
        }
    }

    /// What the store is asked to write in one transaction.
    package struct Commit: Sendable {
        package var changes: [Change]
        /// Whether it must survive a power cut: a call is in it.
        package var isDurable: Bool
    }

    /// What a failed commit comes to.
    package struct Failure: Sendable {
        /// To be answered with StorageFailed.
        package var refused: [CallToken] = []
        /// To be done now.
        package var actions: [Effect] = []
        /// To be handled anew: calls that were not in the commit, and what was said meanwhile of
        /// deliveries that are there again.
        package var again: [Event] = []
    }

    /// A firing waits at most this long for its commit, in microseconds; then it is shown first.
    package static let patienceMicroseconds: Int64 = 250_000

    private var gathered: [Step] = []
    private var inFlight: [Step] = []
    /// Changes that happened and could not be written: they head the next commit.
    private var unwritten: [Change] = []

    package init() {}

    /// Whether a commit is with the store.
    package var isCommitting: Bool { !inFlight.isEmpty }

    /// Whether a call waits for the next commit.
    package var hasCalls: Bool { gathered.contains { $0.call != nil } }

    /// Whether anything waits to be committed.
    package var hasWork: Bool { !gathered.isEmpty || !unwritten.isEmpty }

    /// How many changes the disk has refused so far that are not written yet.
    package var unwrittenCount: Int { unwritten.count }

    /// Takes in what `event` came to at `now`, and returns what may be done at once: everything, if
    /// nothing changed and nothing is on its way to the disk, and a refusal always.
    package mutating func add(_ event: Event, _ effects: [Effect], at now: Moment) -> [Effect] {
        var step = Step(event: event, now: now, changes: [], actions: [])
        for effect in effects { step.append(effect) }
        // What a call found may rest on a change that the disk has refused so far.
        let isSafe = gathered.isEmpty && inFlight.isEmpty && (unwritten.isEmpty || step.call == nil)
        if step.changes.isEmpty, isSafe { return step.actions }
        if step.changes.isEmpty, effects.contains(where: \.isRefusal) { return step.actions }
        gathered.append(step)
        return []
    }

    /// What to commit next; nil while a commit runs or nothing has changed.
    package mutating func nextCommit() -> Commit? {
        guard inFlight.isEmpty, !gathered.isEmpty || !unwritten.isEmpty else { return nil }
        inFlight = gathered
        gathered = []
        let changes = unwritten + inFlight.flatMap(\.changes)
        let isDurable = inFlight.contains { $0.call != nil }
        if inFlight.isEmpty {
            // Only old changes: a step of its own, so that the commit is seen to run.
            let instant = Moment(
                wall: WallInstant(microseconds: 0), boot: BootInstant(microseconds: 0))
            inFlight = [Step(event: .deadlineReached, now: instant, changes: [], actions: [])]
        }
        return Commit(changes: changes, isDurable: isDurable)
    }

    /// The commit is on disk: what may be done now, in order.
    package mutating func committed() -> [Effect] {
        precondition(!inFlight.isEmpty, "no commit is running")
        unwritten = []
        defer { inFlight = [] }
        return inFlight.flatMap(\.actions)
    }

    /// The commit failed: puts `scheduler` back to what is stored, but for what cannot be taken
    /// back.
    package mutating func failed(_ scheduler: inout Scheduler) -> Failure {
        precondition(!inFlight.isEmpty, "no commit is running")
        var failure = Failure()
        // Requests that undone calls had removed or replaced.
        var restored: Set<Int64> = []
        for step in (inFlight + gathered).reversed() {
            for change in step.changes.reversed() { scheduler.undo(change) }
        }
        for step in inFlight {
            restored.formUnion(step.takenAway)
            if let call = step.call {
                failure.refused.append(call)
            } else if step.isUnheard {
                failure.again.append(step.event)
            } else {
                let again = redone(step, restored, in: &scheduler)
                unwritten += again.changes
                failure.actions += again.actions
            }
        }
        // Calls that came meanwhile were decided on what is gone now; what happened stays.
        var kept: [Step] = []
        for step in gathered {
            restored.formUnion(step.takenAway)
            if step.call != nil || step.isUnheard {
                failure.again.append(step.event)
            } else {
                kept.append(redone(step, restored, in: &scheduler))
            }
        }
        gathered = kept
        inFlight = []
        return failure
    }

    /// Does again what happened by itself, but for what became of requests whose call was refused:
    /// those never came to be.
    private func redone(
        _ step: Step, _ restored: Set<Int64>, in scheduler: inout Scheduler
    ) -> Step {
        var result = step
        result.changes = []
        var gone: Set<RequestKey> = []
        for change in step.changes {
            switch change {
            case .delivery(_, let after?) where gone.contains(after.key): continue
            case .missed(nil, let after?) where gone.contains(after.key): continue
            case .pending, .delivery, .missed, .clock: break
            }
            if let again = scheduler.redo(change) {
                result.changes.append(again)
                continue
            }
            switch change {
            case .pending(let before?, _): gone.insert(before.key)
            case .delivery(let before?, nil): gone.insert(before.key)
            case .pending, .delivery, .missed, .clock: break
            }
        }
        result.actions.removeAll { action in
            switch action {
            case .present(let delivery, _): scheduler.delivery(delivery.number) == nil
            case .publish(let event): gone.contains(event.key)
            // What was to take its place never came to be.
            case .withdraw(let number): scheduler.delivery(number) != nil
            case .change, .reply: false
            }
        }
        let moved =
            restored.isEmpty ? [] : scheduler.catchUp(restored, on: step.event, at: step.now)
        for effect in moved { result.append(effect) }
        return result
    }

    /// Firings that have waited for the disk too long by `now`: they are shown at once.
    package mutating func overdue(at now: BootInstant) -> [Effect] {
        var shown: [Effect] = []
        let unaccepted = unaccepted
        func release(_ steps: inout [Step]) {
            for index in steps.indices where steps[index].call == nil {
                let waited = now.microseconds - steps[index].now.boot.microseconds
                guard waited >= Self.patienceMicroseconds else { continue }
                shown += steps[index].actions.filter { $0.isUrgent(but: unaccepted) }
                steps[index].actions.removeAll { $0.isUrgent(but: unaccepted) }
            }
        }
        release(&inFlight)
        release(&gathered)
        return shown
    }

    /// When `overdue` has something to show next; nil = nothing waits.
    package var patienceEnds: BootInstant? {
        func isWaiting(_ step: Step, _ unaccepted: Set<Int64>) -> Bool {
            step.call == nil && step.actions.contains { $0.isUrgent(but: unaccepted) }
        }
        // Asked in every turn, and nearly always nothing waits.
        let steps = [inFlight, gathered].joined()
        guard steps.contains(where: { isWaiting($0, []) }) else { return nil }
        let unaccepted = unaccepted
        let waiting = steps.lazy.filter { isWaiting($0, unaccepted) }
        return waiting.map(\.now.boot).min().map {
            BootInstant(microseconds: $0.microseconds + Self.patienceMicroseconds)
        }
    }

    /// Deliveries of requests that are not on disk themselves: their call may still be refused, so
    /// they wait for it, however long it takes.
    private var unaccepted: Set<Int64> {
        var requests: Set<Int64> = []
        var deliveries: Set<Int64> = []
        for step in inFlight + gathered {
            var keys: Set<RequestKey> = []
            for change in step.changes {
                switch change {
                case .pending(_, let after?) where step.call != nil:
                    requests.insert(after.sequence)
                case .pending(let before?, _) where requests.contains(before.sequence):
                    keys.insert(before.key)
                case .delivery(let before, let after?) where keys.contains(after.key):
                    deliveries.insert(after.number)
                    // It stays if its successor never comes to be.
                    if let before { deliveries.insert(before.number) }
                case .pending, .delivery, .missed, .clock: break
                }
            }
        }
        return deliveries
    }
}

extension Effect {
    /// Whether it refuses a call for what it asks.
    fileprivate var isRefusal: Bool {
        if case .reply(_, .refused) = self { true } else { false }
    }

    /// Whether it is for the notification server, and not about one of `unaccepted`: what may go
    /// before its record if the disk stalls.
    fileprivate func isUrgent(but unaccepted: Set<Int64>) -> Bool {
        switch self {
        case .present(let delivery, _): !unaccepted.contains(delivery.number)
        case .withdraw(let number): !unaccepted.contains(number)
        case .change, .reply, .publish: false
        }
    }
}
