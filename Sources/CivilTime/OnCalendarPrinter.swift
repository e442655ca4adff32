// The canonical OnCalendar text of a pattern: every place written out, two digits, the shortest
// list of runs and steps. It is printed from what the fields come to, so equal patterns print
// alike.

enum OnCalendarPrinter {
    /// `nil` for what OnCalendar has no words for: weeks of a year or month, days of the year,
    /// clamped days, days counted from both ends of the month, and years before 100.
    static func text(_ pattern: CalendarPattern) -> String? {
        let date = pattern.date
        guard date.isPlain, date.days == 0 || date.daysFromEnd == 0,
            pattern.firstWeekday == CalendarPattern.defaultFirstWeekday,
            pattern.minimumDaysInFirstWeek == CalendarPattern.defaultMinimumDaysInFirstWeek
        else { return nil }
        var text = ""
        if date.weekdays != DateRule.allWeekdays {
            text = weekdays(date.weekdays) + " "
        }
        if date.namesYears {
            let years = date.years.map { Int($0) }
            guard let first = years.first, first >= 100 else { return nil }
            text += list(years, digits: 4, last: ExpressionPlace.openYears.upperBound)
        } else {
            text += "*"
        }
        text += "-" + place(UInt64(date.months), CalendarPattern.Field.month.range)
        if date.days == .max {
            text += "-*"
        } else if date.daysFromEnd == 0 {
            text += "-" + place(UInt64(date.days) << 1, CalendarPattern.Field.day.range)
        } else {
            text += "~" + daysFromEnd(date.daysFromEnd)
        }
        let time = pattern.time
        text += " " + place(UInt64(time.hours), CalendarPattern.Field.hour.range)
        text += ":" + place(time.minutes, CalendarPattern.Field.minute.range)
        return text + ":" + place(time.seconds, CalendarPattern.Field.second.range)
    }

    /// Monday first, as in systemd: `Mon..Fri`, `Sat,Sun`.
    private static func weekdays(_ mask: UInt8) -> String {
        let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        // Sunday goes from bit 0 to the end.
        let days = (0..<7).filter { mask >> UInt8(($0 + 1) % 7) & 1 == 1 }
        return runs(days).map { run in
            run.lowerBound == run.upperBound
                ? names[run.lowerBound] : "\(names[run.lowerBound])..\(names[run.upperBound])"
        }.joined(separator: ",")
    }

    private static func place(_ mask: UInt64, _ range: ClosedRange<Int>) -> String {
        let values = range.filter { mask >> UInt64($0) & 1 == 1 }
        return values.count == range.count
            ? "*" : list(values, digits: 2, last: range.upperBound)
    }

    /// Bit 30 is the last day: `01`; a run that reaches it is written as a step, `07/1`.
    private static func daysFromEnd(_ mask: UInt32) -> String {
        let days = (1...31).filter { mask >> UInt32(31 - $0) & 1 == 1 }
        return runs(days).map { run in
            if run.lowerBound == run.upperBound { return padded(run.lowerBound, 2) }
            return run.lowerBound == 1
                ? "\(padded(run.upperBound, 2))/1"
                : "\(padded(run.lowerBound, 2))..\(padded(run.upperBound, 2))"
        }.joined(separator: ",")
    }

    /// A step if the values are evenly spaced, and else runs and single values.
    private static func list(_ values: [Int], digits: Int, last: Int) -> String {
        if values.count >= 3 {
            let step = values[1] - values[0]
            let isEven = zip(values, values.dropFirst()).allSatisfy { $1 - $0 == step }
            let (first, end) = (values[0], values[values.count - 1])
            if isEven && step > 1 {
                return end + step > last && end <= last
                    ? "\(padded(first, digits))/\(step)"
                    : "\(padded(first, digits))..\(padded(end, digits))/\(step)"
            }
        }
        return runs(values).map { run in
            run.lowerBound == run.upperBound
                ? padded(run.lowerBound, digits)
                : "\(padded(run.lowerBound, digits))..\(padded(run.upperBound, digits))"
        }.joined(separator: ",")
    }

    /// Neighbours from three on as a range, everything else by itself.
    static func runs(_ values: [Int]) -> [ClosedRange<Int>] {
        var result: [ClosedRange<Int>] = []
        var index = 0
        while index < values.count {
            var end = index
            while end + 1 < values.count, values[end + 1] == values[end] + 1 { end += 1 }
            if end < index + 2 { end = index }
            result.append(values[index]...values[end])
            index = end + 1
        }
        return result
    }

    static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
