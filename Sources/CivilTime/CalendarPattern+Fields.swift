// The given values of every field, as they were given, packed into words. What absent fields mean
// is worked out elsewhere (DateRule, TimeRule); here absent stays absent.

/// Which fields are given, and their values.
struct FieldValues: Sendable, Hashable {
    private(set) var years: [Int16] = []
    private(set) var weekYears: [Int16] = []
    private(set) var yearDays = YearDaySet()
    private(set) var weeksOfYear = ValueSet()
    private(set) var weeksOfMonth = ValueSet()
    private(set) var days = ValueSet()
    private(set) var ordinals = ValueSet()
    // The widest first, so that a pattern, of which each pending request has its own, is small.
    private(set) var minutes = BitSet<UInt64>()
    private(set) var seconds = BitSet<UInt64>()
    private(set) var hours = BitSet<UInt32>()
    private(set) var months = BitSet<UInt16>()
    private var given: UInt16 = 0
    private(set) var quarters = BitSet<UInt8>()
    private(set) var weekdays = BitSet<UInt8>()

    var isEmpty: Bool { given == 0 }

    /// Whether any field of the date is given.
    var namesDate: Bool { given & ((1 << UInt16(CalendarPattern.Field.hour.rawValue)) - 1) != 0 }

    func contains(_ field: CalendarPattern.Field) -> Bool {
        given >> UInt16(field.rawValue) & 1 == 1
    }

    /// Adds a value that is in the field's range.
    mutating func insert(_ value: Int, in field: CalendarPattern.Field) {
        given |= 1 << UInt16(field.rawValue)
        switch field {
        case .year: Self.insert(value, in: &years)
        case .yearForWeekOfYear: Self.insert(value, in: &weekYears)
        case .dayOfYear: yearDays.insert(value)
        case .quarter: quarters.insert(value)
        case .month: months.insert(value)
        case .weekOfYear: weeksOfYear.insert(value)
        case .weekOfMonth: weeksOfMonth.insert(value)
        case .day: days.insert(value)
        case .weekday: weekdays.insert(value)
        case .weekdayOrdinal: ordinals.insert(value)
        case .hour: hours.insert(value)
        case .minute: minutes.insert(value)
        case .second: seconds.insert(value)
        }
    }

    func values(of field: CalendarPattern.Field) -> [Int] {
        switch field {
        case .year: years.map { Int($0) }
        case .yearForWeekOfYear: weekYears.map { Int($0) }
        case .dayOfYear: yearDays.values
        case .quarter: quarters.values
        case .month: months.values
        case .weekOfYear: weeksOfYear.values
        case .weekOfMonth: weeksOfMonth.values
        case .day: days.values
        case .weekday: weekdays.values
        case .weekdayOrdinal: ordinals.values
        case .hour: hours.values
        case .minute: minutes.values
        case .second: seconds.values
        }
    }

    /// Years come sorted as a rule, and are 400 at most.
    private static func insert(_ year: Int, in years: inout [Int16]) {
        let year = Int16(year)
        let index = years.lastIndex { $0 <= year }
        if let index, years[index] == year { return }
        years.insert(year, at: index.map { $0 + 1 } ?? 0)
    }
}
