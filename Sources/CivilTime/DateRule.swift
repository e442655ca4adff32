// The dates that a pattern names: absent fields filled in, every field a mask over the days of one
// month. One month's matching days are a handful of word operations, so the search for a date goes
// month by month and never day by day.

/// How a pattern counts weeks.
struct WeekRule: Sendable, Hashable {
    let firstWeekday: Int
    let minimumDays: Int
}

/// Which dates match.
struct DateRule: Sendable, Hashable {
    static let allMonths: UInt16 = 0b1_1111_1111_1110
    static let allWeekdays: UInt8 = 0x7F

    /// Sorted; meaningful when the rule names years, be it as calendar years or as week-years.
    private(set) var years: [Int16]
    let namesYears: Bool
    private var weekYears: [Int16]
    /// Bit 1 = January to bit 12; quarters are worked in.
    private(set) var months: UInt16
    /// Bit 0 = the first of the month.
    private(set) var days: UInt32 = .max
    /// Counted from the end: bit 30 = the last day of the month, as in one of 31 days.
    private(set) var daysFromEnd: UInt32 = 0
    private(set) var clampsDays = false
    /// Bit 0 = Sunday.
    private(set) var weekdays: UInt8 = Self.allWeekdays
    /// Whether the first of the month matches whatever weekday it is.
    private(set) var takesFirstOfMonth = false
    /// The days of the first to fifth seven days that `weekdayOrdinal` leaves beside given days,
    /// and the same from the end; without given days they are `days` and `daysFromEnd`.
    private var ordinalDays: UInt32 = .max
    private var ordinalDaysFromEnd: UInt32 = 0
    private var yearDays: YearDaySet
    /// With the week 1 that a week-year alone stands for.
    let weeksOfYear: ValueSet
    private let weeksOfMonth: ValueSet
    private let weeks: WeekRule

    init(_ fields: FieldValues, weeks: WeekRule, clampsMissingDays: Bool) {
        self.weeks = weeks
        weekYears = fields.weekYears
        years = Self.years(fields)
        namesYears = fields.contains(.year) || fields.contains(.yearForWeekOfYear)
        yearDays = fields.yearDays
        weeksOfMonth = fields.weeksOfMonth
        var weeksOfYear = fields.weeksOfYear
        months = Self.months(fields)

        if fields.contains(.day) {
            days = UInt32(truncatingIfNeeded: fields.days.fromStart >> 1)
            for value in 1...31 where fields.days.fromEnd >> UInt64(value) & 1 == 1 {
                daysFromEnd |= 1 << UInt32(31 - value)
            }
            let everyDay: UInt32 = .max >> 1
            clampsDays = clampsMissingDays && days != everyDay && days >> 28 != 0
        }
        if fields.contains(.weekday) {
            weekdays = fields.weekdays.bits >> 1
        }
        if fields.contains(.weekdayOrdinal) {
            // The first of a weekday lies in the first seven days, whichever weekday it is.
            let masks = Self.ordinalMasks(fields.ordinals)
            if fields.contains(.day) {
                (ordinalDays, ordinalDaysFromEnd) = masks
                if ordinalDays << 1 == .max << 1 { (ordinalDays, ordinalDaysFromEnd) = (.max, 0) }
            } else {
                (days, daysFromEnd) = masks
            }
        }
        // One form for all days, so that equal rules are equal values.
        if days << 1 == .max << 1 { (days, daysFromEnd) = (.max, 0) }
        if clampsMissingDays && yearDays.containsFromStart(366) {
            yearDays.insert(-1)
        }

        let firstWeekdayOnly: UInt8 = 1 << UInt8(weeks.firstWeekday - 1)
        switch Self.impliedDay(fields) {
        case .none: break
        case .firstOfMonth: days = 1
        case .firstOfWeekInMonth:
            weekdays = firstWeekdayOnly
            takesFirstOfMonth = true
        case .firstOfWeek: weekdays = firstWeekdayOnly
        case .firstOfWeekYear:
            weekdays = firstWeekdayOnly
            weeksOfYear.insert(1)
        }
        self.weeksOfYear = weeksOfYear
    }

