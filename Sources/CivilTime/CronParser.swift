// Cron's five fields, minute hour day month weekday, with names, ranges and steps, and its names
// for common times. Where crons differ the plain reading is taken; where cron is a trap (day OR
// weekday) the text is refused and the error says what to write.

struct CronParser {
    private var scanner: ExpressionScanner

    /// What crontabs write on a line of its own, accepted before the fields.
    static let zonePrefix = "CRON_TZ="

    static func parse(_ text: String) throws(ExpressionError) -> CalendarExpression {
        var parser = CronParser(scanner: ExpressionScanner(text))
        return try parser.parse()
    }

    private init(scanner: ExpressionScanner) {
        self.scanner = scanner
    }

    private static let nicknames: [String: String] = [
        "yearly": "0 0 1 1 *", "annually": "0 0 1 1 *", "monthly": "0 0 1 * *",
        "weekly": "0 0 * * 0", "daily": "0 0 * * *", "midnight": "0 0 * * *", "hourly": "0 * * * *",
    ]

    private mutating func parse() throws(ExpressionError) -> CalendarExpression {
        scanner.skipSpaces()
        guard !scanner.isAtEnd else { throw ExpressionError(.empty, at: 0) }
        var zone: String?
        if scanner.bytes[scanner.position...].starts(with: Self.zonePrefix.utf8) {
            scanner.position += Self.zonePrefix.utf8.count
            let end = scanner.wordEnd()
            let name = Array(scanner.bytes[scanner.position..<end])
            zone = try ZoneName.read(name, at: scanner.position)
            scanner.position = end
            scanner.skipSpaces()
        }
        let pattern = try scanner.consume("@") ? readNickname() : readFields()
        scanner.skipSpaces()
        if !scanner.isAtEnd {
            guard zone == nil else { throw scanner.unexpected("the end") }
            zone = try scanner.zoneName()
        }
        return CalendarExpression(pattern: pattern, timeZone: zone)
    }

    private mutating func readNickname() throws(ExpressionError) -> CalendarPattern {
        let start = scanner.position
        let word = scanner.consumeWord()
        if word == "reboot" { throw ExpressionError(.reboot, at: start) }
        guard let fields = Self.nicknames[word], scanner.isAtSpace else {
            throw ExpressionError(.unexpected(expecting: "@daily, @weekly or the like"), at: start)
        }
        return try Self.parse(fields).pattern
    }

    private mutating func readFields() throws(ExpressionError) -> CalendarPattern {
        try checkFieldCount()
        let minute = try readPlace(.minute)
        let hour = try readPlace(.hour)
        let dayOffset = scanner.position
        let day = try readPlace(.day)
        let month = try readPlace(.month)
        let weekday = try readPlace(.weekday)
        var fields = PlaceFields()
        fields.add(.month, month)
        var weekdays: [Int]?
        if case .list(let list) = weekday { weekdays = Array(Set(list)).sorted() }
        fields.addDay(day, weekdays: weekdays)
        fields.add(.hour, hour)
        fields.add(.minute, minute)
        fields.add(.second, .list([0]))
        let pattern = try fields.pattern()
        if weekdays != nil && day != .any {
            let both = CalendarExpression(pattern: pattern).text
            throw ExpressionError(.dayOrWeekday(both: both), at: dayOffset)
        }
        return pattern
    }

    /// Five words, and a sixth only if it can be a zone: its first letter is not a digit or sign.
    private func checkFieldCount() throws(ExpressionError) {
        let words = scanner.bytes[scanner.position...].split { ExpressionScanner.isSpace($0) }
        guard words.count != 5 else { return }
        let mayBeZone = words.last?.first.map { ZoneName.isLetter($0) } ?? false
        guard words.count == 6 && mayBeZone else {
            throw ExpressionError(.cronFieldCount(words.count), at: scanner.position)
        }
    }

    /// One field and the spaces after it; `?` is what some crons write for an unused `*`.
    private mutating func readPlace(
        _ field: CalendarPattern.Field
    ) throws(ExpressionError) -> PlaceValues {
        var place = ExpressionPlace()
        let start = scanner.position
        if field == .day || field == .weekday, scanner.consume("?") {
            place.parts.append(ExpressionPlace.Part(offset: start))
        } else {
            repeat { place.parts.append(try readPart(field)) } while scanner.consume(",")
        }
        guard scanner.isAtSpace else { throw scanner.unexpected("a comma or a space") }
        scanner.skipSpaces()
        return try place.values(of: field)
    }

    private mutating func readPart(
        _ field: CalendarPattern.Field
    ) throws(ExpressionError) -> ExpressionPlace.Part {
        var part = ExpressionPlace.Part(offset: scanner.position)
        if !scanner.consume("*") {
            part.first = try readValue(field)
            if scanner.consume("-") { part.last = try readValue(field) }
        }
        if scanner.consume("/") { part.step = try scanner.step() }
        // Cron counts weekdays from 0 = Sunday, and 7 is Sunday again: 5-7 runs to Sunday.
        // Weekdays are 0 = Sunday to 7 = Sunday again, here one more: 5-7 runs over the week's
        // end, and 0-7 is all of it.
        if part.last == 8 && field == .weekday { part.last = part.first == 1 ? 7 : 1 }
        if part.first == 8 && field == .weekday { part.first = 1 }
        return part
    }

    private mutating func readValue(
        _ field: CalendarPattern.Field
    ) throws(ExpressionError) -> Int {
        let start = scanner.position
        let isLetter = scanner.current.map { ZoneName.isLetter($0) } ?? false
        if isLetter && (field == .month || field == .weekday) {
            let word = scanner.consumeWord()
            let number = field == .month ? CalendarNames.month(word) : CalendarNames.weekday(word)
            guard let number else {
                throw ExpressionError(
                    .unexpected(expecting: "the name of a \(field.name)"), at: start)
            }
            return number
        }
        let number = try scanner.number("a number or *")
        guard field == .weekday else { return number }
        guard number <= 7 else {
            throw ExpressionError(.outOfRange(.weekday, value: number), at: start)
        }
        return number + 1
    }
}
