// WHEN as people type it, read in two steps: the grammar gives a value, and the value gets its
// meaning from a zone and the present. Local times follow schedd's own rules: in a gap the first
// instant after it, in an overlap the first pass that has not gone by (semantics.md, section 2).

package import CivilTime

/// A point in time as written.
package enum WhenText: Hashable, Sendable {
    /// `@1764579600`, or RFC 3339 with an offset.
    case instant(WallInstant)
    /// `2026-12-01 09:00`: a local time, with microseconds within its second.
    case local(CivilDateTime, microseconds: Int64)
    /// `09:00`: the next such time.
    case timeOfDay(hour: Int, minute: Int, second: Int)

    /// Reads one of the forms; the error is one sentence without the option's name.
    package init(text: String) throws(UsageError) {
        var reader = DigitReader(text)
        if reader.consume("@") {
            self = .instant(try Self.epoch(&reader))
            return
        }
        if text.contains(":"), !text.contains("-") {
            let time = try Self.time(&reader)
            if !reader.isAtEnd || time.microseconds != 0 { throw reader.malformed() }
            self = .timeOfDay(hour: time.hour, minute: time.minute, second: time.second)
            return
        }
        let date = try Self.date(&reader)
        if reader.isAtEnd {
            throw UsageError("'\(text)' has no time of day; write '\(text) 09:00' if you mean that")
        }
        guard reader.consume(" ") || reader.consume("T") || reader.consume("t") else {
            throw reader.malformed()
        }
        let time = try Self.time(&reader)
        let civil = CivilDateTime(
            date: date, hour: time.hour, minute: time.minute, second: time.second)
        if let offset = try Self.offset(&reader) {
            self = .instant(
                WallInstant(
                    microseconds: (civil.localSeconds - offset) * 1_000_000 + time.microseconds))
        } else {
            self = .local(civil, microseconds: time.microseconds)
        }
        if !reader.isAtEnd { throw reader.malformed() }
    }

    /// The instant that is meant in a zone. Of a local time that comes twice it is the first pass
    /// that is later than `reference`, else the first.
    package func instant(in zone: Zone, after reference: WallInstant) -> WallInstant {
        switch self {
        case .instant(let instant):
            return instant
        case .local(let civil, let microseconds):
            return Self.passes(of: civil.localSeconds, microseconds, in: zone)
                .pick(after: reference)
        case .timeOfDay(let hour, let minute, let second):
            let now = reference.wholeSeconds
            let today = CivilDateTime(localSeconds: now + Int64(zone.offset(at: now))).date
            // Today's may be gone, and the zone may jump over the whole of tomorrow.
            for day in today.daysSinceEpoch...(today.daysSinceEpoch + 3) where exists(day, in: zone)
            {
                let civil = CivilDateTime(
                    date: CivilDate(daysSinceEpoch: day), hour: hour, minute: minute,
                    second: second)
                let instant = Self.passes(of: civil.localSeconds, 0, in: zone)
                    .pick(after: reference)
                if instant > reference { return instant }
            }
            preconditionFailure("a time of day comes within three days")
        }
    }

    /// Whether the zone has that date, or jumps over it as Samoa did over 30 December 2011.
    private func exists(_ day: Int, in zone: Zone) -> Bool {
        let start = CivilDateTime(date: CivilDate(daysSinceEpoch: day)).localSeconds
        guard case .gap(let transition) = zone.resolve(local: start) else { return true }
        return zone.resolve(local: start + 86_399) != .gap(transition: transition)
    }

    private struct Passes {
        var first: WallInstant
        var second: WallInstant?

        func pick(after reference: WallInstant) -> WallInstant {
            guard let second, first <= reference, second > reference else { return first }
            return second
        }
    }

    private static func passes(
        of local: Int64, _ microseconds: Int64, in zone: Zone
    ) -> Passes {
        func instant(_ seconds: Int64) -> WallInstant {
            WallInstant(microseconds: seconds * 1_000_000 + microseconds)
        }
        switch zone.resolve(local: local) {
        case .single(let seconds): return Passes(first: instant(seconds))
        // The instant after the gap is whole: what was skipped has no fraction left.
        case .gap(let transition): return Passes(first: WallInstant(seconds: transition))
        case .overlap(let first, let second):
            return Passes(first: instant(first), second: instant(second))
        }
    }
}

extension WhenText {
    private static func epoch(_ reader: inout DigitReader) throws(UsageError) -> WallInstant {
        let isNegative = reader.consume("-")
        let seconds = try reader.number(digits: 1...12)
        let fraction = try reader.fraction()
        if !reader.isAtEnd { throw reader.malformed() }
        let microseconds = seconds * 1_000_000 + fraction
        return WallInstant(microseconds: isNegative ? -microseconds : microseconds)
    }

    private static func date(_ reader: inout DigitReader) throws(UsageError) -> CivilDate {
        let year = Int(try reader.number(digits: 4...4))
        try reader.expect("-")
        let month = Int(try reader.number(digits: 2...2))
        try reader.expect("-")
        let day = Int(try reader.number(digits: 2...2))
        if !(1...12).contains(month) { throw reader.refuse("month \(month): there are 12") }
        if year < 1 { throw reader.refuse("year 0: years are 0001 to 9999") }
        let days = CivilDate.daysInMonth(month, ofYear: year)
        if !(1...days).contains(day) {
            throw reader.refuse("day \(day): that month has \(days) days")
        }
        return CivilDate(year: year, month: month, day: day)
    }

    private static func time(
        _ reader: inout DigitReader
    ) throws(UsageError) -> (hour: Int, minute: Int, second: Int, microseconds: Int64) {
        let hour = Int(try reader.number(digits: 1...2))
        try reader.expect(":")
        let minute = Int(try reader.number(digits: 2...2))
        var second = 0
        var microseconds: Int64 = 0
        if reader.consume(":") {
            second = Int(try reader.number(digits: 2...2))
            microseconds = try reader.fraction()
        }
        if hour > 23 { throw reader.refuse("hour \(hour): hours are 0 to 23") }
        if minute > 59 { throw reader.refuse("minute \(minute): minutes are 0 to 59") }
        if second > 59 { throw reader.refuse("second \(second): seconds are 0 to 59") }
        return (hour, minute, second, microseconds)
    }

    /// Seconds east of UTC; nil when no offset is written.
    private static func offset(_ reader: inout DigitReader) throws(UsageError) -> Int64? {
        if reader.isAtEnd { return nil }
        _ = reader.consume(" ")
        if reader.consume("Z") || reader.consume("z") { return 0 }
        let isWest = reader.consume("-")
        if !isWest { try reader.expect("+") }
        let hours = try reader.number(digits: 2...2)
        try reader.expect(":")
        let minutes = try reader.number(digits: 2...2)
        if hours > 23 || minutes > 59 { throw reader.malformed() }
        let seconds = (hours * 60 + minutes) * 60
        return isWest ? -seconds : seconds
    }
}
