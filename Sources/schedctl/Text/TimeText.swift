// Instants for people: in the user's zone, with the weekday, and with the offset where it matters.

package import CivilTime

/// Renders instants.
package enum TimeText {
    /// "Tue 2026-12-01 09:00:00" in a zone; fractions of a second are left out.
    package static func local(_ usec: Int64, in zone: Zone) -> String {
        local(usec, offset: zone.offset(at: WallInstant(microseconds: usec).wholeSeconds))
    }

    /// The same where the clocks are so many seconds ahead of UTC.
    package static func local(_ usec: Int64, offset: Int32) -> String {
        let seconds = WallInstant(microseconds: usec).wholeSeconds
        return CivilDateTime(localSeconds: seconds + Int64(offset)).textWithWeekday
    }

    /// "Tue 2026-12-01 09:00:00 +01:00".
    package static func localWithOffset(_ usec: Int64, in zone: Zone) -> String {
        let seconds = WallInstant(microseconds: usec).wholeSeconds
        return "\(local(usec, in: zone)) \(offset(zone.offset(at: seconds)))"
    }

    /// "2026-12-01 08:00:00 UTC".
    package static func utc(_ usec: Int64) -> String {
        let seconds = WallInstant(microseconds: usec).wholeSeconds
        return "\(CivilDateTime(localSeconds: seconds).text) UTC"
    }

    /// "+01:00"; with seconds where the zone has some, as in the 19th century.
    package static func offset(_ seconds: Int32) -> String {
        let magnitude = Int(seconds.magnitude)
        let clock = "\(two(magnitude / 3_600)):\(two(magnitude / 60 % 60))"
        let tail = magnitude % 60 == 0 ? "" : ":\(two(magnitude % 60))"
        return (seconds < 0 ? "-" : "+") + clock + tail
    }

    private static func two(_ value: Int) -> String {
        value < 10 ? "0\(value)" : "\(value)"
    }
}
