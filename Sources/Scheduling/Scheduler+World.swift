// When the world changes under the daemon: restarts, reboots, clocks that are set, zones that
// change. The rules are the table of the README, a function for each row.

import CivilTime

extension Scheduler {
    /// Takes up stored rows. Overdue occurrences stay as they are, they are misfires; but for those
    /// that the present zones do not have: nobody knows when those changed.
    mutating func restore(
        _ stored: StoredState, localIsKnown: Bool, at now: Moment
    ) -> [Effect] {
        var effects: [Effect] = []
        for missed in stored.missed { perform(.missed(before: nil, after: missed)) }
        for delivery in stored.deliveries { perform(.delivery(before: nil, after: delivery)) }
        // In order of adding, so that the wheel is filled the same way every time.
        for pending in inOrder(stored.pending) {
            perform(.pending(before: nil, after: pending))
        }
        if stored.clock != clock {
            if let old = stored.clock, old.bootID != clock.bootID {
                carryIntervals(from: old, &effects)
            }
            effects.append(.change(.clock(before: stored.clock, after: clock)))
        }
        let known = Set(zones.keys)
        recompute(at: now, includingStale: true, &effects) { trigger in
            trigger.zone.map { known.contains($0) } ?? localIsKnown
        }
        return effects
    }

    /// The store gives its rows in this order.
    private func inOrder(_ pending: [PendingRequest]) -> [PendingRequest] {
        let isInOrder = zip(pending, pending.dropFirst()).allSatisfy { $0.sequence < $1.sequence }
        return isInOrder ? pending : pending.sorted { $0.sequence < $1.sequence }
    }

    /// After a reboot the elapsed time of intervals goes on by the wall clock: their instants keep
    /// their wall time, by the offset last seen in the old boot.
    private mutating func carryIntervals(from old: ClockRecord, _ effects: inout [Effect]) {
        for pending in requests(of: Selection(app: nil, identifiers: nil)) {
            guard case .boot(let due) = pending.next else { continue }
            var carried = pending
            carried.next = .boot(
                BootInstant(microseconds: due.microseconds + old.offset - clock.offset))
            apply(.pending(before: pending, after: carried), &effects)
        }
    }

    /// The wall clock was set, or the machine slept. What lies in the past now is a misfire, which
    /// `expire` finds; what has fired does not fire again; intervals are not touched.
    mutating func noteClock(at now: Moment, _ effects: inout [Effect]) {
        guard now.offset != clock.offset else { return }
        let wentBack = now.offset < clock.offset
        let record = ClockRecord(bootID: clock.bootID, offset: now.offset)
        apply(.clock(before: clock, after: record), &effects)
        guard wentBack else { return }
        // An earlier occurrence may lie ahead again. One that comes due later than the old next can
        // only be the old next itself, which stays.
        recompute(at: now, &effects, where: \.repeats)
    }

    /// The machine's zone or zone files changed: calendar occurrences are computed anew, and one
    /// that is no longer due is dropped, not delivered late. What came due before the news did was
    /// due: the caller has fired it by the old rules.
    mutating func noteZones(
        local: Zone, named: [String: Zone], at now: Moment, _ effects: inout [Effect]
    ) {
        let localChanged = local != localZone
        localZone = local
        zones.merge(named) { _, new in new }
        recompute(at: now, &effects) { trigger in
            trigger.zone.map { named[$0] != nil } ?? localChanged
        }
    }

    /// Moves requests that a failed commit has put back from before `event`, which they missed.
    mutating func catchUp(
        _ restored: Set<Int64>, on event: Event, at now: Moment
    ) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .clockChanged:
            recompute(at: now, only: restored, &effects, where: \.repeats)
        case .zonesChanged(_, let named):
            recompute(at: now, only: restored, &effects) { trigger in
                trigger.zone.map { named[$0] != nil } ?? true
            }
        case .started, .submitted, .removalAsked, .dismissalAsked, .importAsked, .deadlineReached,
            .presented, .putOff, .dismissed:
            break
        }
        return effects
    }

    /// Computes the next occurrence afresh for the calendar requests that `isAffected` names. What
    /// is due already stays: it is a misfire, if it has not been handled in this very turn. With
    /// `includingStale` it stays only if it is an occurrence in the zone as it is now.
    private mutating func recompute(
        at now: Moment, only chosen: Set<Int64>? = nil, includingStale: Bool = false,
        _ effects: inout [Effect], where isAffected: (CalendarTrigger) -> Bool
    ) {
        // Most stay as they are; what moves does so in order of firing.
        var moves: [(pending: PendingRequest, due: WallInstant, next: WallInstant?)] = []
        for slot in apps.values.lazy.flatMap(\.pending.values) {
            let pending = slot.pending
            guard case .calendar(let trigger) = pending.request.trigger,
                case .wall(let due) = pending.next, due > now.wall || includingStale,
                isAffected(trigger), chosen?.contains(pending.sequence) ?? true
            else { continue }
            let context = OccurrenceContext(pending, now: now, zone: zone(of: trigger))
            // What came before the occurrence that is due has been seen to.
            var after = min(now.wall, WallInstant(microseconds: due.microseconds - 1))
            if due <= now.wall, trigger.next(after: after, context) == due { continue }
            // The one occurrence of a one-shot is the first after it was added, also when the clock
            // was set back behind that.
            if !trigger.repeats { after = max(after, pending.added) }
            let next = trigger.nextUnfired(after: after, fired: pending.fired, context)
            if next != due { moves.append((pending, due, next)) }
        }
        moves.sort { firesBefore($0.pending, $1.pending) }
        for (pending, due, next) in moves {
            guard let next else {
                end(pending, due: due, at: now, &effects)
                continue
            }
            var moved = pending
            moved.next = .wall(next)
            apply(.pending(before: pending, after: moved), &effects)
            publish(
                .rescheduled(next: next, title: moved.request.content.title), moved.key, at: now,
                &effects)
        }
    }

    /// A request whose remaining occurrence is no longer due in the new zone.
    private mutating func end(
        _ pending: PendingRequest, due: WallInstant, at now: Moment, _ effects: inout [Effect]
    ) {
        remove(pending, reason: .ended, at: now, &effects)
        miss(pending, due: due, count: 1, reason: .zoneChanged, at: now, &effects)
    }
}
