// What the listings read. Reading changes nothing and needs no turn.

package import CivilTime

extension Scheduler {
    /// The pending requests that `selection` means, in order of firing: of every app at most the 64
    /// that fire soonest.
    package func pending(of selection: Selection) -> [PendingRequest] {
        split(selection) { $0.prefix(Limits.pendingPerApp) }
    }

    /// The requests that wait behind an app's 64, in order of firing. Nothing moves them: when one
    /// of the 64 fires, the next is among the soonest.
    package func backlog(of selection: Selection) -> [PendingRequest] {
        split(selection) { $0.dropFirst(Limits.pendingPerApp) }
    }

    /// All requests that `selection` means, backlogged or not, in order of firing.
    package func requests(of selection: Selection) -> [PendingRequest] {
        chosen(selection) { app, identifier in
            if let identifier { return app.pending[identifier].map { [$0.pending] } ?? [] }
            return app.pending.values.map(\.pending)
        }
        .sorted { firesBefore($0, $1) }
    }

    private func split(
        _ selection: Selection, _ part: (ArraySlice<PendingRequest>) -> ArraySlice<PendingRequest>
    ) -> [PendingRequest] {
        let names = selection.app.map { [$0] } ?? Array(apps.keys)
        let wanted = selection.identifiers.map { Set($0) }
        var found: [PendingRequest] = []
        for name in names {
            let all = requests(of: Selection(app: name, identifiers: nil))
            found += part(all[...]).filter { wanted?.contains($0.request.identifier) ?? true }
        }
        return found.sorted { firesBefore($0, $1) }
    }

    /// The deliveries that `selection` means, oldest first.
    package func deliveries(of selection: Selection) -> [Delivery] {
        chosen(selection) { app, identifier in
            if let identifier { return app.delivered[identifier].map { [$0.delivery] } ?? [] }
            return app.delivered.values.map(\.delivery)
        }
        .sorted { $0.number < $1.number }
    }

    /// The missed ones on record, oldest first.
    package func missed(of selection: Selection) -> [Missed] {
        chosen(selection) { app, identifier in
            app.missed.filter { identifier == nil || $0.identifier == identifier }
        }
        .sorted { $0.number < $1.number }
    }

    private func chosen<Row>(
        _ selection: Selection, _ rows: (App, String?) -> [Row]
    ) -> [Row] {
        let names = selection.app.map { [$0] } ?? Array(apps.keys)
        var result: [Row] = []
        for name in names {
            guard let app = apps[name] else { continue }
            guard let identifiers = selection.identifiers else {
                result += rows(app, nil)
                continue
            }
            for identifier in Set(identifiers) { result += rows(app, identifier) }
        }
        return result
    }

    /// How much there is of everything.
    package struct Counts: Sendable, Equatable {
        package var apps = 0
        package var pending = 0
        package var backlog = 0
        package var delivered = 0
        /// Deliveries that no notification server has taken yet.
        package var waiting = 0
        package var missed = 0
    }

    package var counts: Counts {
        var counts = Counts()
        for app in apps.values {
            if !app.pending.isEmpty { counts.apps += 1 }
            counts.pending += min(app.pending.count, Limits.pendingPerApp)
            counts.backlog += max(app.pending.count - Limits.pendingPerApp, 0)
            counts.delivered += app.delivered.count
            counts.missed += app.missed.count
            counts.waiting += app.delivered.values.count { $0.delivery.presented == nil }
        }
        return counts
    }

    /// When the soonest request fires, on the wall clock as it is set now.
    package var nextFiring: WallInstant? {
        apps.values.lazy.flatMap(\.pending.values).map { wallTime(of: $0.pending.next) }.min()
    }

    /// When an occurrence is, on the wall clock as it is set now.
    package func instant(of pending: PendingRequest) -> WallInstant {
        wallTime(of: pending.next)
    }

    /// What the wall clock is ahead of the boot-time clock, as far as the scheduler has been told.
    package var clockOffset: Int64 { clock.offset }

    /// The zone that a trigger without one of its own is computed in.
    package var machineZone: Zone { localZone }

    /// The occurrences that `trigger` would have, added at `now`: at most `count`, strictly later
    /// than `after`. A one-shot has at most one.
    package static func preview(
        _ trigger: Trigger, zone: Zone, count: Int, after: WallInstant, at now: Moment
    ) -> [WallInstant] {
        // The trigger is looked at as if it were added at `after`.
        let start = Moment(
            wall: after, boot: BootInstant(microseconds: after.microseconds - now.offset))
        let context = OccurrenceContext(now: start, zone: zone, added: after)
        let wanted = trigger.repeats ? min(count, trigger.bounds.maxCount ?? count) : min(count, 1)
        var found: [WallInstant] = []
        var next = trigger.firstOccurrence(context)
        while let occurrence = next, found.count < wanted {
            switch (occurrence, trigger) {
            case (.wall(let instant), .calendar(let calendar)):
                found.append(instant)
                next = calendar.next(after: instant, context).map(Occurrence.wall)
            case (.boot(let instant), .interval(let interval)):
                let wall = WallInstant(microseconds: instant.microseconds + now.offset)
                found.append(wall)
                next =
                    interval.elapsed(
                        since: instant, at: Moment(wall: wall, boot: instant), left: .max
                    ).following
            case (.wall(let instant), _):
                found.append(instant)
                next = nil
            case (.boot, _):
                preconditionFailure("only intervals are bound to the boot-time clock")
            }
        }
        return found
    }
}
