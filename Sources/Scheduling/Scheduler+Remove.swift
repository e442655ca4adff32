// Removing what is pending or delivered: acknowledged, and counted by what was really there.

import CivilTime

extension Scheduler {
    mutating func removePending(
        _ selection: Selection, call: CallToken, at now: Moment, _ effects: inout [Effect]
    ) {
        let chosen = requests(of: selection)
        for pending in chosen {
            remove(pending, reason: .requested, at: now, &effects)
        }
        effects.append(.reply(call, .removed(chosen.map(\.key))))
    }

    mutating func removeDelivered(
        _ selection: Selection, call: CallToken, at now: Moment, _ effects: inout [Effect]
    ) {
        let chosen = deliveries(of: selection)
        for delivery in chosen {
            remove(delivery, reason: .requested, at: now, &effects)
            effects.append(.withdraw(delivery: delivery.number))
        }
        effects.append(.reply(call, .removed(chosen.map(\.key))))
    }

    mutating func remove(
        _ pending: PendingRequest, reason: RemovalReason, at now: Moment,
        _ effects: inout [Effect]
    ) {
        apply(.pending(before: pending, after: nil), &effects)
        publish(.removed(reason), pending.key, at: now, &effects)
    }

    mutating func remove(
        _ delivery: Delivery, reason: RemovalReason, at now: Moment, _ effects: inout [Effect]
    ) {
        apply(.delivery(before: delivery, after: nil), &effects)
        publish(
            .removedDelivered(delivery: delivery.number, reason), delivery.key, at: now, &effects)
    }

    func publish(
        _ kind: SchedulerEvent.Kind, _ key: RequestKey, at now: Moment, _ effects: inout [Effect]
    ) {
        effects.append(.publish(SchedulerEvent(kind: kind, key: key, at: now.wall)))
    }
}
