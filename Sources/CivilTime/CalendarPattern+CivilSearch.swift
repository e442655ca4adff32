// The search in civil time: the next and the last matching civil second, whatever the zone. It
// goes by years that the rule names, months that hold a match, the day mask of one month, and bit
// scans within the day; a step never looks at single days or seconds.

/// Seconds on a civil clock since 1970-01-01T00:00:00, as if that clock stood in UTC.
typealias LocalSeconds = Int64

extension CalendarPattern {
    static let firstYear = 1
    static let lastYear = 9999

    /// The first match at or after a civil second.
    ///
    /// Bounded: without a stride some year of the next 400 matches or none does (`YearTable`);
    /// named years are 1,200 at most; strides of months and years end with the calendar at the
    /// year 9999, and strides of days and weeks give up after 400 years.
    func firstMatch(from local: LocalSeconds, stride: StrideFilter?) -> LocalSeconds? {
        let day = floorDivide(Int(local), by: secondsInDay)
        let secondOfDay = Int(local) - day * secondsInDay
        guard let found = firstDay(from: day, stride: stride) else { return nil }
        if found > day { return LocalSeconds(found * secondsInDay + time.first) }
        if let second = time.first(from: secondOfDay) {
            return LocalSeconds(day * secondsInDay + second)
        }
        guard let next = firstDay(from: day + 1, stride: stride) else { return nil }
        return LocalSeconds(next * secondsInDay + time.first)
    }

    /// The last match at or before a civil second; bounded as `firstMatch`.
    func lastMatch(through local: LocalSeconds, stride: StrideFilter?) -> LocalSeconds? {
        let day = floorDivide(Int(local), by: secondsInDay)
        let secondOfDay = Int(local) - day * secondsInDay
        guard let found = lastDay(through: day, stride: stride) else { return nil }
        if found < day { return LocalSeconds(found * secondsInDay + time.last) }
        if let second = time.last(through: secondOfDay) {
            return LocalSeconds(day * secondsInDay + second)
        }
        guard let previous = lastDay(through: day - 1, stride: stride) else { return nil }
        return LocalSeconds(previous * secondsInDay + time.last)
    }

    private func firstDay(from day: Int, stride: StrideFilter?) -> Int? {
        if isEveryDay && stride == nil {
            return day <= Self.lastDay ? max(day, Self.firstDay) : nil
        }
        let start = CivilDate(daysSinceEpoch: max(day, Self.firstDay))
        let horizon = stride?.countsDays == true ? start.year + 400 : Self.lastYear
        var year = start.year
        var months: UInt16 = .max << UInt16(start.month)
        var days: UInt32 = .max << UInt32(start.day - 1)
        while let next = date.year(from: year), next <= min(horizon, Self.lastYear) {
            if next > year {
                year = next
                months = .max
                days = .max
            }
            if stride?.includes(year: year) ?? true {
                let shape = YearShape(year)
                var left = self.months.months(of: shape) & months
                while left != 0 {
                    let month = left.trailingZeroBitCount
                    left &= left - 1
                    let isLater = month > start.month || year > start.year
                    let mask = matches(month, of: shape, stride) & (isLater ? .max : days)
                    if mask != 0 {
                        return shape.firstDay(ofMonth: month) + mask.trailingZeroBitCount
                    }
                }
            }
            year += 1
            months = .max
        }
        return nil
    }

    private func lastDay(through day: Int, stride: StrideFilter?) -> Int? {
        if isEveryDay && stride == nil {
            return day >= Self.firstDay ? min(day, Self.lastDay) : nil
        }
        let start = CivilDate(daysSinceEpoch: min(day, Self.lastDay))
        let horizon = stride?.countsDays == true ? start.year - 400 : Self.firstYear
        var year = start.year
        var months: UInt16 = .max >> UInt16(15 - start.month)
        let days: UInt32 = .max >> UInt32(32 - start.day)
        while let next = date.year(through: year), next >= max(horizon, Self.firstYear) {
            if next < year {
                year = next
                months = .max
            }
            if stride?.includes(year: year) ?? true {
                let shape = YearShape(year)
                var left = self.months.months(of: shape) & months
                while left != 0 {
                    let month = 15 - left.leadingZeroBitCount
                    left &= ~(1 << UInt16(month))
                    let isEarlier = month < start.month || year < start.year
                    let mask = matches(month, of: shape, stride) & (isEarlier ? .max : days)
                    if mask != 0 {
                        return shape.firstDay(ofMonth: month) + 31 - mask.leadingZeroBitCount
                    }
                }
            }
            year -= 1
            months = .max
        }
        return nil
    }

    /// The matching days of a month that the stride counts.
    private func matches(_ month: Int, of year: YearShape, _ stride: StrideFilter?) -> UInt32 {
        guard let stride else { return date.days(in: month, of: year) }
        guard stride.includes(year: year.year, month: month) else { return 0 }
        let mask = date.days(in: month, of: year)
        guard mask != 0 && stride.countsDays else { return mask }
        return mask & stride.days(from: year.firstDay(ofMonth: month), length: 31)
    }

    private static let firstDay = CivilDate(year: firstYear, month: 1, day: 1).daysSinceEpoch
    private static let lastDay = CivilDate(year: lastYear, month: 12, day: 31).daysSinceEpoch
}

extension DateRule {
    /// The first year to look at, from one on.
    func year(from year: Int) -> Int? {
        guard namesYears else { return year }
        return years.first { Int($0) >= year }.map { Int($0) }
    }

    /// The last year to look at, up to and with one.
    func year(through year: Int) -> Int? {
        guard namesYears else { return year }
        return years.last { Int($0) <= year }.map { Int($0) }
    }
}
