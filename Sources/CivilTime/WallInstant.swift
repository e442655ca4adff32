// A point on the wall clock, as stored and as sent: whole microseconds since the Unix epoch.
// It lives in the lowest module because zones, triggers and the wire all speak of it.

/// An instant of CLOCK_REALTIME in microseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// The wall clock jumps and survives a reboot; spans between two readings mean nothing unless both
/// were taken between two clock changes.
package struct WallInstant: Sendable, Hashable, Comparable, Codable {
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The instant of a whole second; traps when `seconds` is beyond ±292,000 years.
    package init(seconds: Int64) {
        microseconds = seconds * 1_000_000
    }

    /// The last whole second at or before this instant.
    package var wholeSeconds: Int64 {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.microseconds < right.microseconds
    }
}
