// The fired ranges of a request as one short text: "lower+length", oldest first, separated by
// spaces; a range of one instant is its number alone. Most requests have none or one.

import CivilTime
package import Scheduling

extension FiredRanges {
    /// Microseconds in decimal, such as `1766000000000000 1766086400000000+86400000000`.
    package var compact: String {
        guard !ranges.isEmpty else { return "" }
        return ranges.map { range in
            let lower = range.lowerBound.microseconds
            let length = range.upperBound.microseconds - lower
            return length == 0 ? "\(lower)" : "\(lower)+\(length)"
        }.joined(separator: " ")
    }

    /// The ranges that `compact` wrote; nil for any other text.
    package init?(compact: String) {
        self.init()
        guard !compact.isEmpty else { return }
        var ranges: [ClosedRange<WallInstant>] = []
        for part in compact.split(separator: " ", omittingEmptySubsequences: false) {
            let numbers = part.split(separator: "+", omittingEmptySubsequences: false)
            guard numbers.count <= 2, let lower = Int64(numbers[0]) else { return nil }
            var upper = lower
            if numbers.count == 2 {
                guard let length = Int64(numbers[1]), length > 0 else { return nil }
                let (sum, overflow) = lower.addingReportingOverflow(length)
                guard !overflow else { return nil }
                upper = sum
            }
            ranges.append(WallInstant(microseconds: lower)...WallInstant(microseconds: upper))
        }
        guard ranges.count <= Self.limit else { return nil }
        self.init(ranges: ranges)
    }
}
