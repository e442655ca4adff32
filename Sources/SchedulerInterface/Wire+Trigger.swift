// When a request is due, as the wire says it; limits and meaning are in the interface text.
// Mirrors the .varlink files; a test holds the two equal.

extension Wire {
    /// One absolute instant, strictly later than now.
    package struct DateTrigger: Codable, Hashable, Sendable {
        package var atUsec: Int64

        package init(atUsec: Int64) {
            self.atUsec = atUsec
        }
    }

    /// Elapsed real time, suspend included, whatever happens to the wall clock.
    package struct IntervalTrigger: Codable, Hashable, Sendable {
        package var seconds: Double

        package init(seconds: Double) {
            self.seconds = seconds
        }
    }

    /// A civil unit for every-N patterns.
    package enum StrideUnit: String, Codable, Hashable, Sendable, CaseIterable {
        case day, week, month, year
    }

    /// Every count-th day, week, month or year, counted from startsAtUsec, else from the
    /// day on which the request was added.
    package struct Stride: Codable, Hashable, Sendable {
        package var count: Int64
        package var unit: StrideUnit

        package init(count: Int64, unit: StrideUnit) {
            self.count = count
            self.unit = unit
        }
    }

    /// What a pattern does in a month that lacks the day: skip the month, or take the
    /// month's last day.
    package enum MissingDay: String, Codable, Hashable, Sendable, CaseIterable {
        case skip, lastDay
    }

    /// A pattern over the Gregorian calendar. Every field is a set of values, all given
    /// fields must hold together; an unset field larger than every set one is free, a
    /// smaller one is at its first value. Negative values count from the end.
    package struct CalendarTrigger: Codable, Hashable, Sendable {
        package var expression: String?
        package var year: [Int64]?
        package var quarter: [Int64]?
        package var month: [Int64]?
        package var day: [Int64]?
        package var dayOfYear: [Int64]?
        package var weekday: [Int64]?
        package var weekdayOrdinal: [Int64]?
        package var weekOfMonth: [Int64]?
        package var weekOfYear: [Int64]?
        package var yearForWeekOfYear: [Int64]?
        package var hour: [Int64]?
        package var minute: [Int64]?
        package var second: [Int64]?
        package var timeZone: String?
        package var firstWeekday: Int64?
        package var minimumDaysInFirstWeek: Int64?
        package var missingDay: MissingDay?
        package var every: Stride?

        package init(
            expression: String? = nil, year: [Int64]? = nil, quarter: [Int64]? = nil,
            month: [Int64]? = nil, day: [Int64]? = nil, dayOfYear: [Int64]? = nil,
            weekday: [Int64]? = nil, weekdayOrdinal: [Int64]? = nil, weekOfMonth: [Int64]? = nil,
            weekOfYear: [Int64]? = nil, yearForWeekOfYear: [Int64]? = nil, hour: [Int64]? = nil,
            minute: [Int64]? = nil, second: [Int64]? = nil, timeZone: String? = nil,
            firstWeekday: Int64? = nil, minimumDaysInFirstWeek: Int64? = nil,
            missingDay: MissingDay? = nil, every: Stride? = nil
        ) {
            self.expression = expression
            self.year = year
            self.quarter = quarter
            self.month = month
            self.day = day
            self.dayOfYear = dayOfYear
            self.weekday = weekday
            self.weekdayOrdinal = weekdayOrdinal
            self.weekOfMonth = weekOfMonth
            self.weekOfYear = weekOfYear
            self.yearForWeekOfYear = yearForWeekOfYear
            self.hour = hour
            self.minute = minute
            self.second = second
            self.timeZone = timeZone
            self.firstWeekday = firstWeekday
            self.minimumDaysInFirstWeek = minimumDaysInFirstWeek
            self.missingDay = missingDay
            self.every = every
        }
    }

    /// When a notification is due: exactly one of date, interval and calendar.
    package struct Trigger: Codable, Hashable, Sendable {
        package var date: DateTrigger?
        package var interval: IntervalTrigger?
        package var calendar: CalendarTrigger?
        package var repeats: Bool?
        package var startsAtUsec: Int64?
        package var endsAtUsec: Int64?
        package var maxCount: Int64?

        package init(
            date: DateTrigger? = nil, interval: IntervalTrigger? = nil,
            calendar: CalendarTrigger? = nil, repeats: Bool? = nil, startsAtUsec: Int64? = nil,
            endsAtUsec: Int64? = nil, maxCount: Int64? = nil
        ) {
            self.date = date
            self.interval = interval
            self.calendar = calendar
            self.repeats = repeats
            self.startsAtUsec = startsAtUsec
            self.endsAtUsec = endsAtUsec
            self.maxCount = maxCount
        }
    }

    /// One occurrence, with the civil time that it has in the trigger's zone.
    package struct Occurrence: Codable, Hashable, Sendable {
        package var atUsec: Int64
        package var utcOffsetSeconds: Int64
        package var abbreviation: String

        package init(atUsec: Int64, utcOffsetSeconds: Int64, abbreviation: String) {
            self.atUsec = atUsec
            self.utcOffsetSeconds = utcOffsetSeconds
            self.abbreviation = abbreviation
        }
    }
}
