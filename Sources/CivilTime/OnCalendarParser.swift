// systemd's calendar events, after systemd.time(7): weekdays, a date, a time and a zone, each of
// which may be left out. Read wider than systemd reads in a few places: `*/5`, `Fri..Mon`, a `T`
// between date and time, `~03..01`; never otherwise than systemd where it reads.

struct OnCalendarParser {
    private var scanner: ExpressionScanner
    private var year = PlaceValues.any
    private var month = PlaceValues.any
    private var day = PlaceValues.any
    private var hour = PlaceValues.list([0])
    private var minute = PlaceValues.list([0])
    private var second = PlaceValues.list([0])
    private var weekdays: [Int]?

    static func parse(_ text: String) throws(ExpressionError) -> CalendarExpression {
        var parser = OnCalendarParser(scanner: ExpressionScanner(text))
        return try parser.parse()
    }

    private init(scanner: ExpressionScanner) {
        self.scanner = scanner
    }

    private mutating func parse() throws(ExpressionError) -> CalendarExpression {
        scanner.skipSpaces()
        guard !scanner.isAtEnd else { throw ExpressionError(.empty, at: 0) }
        var zone: String?
        if scanner.consume("@") {
            try readEpoch()
            zone = "UTC"
        } else if !(try readShorthand()) {
            try readParts()
        }
        scanner.skipSpaces()
        if !scanner.isAtEnd && zone == nil { zone = try scanner.zoneName() }
        guard scanner.isAtEnd else { throw scanner.unexpected("the end") }
        var fields = PlaceFields()
        fields.add(.year, year)
        fields.add(.month, month)
        fields.addDay(day, weekdays: weekdays)
        fields.add(.hour, hour)
        fields.add(.minute, minute)
        fields.add(.second, second)
        return CalendarExpression(pattern: try fields.pattern(), timeZone: zone)
    }

    /// Weekdays, date and time; at least one of the three.
    private mutating func readParts() throws(ExpressionError) {
        let start = scanner.position
        if let byte = scanner.current, ZoneName.isLetter(byte) {
            try readWeekdays()
            scanner.skipSpaces()
        }
        if startsWithValue, !nextWordIsTime { try readDate() }
        scanner.skipSpaces()
        if startsWithValue { try readTime() }
        guard scanner.position > start else {
            throw scanner.unexpected("a weekday, a date or a time, such as Mon..Fri 09:00")
        }
    }

    private var startsWithValue: Bool {
        guard let byte = scanner.current else { return false }
        return 48...57 ~= byte || byte == UInt8(ascii: "*")
    }

    /// A colon comes before anything that only a date has.
    private var nextWordIsTime: Bool {
        for byte in scanner.bytes[scanner.position..<scanner.wordEnd()] {
            if byte == UInt8(ascii: ":") { return true }
            if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "~") { return false }
        }
        return false
    }
}

// MARK: Names

extension OnCalendarParser {
    private static let shorthands: [String: (months: PlaceValues, days: PlaceValues)] = [
        "minutely": (.any, .any), "hourly": (.any, .any), "daily": (.any, .any),
        "weekly": (.any, .any), "monthly": (.any, .list([1])), "yearly": (.list([1]), .list([1])),
        "annually": (.list([1]), .list([1])), "anually": (.list([1]), .list([1])),
        "quarterly": (.list([1, 4, 7, 10]), .list([1])),
        "semiannually": (.list([1, 7]), .list([1])), "biannually": (.list([1, 7]), .list([1])),
        "bi-annually": (.list([1, 7]), .list([1])), "semi-annually": (.list([1, 7]), .list([1])),
    ]

    /// `daily` and the like, which only a zone may follow.
    private mutating func readShorthand() throws(ExpressionError) -> Bool {
        let word = String(
            decoding: scanner.bytes[scanner.position..<scanner.wordEnd()], as: UTF8.self)
        guard let dates = Self.shorthands[word.lowercased()] else { return false }
        scanner.position = scanner.wordEnd()
        (month, day) = dates
        switch word.lowercased() {
        case "weekly": weekdays = [2]
        case "hourly": hour = .any
        case "minutely":
            hour = .any
            minute = .any
        default: break
        }
        return true
    }

