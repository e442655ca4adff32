// The trigger of a request, checked: exactly one kind, bounds only where they mean something, every
// number in its range.

import CivilTime
package import Scheduling
package import SchedulerInterface

/// Turns a wire trigger into a scheduler's; `field` is where it stands in the call.
package struct TriggerIntake {
    package var field: String

    package init(field: String) {
        self.field = field
    }

    package func trigger(_ wire: Wire.Trigger) throws(RequestError) -> Trigger {
        do throws(RequestError) {
            return try checked(wire)
        } catch {
            throw error.inside(field)
        }
    }

    private func checked(_ wire: Wire.Trigger) throws(RequestError) -> Trigger {
        let kinds = [wire.date != nil, wire.interval != nil, wire.calendar != nil].count { $0 }
        guard kinds == 1 else {
            throw .invalid(field: "", reason: "takes exactly one of date, interval and calendar")
        }
        let repeats = wire.repeats ?? false
        let bounds = try bounds(wire, repeats: repeats)
        if let date = wire.date {
            guard !repeats else {
                throw .invalid(
                    field: "repeats", reason: "a date trigger fires once; leave it out")
            }
            return .date(try instant(date.atUsec, field: "date.atUsec"))
        }
        if let interval = wire.interval {
            return .interval(
                IntervalTrigger(
                    period: try period(interval.seconds, repeats: repeats), repeats: repeats,
                    bounds: bounds))
        }
        guard let calendar = wire.calendar else {
            preconditionFailure("one of three kinds is given and it is neither of two")
        }
        return .calendar(try self.calendar(calendar, repeats: repeats, bounds: bounds))
    }

    private func bounds(
        _ wire: Wire.Trigger, repeats: Bool
    ) throws(RequestError) -> Bounds {
        if !repeats, let first = firstBound(wire) {
            throw .invalid(field: first, reason: "is for triggers with repeats: true")
        }
        var bounds = Bounds()
        if let start = wire.startsAtUsec {
            bounds.startsAt = try instant(start, field: "startsAtUsec")
        }
        if let end = wire.endsAtUsec {
            bounds.endsAt = try instant(end, field: "endsAtUsec")
        }
        if let start = bounds.startsAt, let end = bounds.endsAt, end < start {
            throw .invalid(field: "endsAtUsec", reason: "is before startsAtUsec")
        }
        if let count = wire.maxCount {
            guard count >= 1, count <= Limits.occurrenceCount else {
                throw .invalid(
                    field: "maxCount", reason: "takes 1 to \(Limits.occurrenceCount)")
            }
            bounds.maxCount = Int(count)
        }
        return bounds
    }

    private func firstBound(_ wire: Wire.Trigger) -> String? {
        if wire.startsAtUsec != nil { return "startsAtUsec" }
        if wire.endsAtUsec != nil { return "endsAtUsec" }
        return wire.maxCount != nil ? "maxCount" : nil
    }

    private func instant(_ usec: Int64, field: String) throws(RequestError) -> WallInstant {
        guard abs(usec / 2) <= Limits.latestWallMicroseconds / 2 else {
            throw .invalid(
                field: field,
                reason: "is beyond the year 9999; instants are microseconds since 1970")
        }
        return WallInstant(microseconds: usec)
    }

    private func period(_ seconds: Double, repeats: Bool) throws(RequestError) -> Int64 {
        let field = "interval.seconds"
        guard seconds > 0, let span = RequestIntake.microseconds(seconds) else {
            throw .invalid(
                field: field, reason: "\(seconds) is out of range: more than 0, at most 100 years")
        }
        guard !repeats || span >= Limits.repeatingIntervalMicroseconds else {
            throw .invalid(
                field: field,
                reason: "\(seconds) is out of range: a repeating interval takes 60 or more")
        }
        return max(span, 1)
    }

    private func calendar(
        _ wire: Wire.CalendarTrigger, repeats: Bool, bounds: Bounds
    ) throws(RequestError) -> CalendarTrigger {
        let (pattern, zone) = try CalendarIntake(field: "calendar").pattern(wire)
        var stride: Stride?
        if let every = wire.every {
            guard repeats else {
                throw .invalid(
                    field: "calendar.every", reason: "is for triggers with repeats: true")
            }
            stride = try self.stride(every, field: "calendar.every.count")
        }
        return CalendarTrigger(
            pattern: pattern, zone: zone, repeats: repeats, stride: stride, bounds: bounds)
    }

    private func stride(_ wire: Wire.Stride, field: String) throws(RequestError) -> Stride {
        let unit: Stride.Unit =
            switch wire.unit {
            case .day: .day
            case .week: .week
            case .month: .month
            case .year: .year
            }
        guard let stride = Stride(count: Int(clamping: wire.count), unit: unit) else {
            throw .invalid(field: field, reason: "takes 1 to \(Stride.limit)")
        }
        return stride
    }
}
