// Spans for people: the two largest units that matter, rounded down, so that "time left" is never
// longer than what is left.

/// Renders spans of microseconds.
package enum SpanText {
    /// About how long: at most two units, "2 d 3 h", "5 min", "under 1 s".
    package static func rough(microseconds: Int64) -> String {
        let seconds = microseconds / 1_000_000
        if seconds < 1 { return "under 1 s" }
        let minutes = seconds / 60
        let hours = minutes / 60
        let days = hours / 24
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<600: return pair(minutes, "min", seconds % 60, "s")
        case ..<3_600: return "\(minutes) min"
        case ..<86_400: return pair(hours, "h", minutes % 60, "min")
        case ..<(14 * 86_400): return pair(days, "d", hours % 24, "h")
        case ..<(2 * 366 * 86_400): return "\(days) d"
        default:
            // A mean Gregorian year has 31,556,952 seconds.
            return "\(seconds / 31_556_952) years"
        }
    }

    /// What is left until an instant, or how long it has passed: "in 5 min", "2 h ago", "now".
    package static func relative(to instantUsec: Int64, from nowUsec: Int64) -> String {
        let (distance, overflow) = instantUsec.subtractingReportingOverflow(nowUsec)
        if overflow { return "far away" }
        if abs(distance) < 1_000_000 { return "now" }
        return distance > 0
            ? "in \(rough(microseconds: distance))" : "\(rough(microseconds: -distance)) ago"
    }

    private static func pair(_ big: Int64, _ bigUnit: String, _ small: Int64, _ unit: String)
        -> String
    {
        small == 0 ? "\(big) \(bigUnit)" : "\(big) \(bigUnit) \(small) \(unit)"
    }
}
