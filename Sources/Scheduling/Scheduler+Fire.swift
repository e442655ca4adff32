// From due to fired: what has passed of each request collapses into one delivery, or is recorded as
// missed. A firing is recorded before it is presented, always.

import CivilTime
import TimingWheel

extension Scheduler {
    /// A firing about to be recorded.
    struct Firing {
        var request: Request
        var key: RequestKey
        var sequence: Int64
        var due: WallInstant
        /// Occurrences missed that the delivery stands for; more than 0 makes no delivery late.
        var missedCount: Int
        var late = false
    }

    /// Handles every timer that is due at `now`, equal instants in the order of adding.
    mutating func expire(at now: Moment, _ effects: inout [Effect]) {
        var due: [TimerPayload] = []
        wheel.advance(to: now.boot.microseconds) { due.append(TimerPayload(bits: $0)) }
        var requests: [PendingRequest] = []
        for payload in due {
            switch payload {
            case .request(let sequence):
                // The timer is gone from the wheel; `perform` finds a stale id and does no harm.
                if let kept = keptBySequence[sequence] { requests.append(kept.pending) }
            case .latenessLimit(let number):
                giveUp(delivery: number, at: now, &effects)
            case .pacing:
                pacing.noteTimer()
                releasePaced(at: now, &effects)
            }
        }
        let passed = requests.compactMap { pending in
            elapsed(of: pending, at: now).map { (pending: pending, elapsed: $0) }
        }
        // By the due time that each delivery will carry, which is that of the latest occurrence.
        let inOrder = passed.sorted { left, right in
            let (first, second) = (
                bootTime(of: left.elapsed.latest), bootTime(of: right.elapsed.latest)
            )
            return first == second
                ? left.pending.sequence < right.pending.sequence : first < second
        }
        for (pending, elapsed) in inOrder { fire(pending, elapsed, at: now, &effects) }
    }

    func slot(at key: RequestKey) -> Slot? {
        apps[key.app]?.pending[key.identifier]
    }

    private mutating func fire(
        _ pending: PendingRequest, _ elapsed: Elapsed, at now: Moment, _ effects: inout [Effect]
    ) {
        let next = advance(pending, by: elapsed, at: now, &effects)
        deliverLatest(pending, elapsed, next: next, at: now, &effects)
    }

    /// What has passed of a request whose timer went off.
    ///
    /// nil if nothing has: the wall clock was set back and the news has not come yet. It is filed
    /// anew for its true instant then.
    private mutating func elapsed(of pending: PendingRequest, at now: Moment) -> Elapsed? {
        let left = (pending.request.trigger.bounds.maxCount ?? .max) - pending.occurrenceCount
        switch (pending.request.trigger, pending.next) {
        case (_, .wall(let due)) where due > now.wall:
            perform(.pending(before: pending, after: pending))
            return nil
        case (.calendar(let calendar), .wall(let due)):
            let context = OccurrenceContext(pending, now: now, zone: zone(of: calendar))
            return calendar.elapsed(since: due, left: left, fired: pending.fired, context)
        case (.interval(let interval), .boot(let due)):
            precondition(due <= now.boot, "the wheel fires nothing early")
            return interval.elapsed(since: due, at: now, left: left)
        case (.date, let due):
            return Elapsed(latest: due, count: 1)
        case (.now, _), (.calendar, .boot), (.interval, .wall):
            preconditionFailure(
                "\(pending.next) is not an occurrence of \(pending.request.trigger)")
        }
    }

    /// How late an occurrence is, on the clock that it is bound to.
    private func lateness(of occurrence: Occurrence, at now: Moment) -> Int64 {
        switch occurrence {
        case .wall(let due): now.wall.microseconds - due.microseconds
        case .boot(let due): now.boot.microseconds - due.microseconds
        }
    }

    /// Moves the request on to its next occurrence, or out of the queue, which frees its slot.
    private mutating func advance(
        _ pending: PendingRequest, by elapsed: Elapsed, at now: Moment, _ effects: inout [Effect]
    ) -> WallInstant? {
        guard let following = elapsed.following else {
            apply(.pending(before: pending, after: nil), &effects)
            return nil
        }
        var moved = pending
        moved.next = following
        moved.occurrenceCount += elapsed.count
        if case .wall(let fired) = elapsed.latest,
            case .calendar(let calendar) = pending.request.trigger
        {
            moved.fired.insert(
                fired, directlyAfter: predecessor(of: fired, in: pending, calendar, at: now))
        }
        apply(.pending(before: pending, after: moved), &effects)
        return wallTime(of: following)
    }

    /// The occurrence that fired last, if `instant` is the very next one after it.
    private func predecessor(
        of instant: WallInstant, in pending: PendingRequest, _ calendar: CalendarTrigger,
        at now: Moment
    ) -> WallInstant? {
        guard let last = pending.fired.ranges.last?.upperBound, last < instant else { return nil }
        let context = OccurrenceContext(pending, now: now, zone: zone(of: calendar))
        return calendar.next(after: last, context) == instant ? last : nil
    }

