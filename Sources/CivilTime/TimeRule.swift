// The time of day that a pattern names: three masks, absent fields already filled in. Within one
// day the search is a few bit scans.

/// Which seconds of a civil day match.
struct TimeRule: Sendable, Hashable {
    static let allHours: UInt32 = 1 << 24 - 1
    private static let allMinutes: UInt64 = 1 << 60 - 1

    let hours: UInt32
    let minutes: UInt64
    let seconds: UInt64

    /// A field is free when nothing larger is given, and else at its first value, 0.
    init(_ fields: FieldValues) {
        if fields.contains(.hour) {
            hours = fields.hours.bits
        } else {
            hours = fields.namesDate ? 1 : Self.allHours
        }
        if fields.contains(.minute) {
            minutes = fields.minutes.bits
        } else {
            minutes = fields.namesDate || fields.contains(.hour) ? 1 : Self.allMinutes
        }
        seconds = fields.contains(.second) ? fields.seconds.bits : 1
    }

    /// The first matching second of a day; every mask has a bit.
    var first: Int {
        hours.trailingZeroBitCount * 3600 + minutes.trailingZeroBitCount * 60
            + seconds.trailingZeroBitCount
    }

    /// The last matching second of a day.
    var last: Int {
        (31 - hours.leadingZeroBitCount) * 3600 + (63 - minutes.leadingZeroBitCount) * 60 + 63
            - seconds.leadingZeroBitCount
    }

    /// The first matching second of the day from `secondOfDay` (0..<86,400) on.
    func first(from secondOfDay: Int) -> Int? {
        let hour = secondOfDay / 3600
        let minute = secondOfDay / 60 % 60
        let second = secondOfDay % 60
        if hours >> UInt32(hour) & 1 == 1 {
            if minutes >> UInt64(minute) & 1 == 1 {
                let later = seconds >> UInt64(second)
                if later != 0 { return secondOfDay + later.trailingZeroBitCount }
            }
            let later = minutes >> UInt64(minute + 1)
            if later != 0 {
                return hour * 3600 + (minute + 1 + later.trailingZeroBitCount) * 60
                    + seconds.trailingZeroBitCount
            }
        }
        let later = hours >> UInt32(hour + 1)
        guard later != 0 else { return nil }
        return (hour + 1 + later.trailingZeroBitCount) * 3600 + minutes.trailingZeroBitCount * 60
            + seconds.trailingZeroBitCount
    }

    /// The last matching second of the day up to and with `secondOfDay` (0..<86,400).
    func last(through secondOfDay: Int) -> Int? {
        let hour = secondOfDay / 3600
        let minute = secondOfDay / 60 % 60
        let second = secondOfDay % 60
        if hours >> UInt32(hour) & 1 == 1 {
            if minutes >> UInt64(minute) & 1 == 1 {
                let earlier = seconds << UInt64(63 - second)
                if earlier != 0 { return secondOfDay - earlier.leadingZeroBitCount }
            }
            let earlier = minutes & (1 << UInt64(minute) - 1)
            if earlier != 0 {
                return hour * 3600 + (63 - earlier.leadingZeroBitCount) * 60 + 63
                    - seconds.leadingZeroBitCount
            }
        }
        let earlier = hours & (1 << UInt32(hour) - 1)
        guard earlier != 0 else { return nil }
        return (31 - earlier.leadingZeroBitCount) * 3600
            + (63 - minutes.leadingZeroBitCount) * 60 + 63 - seconds.leadingZeroBitCount
    }
}
