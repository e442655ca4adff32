// An expression in English, for people to check that it says what they meant: `every Monday to
// Friday at 09:00, Europe/Berlin`. Said from what the fields come to, so equal patterns read
// alike.

extension CalendarExpression {
    /// The dates, the times and the zone in words.
    package var words: String {
        let body = CalendarWords(pattern: pattern).sentence
        return timeZone.map { "\(body), \($0)" } ?? body
    }
}

struct CalendarWords {
    let pattern: CalendarPattern

    var sentence: String {
        if pattern.namesHour { return "\(dates ?? "every day") \(clockTimes)" }
        return dates.map { "\(rhythm), \($0)" } ?? rhythm
    }
}

// MARK: Times

extension CalendarWords {
    private var hours: [Int] { Self.values(UInt64(pattern.time.hours), 0...23) }
    private var minutes: [Int] { Self.values(pattern.time.minutes, 0...59) }
    private var seconds: [Int] { Self.values(pattern.time.seconds, 0...59) }

    /// `at 09:00 and 17:30`, `every 15 minutes from 09:00 to 17:45`.
    private var clockTimes: String {
        if hours.count * minutes.count * seconds.count <= 4 {
            return "at " + Self.join(hours.flatMap { clock($0) })
        }
        guard hours.count > 1 || minutes.count > 1,
            let first = hours.first, let last = hours.last,
            last - first == hours.count - 1, seconds.count == 1
        else { return "\(rhythm) of \(hourList)" }
        let begin = clock(first).first ?? ""
        let end = clock(last).last ?? ""
        if minutes.count == 1 { return "every hour from \(begin) to \(end)" }
        if let step = Self.step(minutes, of: 60) {
            return "every \(Self.count(step, "minute")) from \(begin) to \(end)"
        }
        return "\(rhythm) of \(hourList)"
    }

    private var hourList: String {
        let list = OnCalendarPrinter.runs(hours).map { run in
            run.lowerBound == run.upperBound
                ? "\(run.lowerBound)" : "\(run.lowerBound) to \(run.upperBound)"
        }
        return (hours.count == 1 ? "hour " : "the hours ") + Self.join(list)
    }

    private func clock(_ hour: Int) -> [String] {
        minutes.flatMap { minute in
            seconds.map { second in
                "\(Self.two(hour)):\(Self.two(minute))"
                    + (second == 0 ? "" : ":\(Self.two(second))")
            }
        }
    }

    /// What repeats within the hour: `every hour at :30`, `every 15 minutes`, `every minute`.
    private var rhythm: String {
        if minutes.count == 60 {
            if seconds == [0] { return "every minute" }
            if let step = Self.step(seconds, of: 60) {
                return "every \(Self.count(step, "second"))"
            }
            let noun = seconds.count == 1 ? "second" : "seconds"
            return "every minute at \(noun) \(Self.join(Self.ranges(seconds)))"
        }
        if seconds == [0] {
            if minutes == [0] { return "every hour" }
            if let step = Self.step(minutes, of: 60) {
                return "every \(Self.count(step, "minute"))"
            }
            return "every hour at \(Self.join(Self.ranges(minutes, prefix: ":")))"
        }
        let noun = seconds.count == 1 ? "second" : "seconds"
        return "every hour at \(Self.join(Self.ranges(minutes, prefix: ":"))), "
            + "\(noun) \(Self.join(Self.ranges(seconds)))"
    }
}

// MARK: Dates

extension CalendarWords {
    /// `nil` for every date.
    private var dates: String? {
        if pattern.isEveryDay { return nil }
        let date = pattern.date
        let monthNames = date.months == DateRule.allMonths ? nil : Self.join(monthRuns)
        let years =
            date.namesYears && pattern.values(of: .year) != nil
            ? " \(Self.join(Self.ranges(date.years.map { Int($0) }, digits: 1)))" : ""
        let weekdays = date.weekdays == DateRule.allWeekdays ? nil : Self.join(weekdayRuns)
        var text: String
        if date.days == .max {
            text = firstOfWeekInMonth ?? "every \(weekdays ?? "day")"
            if let monthNames { text += " in \(monthNames)" }
            if !years.isEmpty { text += monthNames == nil ? " in\(years)" : years }
        } else if let weekdays, let ordinals {
            text =
                "the \(Self.join(ordinals)) \(weekdays) of \(monthNames ?? "every month")\(years)"
        } else if weekdays == nil, date.daysFromEnd == 0, let monthNames, dayNumbers.count == 1 {
            text = (years.isEmpty ? "every " : "") + "\(dayNumbers[0]) \(monthNames)\(years)"
        } else {
            text = "the \(Self.join(dayNames)) of \(monthNames ?? "every month")\(years)"
            if let weekdays { text = "every \(weekdays) that is \(text)" }
        }
        if date.clampsDays { text += " (or its last day)" }
        return text + rest
    }

    /// The day that weeks of a month stand for alone: each one's first day, or the first of the
    /// month in a week that begins before it.
    private var firstOfWeekInMonth: String? {
        guard pattern.date.takesFirstOfMonth, let weeks = pattern.values(of: .weekOfMonth) else {
            return nil
        }
        let noun = weeks.count == 1 ? "week" : "weeks"
        return "the first day of \(noun) \(Self.join(weeks.map { "\($0)" })) of the month"
    }

    private var dayNumbers: [Int] { Self.values(UInt64(pattern.date.days) << 1, 1...31) }