    /// Seconds since the epoch; one instant, so all places are given in UTC.
    private mutating func readEpoch() throws(ExpressionError) {
        let start = scanner.position
        var seconds: Int64 = 0
        // Twelve digits pass the year 9999, which the fields refuse.
        while let byte = scanner.current, 48...57 ~= byte, scanner.position - start < 12 {
            seconds = seconds * 10 + Int64(byte - 48)
            scanner.position += 1
        }
        guard scanner.position > start else { throw scanner.unexpected("seconds since 1970") }
        if scanner.current == UInt8(ascii: ".") {
            throw ExpressionError(.fraction, at: scanner.position)
        }
        guard scanner.isAtSpace else { throw scanner.unexpected("seconds since 1970") }
        let time = CivilDateTime(localSeconds: seconds)
        guard CalendarPattern.Field.year.range.contains(time.year) else {
            throw ExpressionError(.outOfRange(.year, value: time.year), at: start)
        }
        year = .list([time.year])
        month = .list([time.month])
        day = .list([time.day])
        hour = .list([time.hour])
        minute = .list([time.minute])
        second = .list([time.second])
    }

    /// `Mon,Wed..Fri`, also with one hyphen for the dots, and with a comma at the end.
    private mutating func readWeekdays() throws(ExpressionError) {
        var found: [Int] = []
        repeat {
            if scanner.isAtSpace && !found.isEmpty { break }
            let first = try readWeekday()
            var last = first
            if scanner.consumeDots() || scanner.consume("-") { last = try readWeekday() }
            // A range may run over the end of the week.
            for offset in 0...Gregorian.modulo(last - first, 7) {
                found.append((first - 1 + offset) % 7 + 1)
            }
        } while scanner.consume(",")
        guard scanner.isAtSpace else { throw scanner.unexpected("a comma or a space") }
        weekdays = Array(Set(found)).sorted()
    }

    private mutating func readWeekday() throws(ExpressionError) -> Int {
        let start = scanner.position
        guard let weekday = CalendarNames.weekday(scanner.consumeWord()) else {
            throw ExpressionError(.unexpected(expecting: "a weekday"), at: start)
        }
        return weekday
    }
}

// MARK: Dates and times

extension OnCalendarParser {
    /// `year-month-day` or `month-day`, with `~` before a day that is counted from the end.
    private mutating func readDate() throws(ExpressionError) {
        let first = try readPlace()
        if scanner.consume("~") {
            month = try first.values(of: .month)
            day = try readPlace().values(of: .day, fromEnd: true)
        } else {
            guard scanner.consume("-") else {
                throw scanner.unexpected("- in a date or : in a time")
            }
            let second = try readPlace()
            let isFromEnd = scanner.current == UInt8(ascii: "~")
            if scanner.consume("-") || scanner.consume("~") {
                year = try first.values(of: .year)
                month = try second.values(of: .month)
                day = try readPlace().values(of: .day, fromEnd: isFromEnd)
            } else {
                month = try first.values(of: .month)
                day = try second.values(of: .day)
            }
        }
        if !scanner.consume("T") && !scanner.isAtSpace {
            throw scanner.unexpected("a space after the date")
        }
    }

    private mutating func readTime() throws(ExpressionError) {
        hour = try readPlace().values(of: .hour)
        guard scanner.consume(":") else { throw scanner.unexpected(": and minutes") }
        minute = try readPlace().values(of: .minute)
        if scanner.consume(":") { second = try readPlace().values(of: .second) }
        guard scanner.isAtSpace else { throw scanner.unexpected("a space after the time") }
    }

    /// `*`, or values, ranges and steps between commas.
    private mutating func readPlace() throws(ExpressionError) -> ExpressionPlace {
        var place = ExpressionPlace()
        repeat {
            var part = ExpressionPlace.Part(offset: scanner.position)
            if !scanner.consume("*") {
                part.first = try scanner.number("a number or *")
                if scanner.consumeDots() { part.last = try scanner.number("the end of the range") }
                try refuseFraction()
            }
            if scanner.consume("/") {
                part.step = try scanner.step()
                try refuseFraction()
            }
            place.parts.append(part)
        } while scanner.consume(",")
        return place
    }

    private func refuseFraction() throws(ExpressionError) {
        guard scanner.current != UInt8(ascii: ".") else {
            throw ExpressionError(.fraction, at: scanner.position)
        }
    }
}