    /// Delivers the latest of the occurrences that passed, or records why not.
    private mutating func deliverLatest(
        _ pending: PendingRequest, _ elapsed: Elapsed, next: WallInstant?, at now: Moment,
        _ effects: inout [Effect]
    ) {
        let (request, count) = (pending.request, elapsed.count)
        // One less than too many to count are too many as well.
        let before = elapsed.isCountCut ? count : count - 1
        let due = wallTime(of: elapsed.latest)
        let lateness = lateness(of: elapsed.latest, at: now)
        let isLate = lateness > Limits.promptMicroseconds
        if isLate, let limit = request.latenessLimit, lateness > limit {
            miss(pending, due: due, count: count, reason: .latenessLimit, at: now, &effects)
            return
        }
        switch (request.ifMissed, isLate) {
        case (.skip, true):
            miss(pending, due: due, count: count, reason: .skipped, at: now, &effects)
        case (.skip, false):
            if let last = elapsed.oneBefore {
                miss(
                    pending, due: wallTime(of: last), count: before, reason: .skipped, at: now,
                    &effects)
            }
            deliver(
                Firing(
                    request: request, key: pending.key, sequence: pending.sequence, due: due,
                    missedCount: 0),
                next: next, at: now, &effects)
        case (.deliver, _):
            let missed = isLate ? count : before
            deliver(
                Firing(
                    request: request, key: pending.key, sequence: pending.sequence, due: due,
                    missedCount: missed, late: isLate),
                next: next, at: now, &effects)
        }
    }

    /// Records a delivery and has it presented; an older one of its identifier gives way to it.
    mutating func deliver(
        _ firing: Firing, next: WallInstant?, at now: Moment, _ effects: inout [Effect]
    ) {
        lastDelivery += 1
        let delivery = Delivery(
            number: lastDelivery, app: firing.key.app, identifier: firing.key.identifier,
            sequence: firing.sequence, content: firing.request.content, due: firing.due,
            fired: now.wall, presented: nil, late: firing.late, missedCount: firing.missedCount,
            latenessLimit: firing.request.latenessLimit)
        let older = apps[firing.key.app]?.delivered[firing.key.identifier]?.delivery
        apply(.delivery(before: older, after: delivery), &effects)
        if let older {
            publish(
                .removedDelivered(delivery: older.number, .replaced), older.key, at: now, &effects)
        }
        publish(.fired(delivery, next: next), delivery.key, at: now, &effects)
        trimDelivered(of: delivery.app, at: now, &effects)
        present(delivery, replacing: older?.number, at: now, &effects)
    }

    /// Keeps the delivered list within its limits, after one more was shown or waits: the oldest of
    /// its kind leaves, and an event says so. One that nobody has seen was missed.
    mutating func trimDelivered(
        of name: String, at now: Moment, _ effects: inout [Effect]
    ) {
        guard let app = apps[name] else { return }
        func oldest(where isChosen: (Delivery) -> Bool) -> Delivery? {
            app.delivered.values.lazy.map(\.delivery).filter(isChosen)
                .min { $0.number < $1.number }
        }
        if app.delivered.count - app.waitingCount > Limits.deliveredPerApp,
            let seen = oldest(where: { $0.presented != nil })
        {
            remove(seen, reason: .evicted, at: now, &effects)
            effects.append(.withdraw(delivery: seen.number))
        }
        if app.waitingCount > Limits.waitingPerApp,
            let unseen = oldest(where: { $0.presented == nil })
        {
            abandon(unseen, reason: .evicted, at: now, &effects)
        }
    }

    /// Records occurrences that are not shown; the oldest of the app's record leave at its limit.
    mutating func miss(
        _ pending: PendingRequest, due: WallInstant, count: Int, reason: MissedReason,
        at now: Moment, _ effects: inout [Effect]
    ) {
        record(
            Missed(
                number: lastMissed + 1, app: pending.app, identifier: pending.request.identifier,
                title: pending.request.content.title, due: due, recorded: now.wall, count: count,
                reason: reason), at: now, &effects)
    }

    private mutating func record(_ missed: Missed, at now: Moment, _ effects: inout [Effect]) {
        lastMissed = missed.number
        if let app = apps[missed.app], app.missed.count >= Limits.missedPerApp,
            let oldest = app.missed.first
        {
            apply(.missed(before: oldest, after: nil), &effects)
        }
        apply(.missed(before: nil, after: missed), &effects)
        let key = RequestKey(app: missed.app, identifier: missed.identifier)
        publish(.missed(missed), key, at: now, &effects)
    }

    /// A delivery waited for a notification server beyond its lateness limit.
    private mutating func giveUp(delivery number: Int64, at now: Moment, _ effects: inout [Effect])
    {
        guard let key = keysByDelivery[number],
            let delivery = apps[key.app]?.delivered[key.identifier]?.delivery,
            delivery.presented == nil, let last = delivery.lastInstant
        else { return }
        guard now.wall > last else {
            // The wall clock was set back: file the timer anew.
            perform(.delivery(before: delivery, after: delivery))
            return
        }
        abandon(delivery, reason: .latenessLimit, at: now, &effects)
    }

    /// A delivery that no server has taken is not to be shown any more.
    private mutating func abandon(
        _ delivery: Delivery, reason: MissedReason, at now: Moment, _ effects: inout [Effect]
    ) {
        remove(delivery, reason: .missed, at: now, &effects)
        effects.append(.withdraw(delivery: delivery.number))
        record(
            Missed(
                number: lastMissed + 1, app: delivery.app, identifier: delivery.identifier,
                title: delivery.content.title, due: delivery.due, recorded: now.wall,
                count: max(delivery.missedCount, 1), reason: reason), at: now, &effects)
    }
}
