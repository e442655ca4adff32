// A date and a time of day without a zone: what a clock on the wall shows.
// Its number form, "local seconds", is the count of seconds since 1970-01-01T00:00:00 on that same
// clock, as if it stood in UTC; `Zone` turns local seconds into instants and back.

/// A civil date and time of day, to the second; there is no second 60.
package struct CivilDateTime: Sendable, Hashable {
    package var date: CivilDate
    /// 0...23.
    package var hour: Int
    /// 0...59.
    package var minute: Int
    /// 0...59.
    package var second: Int

    package init(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0
    ) {
        self.init(
            date: CivilDate(year: year, month: month, day: day),
            hour: hour, minute: minute, second: second)
    }

    package init(date: CivilDate, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        self.date = date
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// What the clock shows that many seconds after 1970-01-01T00:00:00 on the same clock.
    package init(localSeconds: Int64) {
        let days = floorDivide(Int(localSeconds), by: secondsInDay)
        // The first midnight of all lies before Int64.min; the difference is right all the same.
        let secondOfDay = Int(localSeconds) &- days &* secondsInDay
        date = CivilDate(daysSinceEpoch: days)
        hour = secondOfDay / 3_600
        minute = secondOfDay / 60 % 60
        second = secondOfDay % 60
    }

    /// Seconds after 1970-01-01T00:00:00 on the same clock; traps beyond ±292 billion years.
    package var localSeconds: Int64 {
        Int64(date.daysSinceEpoch * secondsInDay + hour * 3_600 + minute * 60 + second)
    }

    package var year: Int { date.year }
    package var month: Int { date.month }
    package var day: Int { date.day }
    /// 1 = Sunday ... 7 = Saturday.
    package var weekday: Int { date.weekday }
    /// 1...366.
    package var dayOfYear: Int { date.dayOfYear }
}

extension CivilDateTime: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        (left.date, left.hour, left.minute, left.second)
            < (right.date, right.hour, right.minute, right.second)
    }
}

let secondsInDay = 86_400
