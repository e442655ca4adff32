// When a request is due. A trigger is checked when it is made, so that every value of these types
// can be computed with; what only the clock can tell (in the past, never fires) the scheduler says.

package import CivilTime

/// The rule that yields occurrences.
package enum Trigger: Sendable, Hashable {
    /// Delivered at once, never pending.
    case now
    case date(WallInstant)
    // Indirect: bounds and patterns take up to hundreds of bytes, which a date need not carry.
    indirect case interval(IntervalTrigger)
    indirect case calendar(CalendarTrigger)
}

/// Real elapsed time on the boot-time clock; occurrence k is at start + k x period.
package struct IntervalTrigger: Sendable, Hashable {
    /// In microseconds: more than 0, at most `Limits.spanMicroseconds`.
    package var period: Int64
    package var repeats: Bool
    package var bounds: Bounds

    package init(period: Int64, repeats: Bool, bounds: Bounds = Bounds()) {
        precondition(period > 0 && period <= Limits.spanMicroseconds)
        self.period = period
        self.repeats = repeats
        self.bounds = bounds
    }
}

/// Civil times that match a pattern, in a zone.
package struct CalendarTrigger: Sendable, Hashable {
    package var pattern: CalendarPattern
    /// The zone's name; nil = floating, it follows the machine's zone.
    package var zone: String?
    package var repeats: Bool
    /// Every N days, weeks, months or years, counted from the start.
    package var stride: Stride?
    package var bounds: Bounds

    package init(
        pattern: CalendarPattern, zone: String?, repeats: Bool, stride: Stride? = nil,
        bounds: Bounds = Bounds()
    ) {
        self.pattern = pattern
        self.zone = zone
        self.repeats = repeats
        self.stride = stride
        self.bounds = bounds
    }
}

/// Where a repeating trigger starts and ends; all nil = unbounded.
package struct Bounds: Sendable, Hashable {
    /// No occurrence before it; an interval's phase starts at it.
    package var startsAt: WallInstant?
    /// No occurrence after it.
    package var endsAt: WallInstant?
    /// The trigger ends after so many occurrences, at least 1.
    package var maxCount: Int?

    package init(startsAt: WallInstant? = nil, endsAt: WallInstant? = nil, maxCount: Int? = nil) {
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.maxCount = maxCount
    }
}

extension Trigger {
    /// Whether the trigger can have more than one occurrence.
    package var repeats: Bool {
        switch self {
        case .now, .date: false
        case .interval(let interval): interval.repeats
        case .calendar(let calendar): calendar.repeats
        }
    }

    /// The bounds; those of a one-shot are empty.
    package var bounds: Bounds {
        switch self {
        case .now, .date: Bounds()
        case .interval(let interval): interval.bounds
        case .calendar(let calendar): calendar.bounds
        }
    }
}
