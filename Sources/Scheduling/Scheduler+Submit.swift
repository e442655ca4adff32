// Adding a batch: everything is computed and checked first, then changed, so that a refusal leaves
// no trace.

import CivilTime

extension Scheduler {
    /// A request of a batch that has found its first occurrence.
    private struct Candidate {
        var pending: PendingRequest
        var replaced: PendingRequest?
    }

    /// A request of a batch that fires at once.
    private struct Numbered {
        var request: Request
        var sequence: Int64
    }

    mutating func submit(
        _ batch: Batch, call: CallToken, at now: Moment, _ effects: inout [Effect]
    ) {
        // A zone at hand is newer than that of a batch which a failed commit made wait.
        zones.merge(batch.zones) { old, _ in old }
        do {
            let (candidates, immediate) = try candidates(of: batch, at: now)
            let evicted = try makeRoom(for: candidates, in: batch)
            accept(
                batch, candidates: candidates, immediate: immediate, evicted: evicted, call: call,
                at: now, &effects)
        } catch {
            effects.append(.reply(call, .refused(error)))
        }
    }

    /// Checks what only the clock and the queue can tell, and numbers what is to be added.
    private mutating func candidates(
        of batch: Batch, at now: Moment
    ) throws(RequestError) -> (waiting: [Candidate], immediate: [Numbered]) {
        var seen: Set<String> = []
        var waiting: [Candidate] = []
        var immediate: [Numbered] = []
        for (index, request) in batch.requests.enumerated() {
            let place = batch.places?[index]
            let field = place.map { "requests[\($0)].request" } ?? "requests[\(index)]"
            guard seen.insert(request.identifier).inserted else {
                throw .invalid(
                    field: field + ".identifier", reason: "is in this batch more than once")
            }
            let sequence = lastSequence + Int64(place ?? index) + 1
            if request.trigger == .now {
                immediate.append(Numbered(request: request, sequence: sequence))
                continue
            }
            let next = try first(of: request.trigger, field: field + ".trigger", at: now)
            let pending = PendingRequest(
                app: batch.app, request: request, sequence: sequence, added: now.wall,
                strideDay: strideDay(of: request.trigger, at: now), next: next)
            let replaced = apps[batch.app]?.pending[request.identifier]?.pending
            waiting.append(Candidate(pending: pending, replaced: replaced))
        }
        return (waiting, immediate)
    }

    private func strideDay(of trigger: Trigger, at now: Moment) -> Int? {
        guard case .calendar(let calendar) = trigger else { return nil }
        return calendar.strideDay(
            OccurrenceContext(now: now, zone: zone(of: calendar), added: now.wall))
    }

    /// The first occurrence of a trigger added now, or why it has none.
    private func first(
        of trigger: Trigger, field: String, at now: Moment
    ) throws(RequestError) -> Occurrence {
        var zone = localZone
        if case .calendar(let calendar) = trigger { zone = self.zone(of: calendar) }
        let context = OccurrenceContext(now: now, zone: zone, added: now.wall)
        if let next = trigger.firstOccurrence(context) { return next }
        switch trigger {
        case .now:
            preconditionFailure("a request without trigger does not wait")
        case .date(let instant):
            throw .inPast(field: field + ".date.atUsec", at: instant, now: now.wall)
        case .interval:
            throw .neverFires(
                field: field + ".endsAtUsec", reason: "the first occurrence is later than that")
        case .calendar(let calendar):
            let bounded = calendar.bounds.endsAt != nil
            throw .neverFires(
                field: field + ".calendar",
                reason: bounded
                    ? "it matches no civil time after now up to the end of its bounds"
                    : "it matches no civil time after now")
        }
    }

