// The naive rules for a world that changes: a row of the README's table each.

import CivilTime
import Scheduling

extension Model {
    /// Takes up the queue in another life of the daemon, perhaps of the machine.
    mutating func restart(boot: Int, local: Zone, zones: [String: Zone], at now: Moment) {
        if boot != self.boot {
            // The elapsed time of intervals goes on by the wall clock.
            for (key, entry) in pending {
                guard case .boot(let due) = entry.due else { continue }
                pending[key]?.due = .boot(due + offset - now.offset)
            }
        }
        self.boot = boot
        offset = now.offset
        self.local = local
        self.zones = zones
        computeAnew(at: now, alsoStale: true) { _ in true }
    }

    /// A clock that goes back brings occurrences before it again; those that fired do not fire
    /// again, one-shots stay as they are.
    mutating func noteClock(at now: Moment) {
        let wentBack = now.offset < offset
        offset = now.offset
        guard wentBack else { return }
        computeAnew(at: now, where: \.repeats)
    }

    mutating func noteZones(local: Zone, named: [String: Zone], at now: Moment) {
        let moved = local != self.local
        self.local = local
        zones.merge(named) { _, new in new }
        computeAnew(at: now) { calendar in
            calendar.zone.map { named[$0] != nil } ?? moved
        }
    }

    /// What has come due already is not computed anew: it is late, not moved. Stale is what came
    /// due while nobody was there, at an instant that the zone as it is now does not have.
    private mutating func computeAnew(
        at now: Moment, alsoStale: Bool = false, where concerns: (CalendarTrigger) -> Bool
    ) {
        for (key, entry) in pending {
            guard case .calendar(let calendar) = entry.request.trigger,
                case .wall(let due) = entry.due, concerns(calendar)
            else { continue }
            var after = now.wall.microseconds
            if due <= after {
                guard alsoStale, next(entry, calendar, after: due - 1) != due else { continue }
                after = due - 1
            }
            // The one occurrence of a one-shot is the first after it was added.
            if !calendar.repeats { after = max(after, entry.added.microseconds) }
            if let next = nextUnfired(entry, calendar, after: after) {
                pending[key]?.due = .wall(next)
                continue
            }
            pending[key] = nil
            miss(
                entry.app,
                Miss(
                    identifier: entry.request.identifier, title: entry.title, due: due, count: 1,
                    reason: .zoneChanged))
        }
    }
}
