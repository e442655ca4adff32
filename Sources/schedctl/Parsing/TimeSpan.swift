// Spans of elapsed time as people type them: 90s, 20m, 1h30m, 2d, "1 h 30 min".
// A number always has a unit, since "20" alone means minutes to one reader and seconds to another;
// months and years are refused, since they are no fixed span.

package import CivilTime

extension TimeSpan {
    /// Of the seconds of a request, which are 100 years at most, so that the product is in range.
    init(seconds: Double) {
        self.init(microseconds: Int64((seconds * 1e6).rounded()))
    }

    private static let spellings: [(names: [String], microseconds: Int64)] = [
        (["us", "µs", "usec"], 1),
        (["ms", "msec"], 1_000),
        (["s", "sec", "secs", "second", "seconds"], 1_000_000),
        (["m", "min", "mins", "minute", "minutes"], 60_000_000),
        (["h", "hr", "hour", "hours"], 3_600_000_000),
        (["d", "day", "days"], 86_400_000_000),
        (["w", "week", "weeks"], 604_800_000_000),
    ]

    /// Reads a sum of numbers with units, never negative. The error is one sentence without the
    /// option's name.
    package init(text: String) throws(UsageError) {
        var rest = text.drop { $0 == " " }
        if rest.isEmpty { throw UsageError("a span is empty; write 90s, 20m, 1h30m or 2d") }
        var total: Int64 = 0
        while !rest.isEmpty {
            let part = try Self.part(&rest, of: text)
            let (sum, overflow) = total.addingReportingOverflow(part)
            if overflow { throw Self.tooLong(text) }
            total = sum
            rest = rest.drop { $0 == " " }
        }
        self.init(microseconds: total)
    }

    private static func part(
        _ rest: inout Substring, of text: String
    ) throws(UsageError) -> Int64 {
        let whole = consumeDigits(&rest)
        var fraction: Substring = ""
        if rest.first == "." {
            rest.removeFirst()
            fraction = consumeDigits(&rest)
            if fraction.isEmpty { throw malformed(text) }
        }
        if whole.isEmpty { throw malformed(text) }
        rest = rest.drop { $0 == " " }
        let name = rest.prefix { $0.isLetter }
        rest = rest.dropFirst(name.count)
        let number = fraction.isEmpty ? String(whole) : "\(whole).\(fraction)"
        let unit = try unit(named: String(name), after: number)
        guard let count = Int64(whole) else { throw tooLong(text) }
        let (product, overflow) = count.multipliedReportingOverflow(by: unit)
        if overflow { throw tooLong(text) }
        // The digits of the fraction count one by one, so that nothing is rounded on the way.
        var remainder: Int64 = 0
        var scale = unit
        for digit in fraction {
            scale /= 10
            remainder += Int64(digit.wholeNumberValue ?? 0) * scale
        }
        let (sum, sumOverflow) = product.addingReportingOverflow(remainder)
        if sumOverflow { throw tooLong(text) }
        return sum
    }

    private static func unit(
        named name: String, after number: String
    ) throws(UsageError) -> Int64 {
        if name.isEmpty {
            throw UsageError(
                "\(number) has no unit; write \(number)s, \(number)m, \(number)h or \(number)d")
        }
        if let unit = spellings.first(where: { $0.names.contains(name.lowercased()) }) {
            // "M" is a month to systemd and a minute to nobody.
            if name != "M" { return unit.microseconds }
        }
        if ["M", "mo", "month", "months", "y", "year", "years"].contains(name) {
            throw UsageError(
                "'\(EscapedText.line(name))' is no fixed span; use days or weeks, "
                    + "or --on for every month or year")
        }
        throw UsageError(
            "'\(EscapedText.line(name))' is not a unit of time; use s, m (or min), h, d or w")
    }

    private static func consumeDigits(_ rest: inout Substring) -> Substring {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest.dropFirst(digits.count)
        return digits
    }

    private static func malformed(_ text: String) -> UsageError {
        UsageError(
            "'\(EscapedText.line(text))' is no span; write 90s, 20m, 1h30m, 2d or '1 h 30 min'")
    }

    private static func tooLong(_ text: String) -> UsageError {
        UsageError("'\(EscapedText.line(text))' is too long; the longest span is 100 years")
    }
}
