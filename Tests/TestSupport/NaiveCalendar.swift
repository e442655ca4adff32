// The oracle for calendar patterns: slow, plain, and written from the rules alone. It knows nothing
// of masks, tables or resolving: it asks each date for its fields by counting days, and walks real
// time minute by minute with the zone's offset.

package import CivilTime

/// The fields of a pattern, judged one date at a time.
package struct NaiveCalendar {
    package typealias Field = CalendarPattern.Field

    package let given: [Field: [Int]]
    package let firstWeekday: Int
    package let minimumDays: Int
    package let clamps: Bool
    /// The given fields and those that stand at their first value.
    private let effective: [Field: [Int]]
    private let takesFirstOfWeekInMonth: Bool
    private let takesFirstMonthOfQuarter: Bool

    package init(
        _ given: [Field: [Int]], firstWeekday: Int = 2, minimumDays: Int = 4, clamps: Bool = false
    ) {
        self.given = given
        self.firstWeekday = firstWeekday
        self.minimumDays = minimumDays
        self.clamps = clamps
        var fields = given
        let dateFields = Field.allCases.filter(\.isOfDate)
        let namesDate = dateFields.contains { given[$0] != nil }
        let namesDay = [Field.day, .dayOfYear, .weekday].contains { given[$0] != nil }
        var firstOfWeekInMonth = false
        if namesDate && !namesDay {
            if given[.weekOfYear] != nil || given[.weekdayOrdinal] != nil {
                fields[.weekday] = [firstWeekday]
            } else if given[.weekOfMonth] != nil {
                firstOfWeekInMonth = true
            } else if [Field.year, .quarter, .month].contains(where: { given[$0] != nil }) {
                fields[.day] = [1]
            } else {
                fields[.weekOfYear] = [1]
                fields[.weekday] = [firstWeekday]
            }
        }
        let countsInMonth =
            [Field.day, .weekOfMonth, .weekdayOrdinal].contains { fields[$0] != nil }
        var firstMonthOfQuarter = false
        if given[.month] == nil && countsInMonth {
            if given[.quarter] != nil {
                firstMonthOfQuarter = true
            } else if given[.year] != nil || given[.yearForWeekOfYear] != nil {
                fields[.month] = [1]
            }
        }
        if given[.hour] == nil && namesDate { fields[.hour] = [0] }
        if given[.minute] == nil && (namesDate || given[.hour] != nil) { fields[.minute] = [0] }
        if given[.second] == nil { fields[.second] = [0] }
        effective = fields
        takesFirstOfWeekInMonth = firstOfWeekInMonth
        takesFirstMonthOfQuarter = firstMonthOfQuarter
    }

    /// Whether a gap or an overlap is read on the civil clock.
    package var namesHour: Bool {
        guard let hours = effective[.hour] else { return false }
        return Set(hours).count < 24
    }

    package func matches(hour: Int, minute: Int) -> Bool {
        (effective[.hour]?.contains(hour) ?? true) && (effective[.minute]?.contains(minute) ?? true)
    }

    package var seconds: [Int] { Array(Set(effective[.second] ?? [])).sorted() }

    package func matches(_ date: CivilDate) -> Bool {
        let length = CivilDate.daysInMonth(date.month, ofYear: date.year)
        let yearLength = CivilDate.daysInYear(date.year)
        if !has(.year, date.year) || !has(.month, date.month) { return false }
        if !has(.quarter, (date.month + 2) / 3) { return false }
        if takesFirstMonthOfQuarter && ![1, 4, 7, 10].contains(date.month) { return false }
        if !has(.weekday, date.weekday) { return false }
        if !hasDay(.day, date.day, of: length) { return false }
        if !hasDay(.dayOfYear, date.dayOfYear, of: yearLength) { return false }
        if let ordinals = effective[.weekdayOrdinal] {
            let sameWeekdays = (1...length).filter { ($0 - date.day) % 7 == 0 }
            let index = sameWeekdays.firstIndex(of: date.day) ?? 0
            guard ordinals.contains(index + 1) || ordinals.contains(index - sameWeekdays.count)
            else { return false }
        }
        if takesFirstOfWeekInMonth && date.weekday != firstWeekday && date.day != 1 {
            return false
        }
        if let weeks = effective[.weekOfMonth] {
            let all = (1...length).map { weekOfMonth($0, date) }
            let number = all[date.day - 1]
            let last = all[length - 1]
            guard weeks.contains(number) || weeks.contains(number - last - 1) else { return false }
        }
        if effective[.weekOfYear] != nil || effective[.yearForWeekOfYear] != nil {
            let week = weekOfYear(date)
            if !has(.yearForWeekOfYear, week.year) { return false }
            if let weeks = effective[.weekOfYear] {
                guard weeks.contains(week.number) || weeks.contains(week.number - week.count - 1)
                else { return false }
            }
        }
        return true
    }

    private func has(_ field: Field, _ value: Int) -> Bool {
        effective[field]?.contains(value) ?? true
    }

    private func hasDay(_ field: Field, _ number: Int, of length: Int) -> Bool {
        guard let values = effective[field] else { return true }
        return values.contains { value in
            if value < 0 { return length + 1 + value == number }
            return value == number || clamps && value > length && number == length
        }
    }

    /// Counts weeks from the first of the month, day by day.
    private func weekOfMonth(_ day: Int, _ date: CivilDate) -> Int {
        let first = CivilDate(year: date.year, month: date.month, day: 1).daysSinceEpoch
        var daysInFirst = 1
        while CivilDate.weekday(daysSinceEpoch: first + daysInFirst) != firstWeekday {
            daysInFirst += 1
        }
        var number = daysInFirst >= minimumDays ? 1 : 0
        for other in 0..<day
        where other > 0 && CivilDate.weekday(daysSinceEpoch: first + other) == firstWeekday {
            number += 1
        }
        return number
    }

    private func weekStart(_ day: Int) -> Int {
        var day = day
        while CivilDate.weekday(daysSinceEpoch: day) != firstWeekday { day -= 1 }
        return day
    }

    /// The year that a week belongs to: the later of its two if enough of its days are in there.
    private func weekYear(_ start: Int) -> Int {
        let later = CivilDate(daysSinceEpoch: start + 6).year
        let days = (0..<7).filter { CivilDate(daysSinceEpoch: start + $0).year == later }
        return days.count >= minimumDays ? later : later - 1
    }

    /// Counts weeks back to the first of their year, and on to the last.
    private func weekOfYear(_ date: CivilDate) -> (year: Int, number: Int, count: Int) {
        let start = weekStart(date.daysSinceEpoch)
        let year = weekYear(start)
        var number = 1
        while weekYear(start - 7 * number) == year { number += 1 }
        var count = number
        while weekYear(start + 7 * (count - number + 1)) == year { count += 1 }
        return (year, number, count)
    }
}

extension NaiveCalendar {
    /// Whether the pattern matches any date: all of 400 years are tried, or the named ones.
    package var matchesAnyDate: Bool {
        var years = Array(2000..<2400)
        if let named = given[.year] { years = named }
        if let named = given[.yearForWeekOfYear] {
            let near = Set(named.flatMap { [$0 - 1, $0, $0 + 1] }).filter { 1...9999 ~= $0 }
            years = given[.year] == nil ? near.sorted() : years.filter { near.contains($0) }
        }
        for year in years {
            let first = CivilDate(year: year, month: 1, day: 1).daysSinceEpoch
            for index in 0..<CivilDate.daysInYear(year)
            where matches(CivilDate(daysSinceEpoch: first + index)) {
                return true
            }
        }
        return false
    }
}