    /// `13th`, `1st to 7th`, `last day`, `third last day`.
    private var dayNames: [String] {
        let fromStart = OnCalendarPrinter.runs(dayNumbers).map { run in
            run.lowerBound == run.upperBound
                ? Self.ordinal(run.lowerBound)
                : "\(Self.ordinal(run.lowerBound)) to \(Self.ordinal(run.upperBound))"
        }
        let fromEnd = (1...31).filter { pattern.date.daysFromEnd >> UInt32(31 - $0) & 1 == 1 }
        let last = fromEnd.map { $0 == 1 ? "last day" : "\(Self.ordinal($0)) last day" }
        return fromStart + last
    }

    /// `first`, `third`, `last`: when the days are whole sevens, as `weekdayOrdinal` makes them.
    private var ordinals: [String]? {
        let names = ["first", "second", "third", "fourth", "fifth"]
        var left = pattern.date.days
        var leftFromEnd = pattern.date.daysFromEnd
        var found: [String] = []
        var foundFromEnd: [String] = []
        for (index, name) in names.enumerated() {
            let seven: UInt32 = (0x7F << UInt32(7 * index)) & 0x7FFF_FFFF
            if left & seven == seven {
                found.append(name)
                left &= ~seven
            }
            let lastSeven: UInt32 = index == 4 ? 0b111 : 0x7F << UInt32(24 - 7 * index)
            if leftFromEnd & lastSeven == lastSeven {
                foundFromEnd.append(index == 0 ? "last" : "\(name) last")
                leftFromEnd &= ~lastSeven
            }
        }
        return left | leftFromEnd == 0 ? found + foundFromEnd : nil
    }

    /// What only some patterns name: weeks, days of the year, ordinals beside days.
    private var rest: String {
        var text = ""
        func add(_ phrase: String, _ values: [Int]?) {
            guard let values, !values.isEmpty else { return }
            text += ", \(phrase) \(Self.join(values.map { "\($0)" }))"
        }
        let yearDays = pattern.values(of: .dayOfYear) ?? []
        add("day of the year", yearDays)
        // Beside -1 the 366th has nowhere else to move to.
        if pattern.missingDay == .lastDay, yearDays.contains(366), !yearDays.contains(-1) {
            text += " (or its last day)"
        }
        if firstOfWeekInMonth == nil { add("week of the month", pattern.values(of: .weekOfMonth)) }
        add("week of the year", pattern.date.weeksOfYear.values)
        add("week-year", pattern.values(of: .yearForWeekOfYear))
        text += weekRule
        if pattern.values(of: .day) != nil {
            add("ordinal of its weekday", pattern.values(of: .weekdayOrdinal))
        }
        return text
    }

    /// How weeks are counted, when any are and they are not those of ISO 8601.
    private var weekRule: String {
        let weekFields: [CalendarPattern.Field] = [.weekOfMonth, .weekOfYear, .yearForWeekOfYear]
        let first = pattern.firstWeekday
        let minimum = pattern.minimumDaysInFirstWeek
        let isDefault =
            first == CalendarPattern.defaultFirstWeekday
            && minimum == CalendarPattern.defaultMinimumDaysInFirstWeek
        guard !isDefault, weekFields.contains(where: { pattern.values(of: $0) != nil }) else {
            return ""
        }
        let weekday = Self.capitalized(CalendarNames.weekdays[first - 1])
        let days = minimum == 1 ? "1 day" : "\(minimum) days"
        return ", weeks from \(weekday), the first of at least \(days)"
    }

    private var monthRuns: [String] {
        let months = Self.values(UInt64(pattern.date.months), 1...12)
        return OnCalendarPrinter.runs(months).map { run in
            let first = Self.capitalized(CalendarNames.months[run.lowerBound - 1])
            let last = Self.capitalized(CalendarNames.months[run.upperBound - 1])
            return first == last ? first : "\(first) to \(last)"
        }
    }

    private var weekdayRuns: [String] {
        // Monday first; Sunday goes from bit 0 to the end.
        let days = (0..<7).filter { pattern.date.weekdays >> UInt8(($0 + 1) % 7) & 1 == 1 }
        return OnCalendarPrinter.runs(days).map { run in
            let first = Self.capitalized(CalendarNames.weekdays[(run.lowerBound + 1) % 7])
            let last = Self.capitalized(CalendarNames.weekdays[(run.upperBound + 1) % 7])
            return first == last ? first : "\(first) to \(last)"
        }
    }
}

// MARK: Pieces

extension CalendarWords {
    private static func values(_ mask: UInt64, _ range: ClosedRange<Int>) -> [Int] {
        range.filter { mask >> UInt64($0) & 1 == 1 }
    }

    /// The step of values that fill a whole evenly from 0, such as 0, 15, 30, 45 of 60.
    private static func step(_ values: [Int], of whole: Int) -> Int? {
        guard values.count > 1, values[0] == 0 else { return nil }
        let step = values[1]
        let isEven = whole % step == 0 && values.count == whole / step
        return isEven && zip(values, values.dropFirst()).allSatisfy { $1 - $0 == step } ? step : nil
    }

    private static func ranges(_ values: [Int], prefix: String = "", digits: Int = 2) -> [String] {
        OnCalendarPrinter.runs(values).map { run in
            let first = prefix + OnCalendarPrinter.padded(run.lowerBound, digits)
            let last = prefix + OnCalendarPrinter.padded(run.upperBound, digits)
            return first == last ? first : "\(first) to \(last)"
        }
    }

    private static func join(_ parts: [String]) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " and " + last
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? noun : "\(number) \(noun)s"
    }

    private static func ordinal(_ number: Int) -> String {
        let ending: String
        switch (number % 10, number / 10 == 1) {
        case (1, false): ending = "st"
        case (2, false): ending = "nd"
        case (3, false): ending = "rd"
        default: ending = "th"
        }
        return "\(number)\(ending)"
    }

    private static func two(_ number: Int) -> String { OnCalendarPrinter.padded(number, 2) }

    private static func capitalized(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst()
    }
}
