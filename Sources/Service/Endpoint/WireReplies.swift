// From the scheduler to the wire: listings, events and errors as clients read them.

import CivilTime
import Scheduling
import SchedulerInterface
import Varlink

extension Wire.Trigger {
    init(_ trigger: Trigger) {
        self.init(repeats: trigger.repeats ? true : nil)
        startsAtUsec = trigger.bounds.startsAt?.microseconds
        endsAtUsec = trigger.bounds.endsAt?.microseconds
        maxCount = trigger.bounds.maxCount.map(Int64.init)
        switch trigger {
        case .now: break
        case .date(let instant):
            date = Wire.DateTrigger(atUsec: instant.microseconds)
        case .interval(let interval):
            self.interval = Wire.IntervalTrigger(seconds: Double(interval.period) / 1_000_000)
        case .calendar(let calendar):
            self.calendar = Wire.CalendarTrigger(calendar)
        }
    }
}

extension Wire.CalendarTrigger {
    init(_ trigger: CalendarTrigger) {
        let pattern = trigger.pattern
        func set(_ field: CalendarPattern.Field) -> [Int64]? {
            pattern.values(of: field)?.map(Int64.init)
        }
        self.init(
            year: set(.year), quarter: set(.quarter), month: set(.month), day: set(.day),
            dayOfYear: set(.dayOfYear), weekday: set(.weekday),
            weekdayOrdinal: set(.weekdayOrdinal), weekOfMonth: set(.weekOfMonth),
            weekOfYear: set(.weekOfYear), yearForWeekOfYear: set(.yearForWeekOfYear),
            hour: set(.hour), minute: set(.minute), second: set(.second),
            timeZone: trigger.zone)
        if pattern.firstWeekday != CalendarPattern.defaultFirstWeekday {
            firstWeekday = Int64(pattern.firstWeekday)
        }
        if pattern.minimumDaysInFirstWeek != CalendarPattern.defaultMinimumDaysInFirstWeek {
            minimumDaysInFirstWeek = Int64(pattern.minimumDaysInFirstWeek)
        }
        if pattern.missingDay == .lastDay { missingDay = .lastDay }
        every = trigger.stride.map { stride in
            let unit: Wire.StrideUnit =
                switch stride.unit {
                case .day: .day
                case .week: .week
                case .month: .month
                case .year: .year
                }
            return Wire.Stride(count: Int64(stride.count), unit: unit)
        }
    }
}

extension Wire.PendingRequest {
    init(_ pending: PendingRequest, next: WallInstant) {
        let request = pending.request
        self.init(
            app: pending.app, identifier: request.identifier, content: .init(request.content),
            trigger: .init(request.trigger),
            ifMissed: request.ifMissed == .skip ? .skip : .deliver,
            latenessLimit: request.latenessLimit.map { Double($0) / 1_000_000 },
            addedUsec: pending.added.microseconds, nextUsec: next.microseconds,
            occurrenceCount: Int64(pending.occurrenceCount))
    }
}

extension Wire.DeliveredNotification {
    init(_ delivery: Delivery) {
        self.init(
            app: delivery.app, identifier: delivery.identifier, delivery: delivery.number,
            content: .init(delivery.content), dueUsec: delivery.due.microseconds,
            firedUsec: delivery.fired.microseconds,
            presentedUsec: delivery.presented?.microseconds, late: delivery.late,
            missedCount: Int64(delivery.missedCount))
    }
}

extension Wire.MissedReason {
    init(_ reason: MissedReason) {
        switch reason {
        case .skipped: self = .skipped
        case .latenessLimit: self = .latenessLimit
        case .zoneChanged: self = .zoneChanged
        case .evicted: self = .evicted
        }
    }
}

extension Wire.MissedNotification {
    init(_ missed: Missed) {
        self.init(
            app: missed.app, identifier: missed.identifier,
            title: missed.title.isEmpty ? nil : missed.title, dueUsec: missed.due.microseconds,
            recordedUsec: missed.recorded.microseconds, count: Int64(missed.count),
            reason: .init(missed.reason))
    }
}

extension Wire.RemovalReason {
    init(_ reason: RemovalReason) {
        switch reason {
        case .requested: self = .requested
        case .replaced: self = .replaced
        case .evicted: self = .evicted
        case .ended: self = .ended
        case .dismissed: self = .dismissed
        case .missed: self = .missed
        }
    }
}

extension Wire.Event {
    init(_ event: SchedulerEvent) {
        self.init(
            kind: .added, app: event.key.app, identifier: event.key.identifier,
            atUsec: event.at.microseconds, nextUsec: nil, dueUsec: nil, delivery: nil, late: nil,
            missedCount: nil, title: nil, removal: nil, missed: nil)
        switch event.kind {
        case .added(let next, let title):
            nextUsec = next.microseconds
            self.title = title.isEmpty ? nil : title
        case .rescheduled(let next, let title):
            kind = .rescheduled
            nextUsec = next.microseconds
            self.title = title.isEmpty ? nil : title
        case .removed(let reason):
            kind = .removed
            removal = .init(reason)
        case .fired(let delivery, let next):
            kind = .fired
            describe(delivery)
            nextUsec = next?.microseconds
            late = delivery.late
            missedCount = Int64(delivery.missedCount)
            title = delivery.content.title.isEmpty ? nil : delivery.content.title
        case .presented(let delivery):
            kind = .presented
            describe(delivery)
        case .removedDelivered(let number, let reason):
            kind = .removedDelivered
            delivery = number
            removal = .init(reason)
        case .missed(let missed):
            kind = .missed
            dueUsec = missed.due.microseconds
            missedCount = Int64(missed.count)
            self.missed = .init(missed.reason)
        }
    }

    private mutating func describe(_ delivery: Delivery) {
        self.delivery = delivery.number
        dueUsec = delivery.due.microseconds
    }
}
