// "Every second Tuesday": what thins a pattern out, counted from the civil date at which the
// request starts. It is a filter on dates, so it holds across every change of a zone's offset.

/// Every `count` days, weeks, months or years, counted from an anchor.
package struct Stride: Sendable, Hashable {
    package enum Unit: UInt8, Sendable, Hashable, CaseIterable {
        case day, week, month, year
    }

    /// The largest count: 1,000 of a unit.
    package static let limit = 1000

    package let count: Int
    package let unit: Unit

    /// `nil` when `count` is not in 1...`limit`.
    package init?(count: Int, unit: Unit) {
        guard 1...Stride.limit ~= count else { return nil }
        self.count = count
        self.unit = unit
    }
}

/// From where a stride is counted.
package enum StrideAnchor: Sendable, Hashable {
    /// From the civil date of an instant, in the zone that the pattern is computed in.
    case instant(WallInstant)
    /// From a civil date, in days since 1970-01-01: it stays what it is when the zone changes.
    case day(Int)

    /// The civil date, in days since 1970-01-01. What lies outside of the years 1 to 9999 is taken
    /// for their beginning or end.
    package func day(in zone: Zone) -> Int {
        switch self {
        case .instant(let instant):
            let second = min(
                max(instant.wholeSeconds, CalendarPattern.earliest), CalendarPattern.latest)
            return floorDivide(Int(second + Int64(zone.offset(at: second))), by: secondsInDay)
        case .day(let day):
            return day
        }
    }
}

/// A stride with its anchor's civil date worked in: which days, months and years are counted.
struct StrideFilter: Sendable {
    private let unit: Stride.Unit
    private let count: Int
    /// Any counted unit's number; numbers congruent to it modulo `count` are the counted ones.
    private let phase: Int
    private let firstWeekday: Int

    /// `nil` when the stride filters nothing.
    init?(_ stride: Stride?, anchorDay: Int, firstWeekday: Int) {
        guard let stride, stride.count > 1 else { return nil }
        unit = stride.unit
        count = stride.count
        self.firstWeekday = firstWeekday
        switch stride.unit {
        case .day:
            phase = anchorDay
        case .week:
            phase = Gregorian.week(ofDay: anchorDay, firstWeekday: firstWeekday)
        case .month:
            let date = CivilDate(daysSinceEpoch: anchorDay)
            phase = date.year * 12 + date.month
        case .year:
            phase = CivilDate(daysSinceEpoch: anchorDay).year
        }
    }

    /// Whether the search must look at every month of 400 years, and not longer, to give up.
    ///
    /// Days and weeks are thinned inside the months, so a horizon bounds the search; strides of
    /// months and years skip whole ones, and the end of the calendar (year 9999) is near enough.
    var countsDays: Bool { unit == .day || unit == .week }

    func includes(year: Int) -> Bool {
        unit != .year || isCounted(year)
    }

    func includes(year: Int, month: Int) -> Bool {
        unit != .month || isCounted(year * 12 + month)
    }

    /// The counted days among the `length` days from `firstDay` (bit 0).
    func days(from firstDay: Int, length: Int) -> UInt32 {
        guard countsDays else { return .max }
        var mask: UInt32 = 0
        if unit == .day {
            var index = Gregorian.modulo(phase - firstDay, count)
            while index < length {
                mask |= 1 << UInt32(index)
                index += count
            }
            return mask
        }
        for index in 0..<length
        where isCounted(Gregorian.week(ofDay: firstDay + index, firstWeekday: firstWeekday)) {
            mask |= 1 << UInt32(index)
        }
        return mask
    }

    private func isCounted(_ number: Int) -> Bool {
        (number - phase) % count == 0
    }
}
