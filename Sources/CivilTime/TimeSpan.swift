// A span of elapsed time, and how both programs print it when nothing may be rounded away.

/// A span in microseconds.
package struct TimeSpan: Sendable, Hashable, Comparable {
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package var seconds: Double { Double(microseconds) / 1_000_000 }

    package static func < (left: Self, right: Self) -> Bool {
        left.microseconds < right.microseconds
    }
}

extension TimeSpan: CustomStringConvertible {
    /// Exactly, as `schedctl add --in` and `--every` read it back: "1 h 30 min", "1 min 30.5 s".
    package var description: String {
        if microseconds == 0 { return "0 s" }
        var parts: [String] = []
        var rest = microseconds.magnitude
        for (name, unit) in Self.units where rest >= unit {
            parts.append("\(rest / unit) \(name)")
            rest %= unit
        }
        if rest > 0 { parts.append("\(Self.decimalSeconds(rest)) s") }
        return (microseconds < 0 ? "-" : "") + parts.joined(separator: " ")
    }

    private static let units: [(String, UInt64)] = [
        ("d", 86_400_000_000), ("h", 3_600_000_000), ("min", 60_000_000),
    ]

    private static func decimalSeconds(_ microseconds: UInt64) -> String {
        let (whole, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        if fraction == 0 { return "\(whole)" }
        var digits = String(1_000_000 + fraction).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits)"
    }
}