    /// The matching days of a month: bit 0 is the first.
    ///
    /// - Parameter span: The year's weeks, for a caller that goes through many months of it.
    func days(in month: Int, of year: YearShape, span: WeekSpan? = nil) -> UInt32 {
        let length = Gregorian.monthLength(month, ofLeapYear: year.isLeap)
        let shortage = UInt32(31 - length)
        var mask = days | daysFromEnd >> shortage
        if clampsDays && days >> UInt32(length) != 0 {
            mask |= 1 << UInt32(length - 1)
        }
        mask &= UInt32.max >> (shortage + 1)
        if weekdays == Self.allWeekdays && yearDays.isEmpty && !usesWeeks
            && ordinalDays == .max
        {
            return mask
        }
        let before = CivilDate.daysBeforeMonth(month, isLeapYear: year.isLeap)
        let first = (year.firstWeekdayIndex + before) % 7
        mask &= weekdayMask(startingOn: first) & (ordinalDays | ordinalDaysFromEnd >> shortage)
        if !yearDays.isEmpty {
            mask &= UInt32(
                truncatingIfNeeded: yearDays.mask(
                    after: before, yearLength: CivilDate.daysInYear(year.year)))
        }
        if usesWeeks && mask != 0 {
            mask &= weekMask(
                daysBefore: before, first: first, length: length, of: year, span: span)
        }
        return mask
    }

    /// Whether every month that is named has a match, whatever its length and its weekdays.
    ///
    /// A weekday alone is in every month, and so is a day up to 28 alone.
    var matchesEveryNamedMonth: Bool {
        guard !usesWeeks && yearDays.isEmpty && ordinalDays == .max else { return false }
        let isAnyDay = days == .max
        return isAnyDay || (weekdays == Self.allWeekdays && days & 0xFFF_FFFF != 0)
    }

    /// Whether every date matches.
    var matchesEveryDay: Bool {
        months == Self.allMonths && days == .max && weekdays == Self.allWeekdays
            && matchesEveryNamedMonth && !namesYears
    }

    /// The same rule for all years; what is left depends on the kind of the year only.
    var withoutYears: Self {
        var rule = self
        rule.weekYears = []
        return rule
    }

    /// Whether years, months, days and weekdays say all of the rule.
    var isPlain: Bool { !usesWeeks && yearDays.isEmpty && ordinalDays == .max && !clampsDays }

    private var usesWeeks: Bool { numbersWeeks || !weeksOfMonth.isEmpty }

    /// Whether weeks are counted through the year, and not only within a month.
    private var numbersWeeks: Bool { !weeksOfYear.isEmpty || !weekYears.isEmpty }

    /// The weeks of a year, if the rule counts them.
    func weekSpan(of year: YearShape) -> WeekSpan? {
        numbersWeeks ? year.weekSpan(weeks) : nil
    }
}

extension DateRule {
    private enum ImpliedDay {
        case none, firstOfMonth, firstOfWeekInMonth, firstOfWeek, firstOfWeekYear
    }

    /// The day that the fields stand for when none of them names one.
    private static func impliedDay(_ fields: FieldValues) -> ImpliedDay {
        let namesDay =
            fields.contains(.day) || fields.contains(.dayOfYear) || fields.contains(.weekday)
        if namesDay || !fields.namesDate { return .none }
        if fields.contains(.weekOfYear) || fields.contains(.weekdayOrdinal) { return .firstOfWeek }
        if fields.contains(.weekOfMonth) { return .firstOfWeekInMonth }
        if fields.contains(.year) || fields.contains(.quarter) || fields.contains(.month) {
            return .firstOfMonth
        }
        return .firstOfWeekYear
    }

    private static func months(_ fields: FieldValues) -> UInt16 {
        var ofQuarters: UInt16 = 0
        var firstOfQuarters: UInt16 = 0
        for quarter in 1...4 where fields.quarters.contains(quarter) {
            ofQuarters |= 0b1110 << UInt16(3 * quarter - 3)
            firstOfQuarters |= 0b10 << UInt16(3 * quarter - 3)
        }
        let namesQuarter = fields.contains(.quarter)
        if fields.contains(.month) {
            let months = fields.months.bits
            return namesQuarter ? months & ofQuarters : months
        }
        let implied = impliedDay(fields)
        let countsWithinMonth =
            fields.contains(.day) || fields.contains(.weekOfMonth)
            || fields.contains(.weekdayOrdinal) || implied == .firstOfMonth
        if namesQuarter {
            return countsWithinMonth ? firstOfQuarters : ofQuarters
        }
        let namesYear = fields.contains(.year) || fields.contains(.yearForWeekOfYear)
        return namesYear && countsWithinMonth ? 0b10 : allMonths
    }