    /// What must leave for the candidates to fit, by the batch's policy; may name candidates too.
    private func makeRoom(
        for candidates: [Candidate], in batch: Batch
    ) throws(RequestError) -> Set<Int64> {
        let app = apps[batch.app]?.pending ?? [:]
        let leaving = Set(batch.requests.map(\.identifier))
        let keptCount = app.count - leaving.count { app[$0] != nil }
        // With a backlog nothing new fits, replacements do, and who evicts keeps it at its length.
        let capacity =
            switch batch.whenFull {
            case .queue: Limits.pendingPerApp + Limits.backlogPerApp
            case .fail, .keepSoonest, .keepLatestAdded: max(Limits.pendingPerApp, app.count)
            }
        let excess = keptCount + candidates.count - capacity
        guard excess > 0 else { return [] }
        var kept = app.values.map(\.pending).filter { !leaving.contains($0.request.identifier) }
        switch batch.whenFull {
        case .fail, .queue:
            // Replacements need no room, so the last new ones are those that found none.
            let new = candidates.filter { $0.replaced == nil }.suffix(excess)
            throw .queueFull(
                app: batch.app,
                limit: batch.whenFull == .queue ? capacity : Limits.pendingPerApp,
                pending: app.count,
                identifiers: new.map(\.pending.request.identifier))
        case .keepSoonest:
            kept += candidates.map(\.pending)
            kept.sort { firesBefore($0, $1) }
            return Set(kept.suffix(excess).map(\.sequence))
        case .keepLatestAdded:
            kept += candidates.map(\.pending)
            kept.sort { $0.sequence < $1.sequence }
            return Set(kept.prefix(excess).map(\.sequence))
        }
    }

    /// The order of firing: by instant, then by adding.
    func firesBefore(_ left: PendingRequest, _ right: PendingRequest) -> Bool {
        let (first, second) = (bootTime(of: left.next), bootTime(of: right.next))
        return first == second ? left.sequence < right.sequence : first < second
    }

    private mutating func accept(
        _ batch: Batch, candidates: [Candidate], immediate: [Numbered], evicted: Set<Int64>,
        call: CallToken, at now: Moment, _ effects: inout [Effect]
    ) {
        lastSequence = max(
            candidates.last?.pending.sequence ?? lastSequence,
            immediate.last?.sequence ?? lastSequence)
        var evictions: [Evicted] = []
        let queue =
            evicted.isEmpty ? [] : requests(of: Selection(app: batch.app, identifiers: nil))
        for pending in queue where evicted.contains(pending.sequence) {
            evictions.append(evictedNote(pending))
            remove(pending, reason: .evicted, at: now, &effects)
        }
        var answers: [String: Added] = [:]
        for candidate in candidates {
            let pending = candidate.pending
            if evicted.contains(pending.sequence) {
                evictions.append(evictedNote(pending))
                if let replaced = candidate.replaced {
                    remove(replaced, reason: .evicted, at: now, &effects)
                } else {
                    // It came and left at once.
                    publish(.removed(.evicted), pending.key, at: now, &effects)
                }
                continue
            }
            if let replaced = candidate.replaced {
                publish(.removed(.replaced), replaced.key, at: now, &effects)
            }
            apply(.pending(before: candidate.replaced, after: pending), &effects)
            let next = wallTime(of: pending.next)
            publish(
                .added(next: next, title: pending.request.content.title), pending.key, at: now,
                &effects)
            answers[pending.request.identifier] = Added(
                identifier: pending.request.identifier, next: next,
                replaced: candidate.replaced != nil, isBacklogged: false)
        }
        for numbered in immediate {
            let (request, sequence) = (numbered.request, numbered.sequence)
            let key = RequestKey(app: batch.app, identifier: request.identifier)
            let replaced = apps[batch.app]?.pending[request.identifier]?.pending
            if let replaced { remove(replaced, reason: .replaced, at: now, &effects) }
            let firing = Firing(
                request: request, key: key, sequence: sequence, due: now.wall, missedCount: 0)
            deliver(firing, next: nil, at: now, &effects)
            answers[request.identifier] = Added(
                identifier: request.identifier, next: now.wall, replaced: replaced != nil,
                isBacklogged: false)
        }
        if (apps[batch.app]?.pending.count ?? 0) > Limits.pendingPerApp {
            let own = Selection(app: batch.app, identifiers: Array(answers.keys))
            for pending in backlog(of: own) {
                answers[pending.request.identifier]?.isBacklogged = true
            }
        }
        let added = batch.requests.compactMap { answers[$0.identifier] }
        effects.append(.reply(call, .added(added, evicted: evictions)))
    }

    private func evictedNote(_ pending: PendingRequest) -> Evicted {
        Evicted(identifier: pending.request.identifier, next: wallTime(of: pending.next))
    }
}
