// How a change becomes state. The wheel follows: whoever puts a request or a waiting delivery here
// never thinks of timers.

import CivilTime
import TimingWheel

/// What a timer of the wheel stands for, packed into its payload: two bits of kind, 62 of number.
enum TimerPayload: Equatable {
    case request(sequence: Int64)
    case latenessLimit(delivery: Int64)
    case pacing

    init(bits: UInt64) {
        let number = Int64(bits >> 2)
        switch bits & 3 {
        case 0: self = .request(sequence: number)
        case 1: self = .latenessLimit(delivery: number)
        default: self = .pacing
        }
    }

    var bits: UInt64 {
        switch self {
        case .request(let sequence): UInt64(sequence) << 2
        case .latenessLimit(let delivery): UInt64(delivery) << 2 | 1
        case .pacing: 2
        }
    }
}

extension Scheduler {
    mutating func perform(_ change: Change) {
        switch change {
        case .pending(let before, let after):
            if let before { dropSlot(of: before) }
            if let after { fileSlot(for: after) }
        case .delivery(let before, let after):
            if let before { dropDelivery(before) }
            if let after { fileDelivery(after) }
        case .missed(let before, let after):
            if let before { apps[before.app]?.missed.removeAll { $0.number == before.number } }
            if let after { apps[after.app, default: App()].missed.append(after) }
            // Only a change taken back can put an older one in again.
            if let app = (after ?? before)?.app {
                apps[app]?.missed.sort { $0.number < $1.number }
                dropIfEmpty(app)
            }
        case .clock(_, let after):
            guard let after else { break }
            let moved = after.offset != clock.offset
            clock = after
            if moved { refileWallTimers() }
        }
    }

    private mutating func dropSlot(of pending: PendingRequest) {
        guard let slot = apps[pending.app]?.pending.removeValue(forKey: pending.request.identifier)
        else { return }
        _ = wheel.cancel(slot.timer)
        keptBySequence[slot.pending.sequence] = nil
        dropIfEmpty(pending.app)
    }

    private mutating func fileSlot(for pending: PendingRequest) {
        let payload = TimerPayload.request(sequence: pending.sequence)
        let timer = wheel.add(deadline: bootTime(of: pending.next), payload: payload.bits)
        let kept = Kept(pending)
        keptBySequence[pending.sequence] = kept
        apps[pending.app, default: App()].pending[pending.request.identifier] = Slot(
            kept: kept, timer: timer)
    }

    private mutating func dropDelivery(_ delivery: Delivery) {
        guard let shown = apps[delivery.app]?.delivered[delivery.identifier],
            shown.delivery.number == delivery.number
        else { return }
        if shown.delivery.presented == nil { apps[delivery.app]?.waitingCount -= 1 }
        apps[delivery.app]?.delivered[delivery.identifier] = nil
        if let timer = shown.timer { _ = wheel.cancel(timer) }
        keysByDelivery[delivery.number] = nil
        dropIfEmpty(delivery.app)
    }

    private mutating func fileDelivery(_ delivery: Delivery) {
        var timer: Wheel.TimerID?
        if delivery.presented == nil, let last = delivery.lastInstant {
            // Exactly at the limit is still in time: the timer is a microsecond later.
            let end = WallInstant(microseconds: last.microseconds + 1)
            timer = wheel.add(
                deadline: bootTime(of: .wall(end)),
                payload: TimerPayload.latenessLimit(delivery: delivery.number).bits)
        }
        if delivery.presented == nil {
            apps[delivery.app, default: App()].waitingCount += 1
            pacing.requeue(delivery)
            armPacing()
        }
        keysByDelivery[delivery.number] = delivery.key
        apps[delivery.app, default: App()].delivered[delivery.identifier] = Record(
            delivery: delivery, timer: timer)
    }

    private mutating func dropIfEmpty(_ name: String) {
        guard let app = apps[name] else { return }
        if app.pending.isEmpty, app.delivered.isEmpty, app.missed.isEmpty { apps[name] = nil }
    }

    /// Files every wall-bound timer anew after the clock's offset moved.
    private mutating func refileWallTimers() {
        for (name, app) in apps {
            for (identifier, slot) in app.pending {
                guard case .wall = slot.pending.next else { continue }
                _ = wheel.cancel(slot.timer)
                let timer = wheel.add(
                    deadline: bootTime(of: slot.pending.next),
                    payload: TimerPayload.request(sequence: slot.pending.sequence).bits)
                apps[name]?.pending[identifier]?.timer = timer
            }
            for shown in app.delivered.values where shown.timer != nil {
                dropDelivery(shown.delivery)
                fileDelivery(shown.delivery)
            }
        }
    }

    /// Where an occurrence stands on the boot-time clock, in microseconds, by the present offset.
    func bootTime(of occurrence: Occurrence) -> Int64 {
        switch occurrence {
        case .boot(let instant): instant.microseconds
        case .wall(let instant): instant.microseconds - clock.offset
        }
    }

    /// Where an occurrence stands on the wall clock, by the present offset.
    func wallTime(of occurrence: Occurrence) -> WallInstant {
        switch occurrence {
        case .wall(let instant): instant
        case .boot(let instant): WallInstant(microseconds: instant.microseconds + clock.offset)
        }
    }

    /// The zone that a calendar trigger is computed in. A named zone whose file has gone since the
    /// request was accepted is computed as UTC; the daemon says so in the journal.
    func zone(of trigger: CalendarTrigger) -> Zone {
        guard let name = trigger.zone else { return localZone }
        return zones[name] ?? .utc
    }
}
