// One place of an expression, such as its minutes: the parts between the commas, and what they
// stand for once it is known which field the place is. A date's first number may be a year or a
// month.

/// The values of a place.
enum PlaceValues: Hashable {
    /// `*` alone.
    case any
    /// Never empty; in any order, and values may repeat.
    case list([Int])
}

struct ExpressionPlace {
    struct Part {
        /// Where the part stands.
        let offset: Int
        /// `nil` for `*`.
        var first: Int?
        var last: Int?
        var step: Int?

        init(offset: Int) {
            self.offset = offset
        }
    }

    var parts: [Part] = []

    /// Where years with an open step end, as in systemd; a step of `*` begins at the first.
    static let openYears = 1970...2199

    /// The values for a field; with `fromEnd` they are days counted from the end of the month.
    func values(
        of field: CalendarPattern.Field, fromEnd: Bool = false
    ) throws(ExpressionError) -> PlaceValues {
        var values: [Int] = []
        for part in parts {
            if part.first == nil && part.step == nil { return .any }
            let open = field == .year ? Self.openYears : field.range
            var first = part.first ?? (fromEnd ? open.upperBound : open.lowerBound)
            var last = part.last ?? (part.step == nil ? first : open.upperBound)
            if field == .year {
                first = Self.fullYear(first)
                last = Self.fullYear(last)
            }
            for value in [first, last] where !field.range.contains(value) {
                throw ExpressionError(.outOfRange(field, value: value), at: part.offset)
            }
            if fromEnd {
                // The 7th last day, and with a step the days after it: ~07/1 is the last week.
                if part.last == nil { last = part.step == nil ? first : 1 }
                (first, last) = (-max(first, last), -min(first, last))
            } else if last < first {
                if field != .weekday || part.last == nil {
                    throw ExpressionError(.backwards, at: part.offset)
                }
                last += 7
            }
            for value in stride(from: first, through: last, by: part.step ?? 1) {
                values.append(field == .weekday && value > 7 ? value - 7 : value)
            }
        }
        return .list(values)
    }

    /// Two digits are of the years 1970 to 2069.
    private static func fullYear(_ year: Int) -> Int {
        switch year {
        case ..<70: year + 2000
        case ..<100: year + 1900
        default: year
        }
    }
}

/// Collects an expression's places into the fields of a pattern.
struct PlaceFields {
    private(set) var fields: [CalendarPattern.Field: [Int]] = [:]

    /// Takes the places from the largest to the smallest.
    ///
    /// `*` stands for all values. Above every other value it is what an absent field means; below
    /// one it has to be spelled out, since there an absent field is at its first value.
    mutating func add(_ field: CalendarPattern.Field, _ values: PlaceValues) {
        switch values {
        case .list(let list): fields[field] = Array(Set(list)).sorted()
        case .any where !fields.isEmpty: fields[field] = Array(field.range)
        case .any: break
        }
    }

    /// A weekday names the day, so any day of the month needs no word beside it.
    mutating func addDay(_ values: PlaceValues, weekdays: [Int]?) {
        if let weekdays { fields[.weekday] = weekdays }
        if values == .any && weekdays != nil { return }
        add(.day, values)
    }

    /// Makes the pattern; mistakes that only show in the whole are put at the start.
    mutating func pattern() throws(ExpressionError) -> CalendarPattern {
        if fields.isEmpty { fields[.second] = Array(0...59) }
        do throws(PatternError) {
            return try CalendarPattern(fields: fields)
        } catch {
            throw ExpressionError(.pattern(error), at: 0)
        }
    }
}
