// Which months of which kinds of year hold a match. The table makes the search skip whole years,
// and it is the proof that a pattern can match at all.

/// What the calendar of one year depends on.
struct YearShape {
    let year: Int
    let isLeap: Bool
    /// The day number of 1 January.
    let firstDay: Int
    /// 1 January's weekday, 0 = Sunday.
    let firstWeekdayIndex: Int

    init(_ year: Int) {
        self.year = year
        isLeap = CivilDate.isLeapYear(year)
        firstDay = Gregorian.firstDay(ofYear: year)
        firstWeekdayIndex = Gregorian.weekdayIndex(ofDay: firstDay)
    }

    func firstDay(ofMonth month: Int) -> Int {
        firstDay + CivilDate.daysBeforeMonth(month, isLeapYear: isLeap)
    }

    static let kindCount = 28

    /// The kind of the year, 0 to 27: 1 January's weekday, and whether the year, the one before
    /// it, the one after it or none of the three is a leap year.
    ///
    /// These fix the weekday of every date of the year, and also the number and length in weeks of
    /// each week-year that has days in it: the one before needs that year's length, the one after
    /// likewise. So a rule that names no year gives the same dates in all years of a kind.
    var kind: Int {
        let leapYear: Int
        switch year & 3 {
        case 0: leapYear = isLeap ? 1 : 0
        case 1: leapYear = CivilDate.isLeapYear(year - 1) ? 2 : 0
        case 3: leapYear = CivilDate.isLeapYear(year + 1) ? 3 : 0
        default: leapYear = 0
        }
        return leapYear * 7 + firstWeekdayIndex
    }

    /// A year of each kind, found in one cycle of 400 years, after which all kinds repeat (146,097
    /// days are whole weeks). Every kind occurs.
    static let examples: [YearShape] = {
        var examples: [YearShape] = []
        for kind in 0..<kindCount {
            let year = (2000..<2400).first { YearShape($0).kind == kind }
            if let year { examples.append(YearShape(year)) }
        }
        return examples
    }()
}

/// Where the week-years begin that have days in a year; days counted from 1 January = 0.
struct WeekSpan {
    let startBefore: Int
    let start: Int
    let end: Int
    let endAfter: Int
}

extension YearShape {
    func weekSpan(_ weeks: WeekRule) -> WeekSpan {
        func start(_ year: Int) -> Int {
            Gregorian.firstWeekStart(
                ofYear: year, firstWeekday: weeks.firstWeekday, minimumDays: weeks.minimumDays)
        }
        let length = CivilDate.daysInYear(year)
        return WeekSpan(
            startBefore: start(year - 1) - CivilDate.daysInYear(year - 1), start: start(year),
            end: length + start(year + 1),
            endAfter: length + CivilDate.daysInYear(year + 1) + start(year + 2))
    }
}

/// For each of the 28 kinds of year, the months (bit 1 to bit 12) with at least one match.
struct YearTable: Sendable {
    private var months: InlineArray<28, UInt16>

    /// At most 28 x 12 months are looked at; the common rules need none or two years.
    init(_ rule: DateRule) {
        months = InlineArray(repeating: rule.months)
        if rule.matchesEveryNamedMonth { return }
        let rule = rule.withoutYears
        for kind in 0..<YearShape.kindCount {
            let example = YearShape.examples[kind]
            months[kind] = monthsMatching(rule, example)
        }
    }

    private func monthsMatching(_ rule: DateRule, _ year: YearShape) -> UInt16 {
        var result: UInt16 = 0
        let span = rule.weekSpan(of: year)
        for month in 1...12 where rule.months >> UInt16(month) & 1 == 1 {
            if rule.days(in: month, of: year, span: span) != 0 { result |= 1 << UInt16(month) }
        }
        return result
    }

    /// The months to look at in a year.
    func months(of year: YearShape) -> UInt16 { months[year.kind] }

    /// Whether a year of some kind has a match.
    var hasMatch: Bool {
        for kind in 0..<YearShape.kindCount where months[kind] != 0 { return true }
        return false
    }
}

extension DateRule {
    /// Whether any date matches. Without named years a match in one of the 28 kinds of year is
    /// enough, since every kind comes in every 400 years; named years (1,200 at most) are all
    /// tried.
    func canMatch(within table: YearTable) -> Bool {
        guard namesYears else { return table.hasMatch }
        for year in years {
            let shape = YearShape(Int(year))
            let months = table.months(of: shape)
            let span = months == 0 ? nil : weekSpan(of: shape)
            for month in 1...12 where months >> UInt16(month) & 1 == 1 {
                if days(in: month, of: shape, span: span) != 0 { return true }
            }
        }
        return false
    }
}