    /// The days of a week-year lie in its own calendar year and the two beside it.
    private static func years(_ fields: FieldValues) -> [Int16] {
        guard fields.contains(.yearForWeekOfYear) else { return fields.years }
        var near: [Int16] = []
        for year in fields.weekYears {
            for candidate in max(1, year - 1)...min(9999, year + 1)
            where near.last.map({ $0 < candidate }) ?? true {
                near.append(candidate)
            }
        }
        guard fields.contains(.year) else { return near }
        return near.filter { fields.years.contains($0) }
    }

    private static func ordinalMasks(_ ordinals: ValueSet) -> (UInt32, UInt32) {
        var fromStart: UInt64 = 0
        var fromEnd: UInt64 = 0
        for value in 1...5 {
            if ordinals.fromStart >> UInt64(value) & 1 == 1 {
                fromStart |= 0x7F << UInt64(7 * (value - 1))
            }
            if ordinals.fromEnd >> UInt64(value) & 1 == 1 {
                // The last seven of 31 days are bits 24 to 30; the fifth seven begin below bit 0.
                fromEnd |= value == 5 ? 0b111 : 0x7F << UInt64(31 - 7 * value)
            }
        }
        let month: UInt64 = 0x7FFF_FFFF
        return (UInt32(fromStart & month), UInt32(fromEnd & month))
    }

    /// The days of a month with a matching weekday, when its first day is weekday `first`
    /// (0 = Sunday).
    private func weekdayMask(startingOn first: Int) -> UInt32 {
        let twice = UInt64(weekdays) | UInt64(weekdays) << 7
        let week = twice >> UInt64(first) & 0x7F
        // The same seven bits five times over.
        let month = UInt32(truncatingIfNeeded: week * 0b1_0000001_0000001_0000001_0000001)
        return takesFirstOfMonth ? month | 1 : month
    }

    /// The days of a month that lie in a matching week.
    private func weekMask(
        daysBefore: Int, first: Int, length: Int, of year: YearShape, span: WeekSpan?
    ) -> UInt32 {
        let offset = (first - (weeks.firstWeekday - 1) + 7) % 7
        let firstNumber = 7 - offset >= weeks.minimumDays ? 1 : 0
        let lastNumber = firstNumber + (offset + length - 1) / 7
        let span = numbersWeeks ? span ?? year.weekSpan(weeks) : nil
        var mask: UInt32 = 0
        var start = -offset
        var number = firstNumber
        while start < length {
            if takesWeekOfMonth(number, last: lastNumber)
                && (span.map { takesWeekOfYear(daysBefore + start, in: $0, of: year) } ?? true)
            {
                let seven: UInt32 = 0x7F
                mask |= start < 0 ? seven >> UInt32(-start) : seven << UInt32(start)
            }
            start += 7
            number += 1
        }
        return mask
    }

    private func takesWeekOfMonth(_ number: Int, last: Int) -> Bool {
        weeksOfMonth.isEmpty || weeksOfMonth.fromStart >> UInt64(number) & 1 == 1
            || weeksOfMonth.fromEnd >> UInt64(last + 1 - number) & 1 == 1
    }

    /// `start` is the week's first day, counted from 1 January = 0.
    private func takesWeekOfYear(_ start: Int, in span: WeekSpan, of year: YearShape) -> Bool {
        let weekYear: Int
        let number: Int
        let count: Int
        if start < span.start {
            weekYear = year.year - 1
            number = (start - span.startBefore) / 7 + 1
            count = (span.start - span.startBefore) / 7
        } else if start < span.end {
            weekYear = year.year
            number = (start - span.start) / 7 + 1
            count = (span.end - span.start) / 7
        } else {
            weekYear = year.year + 1
            number = (start - span.end) / 7 + 1
            count = (span.endAfter - span.end) / 7
        }
        if !weekYears.isEmpty && !weekYears.contains(where: { Int($0) == weekYear }) {
            return false
        }
        return weeksOfYear.isEmpty || weeksOfYear.fromStart >> UInt64(number) & 1 == 1
            || weeksOfYear.fromEnd >> UInt64(count + 1 - number) & 1 == 1
    }
}
