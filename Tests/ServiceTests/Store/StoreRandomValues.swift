// Seeded random values of everything that is stored, with the awkward ones among them: empty and
// multi-byte texts, NULs, the ends of the number ranges, absent optionals.

import CivilTime
import Scheduling
import TestSupport

extension WallInstant {
    static func random(using random: inout SplitMix64) -> WallInstant {
        let extremes: [Int64] = [0, -1, .min, .max, Limits.latestWallMicroseconds]
        let number = Int64.random(in: 0...Limits.latestWallMicroseconds, using: &random)
        let extreme = extremes.randomElement(using: &random) ?? 0
        return WallInstant(microseconds: .random(in: 0..<8, using: &random) == 0 ? extreme : number)
    }
}

extension Optional {
    /// `value` in two of three cases.
    fileprivate static func random(
        _ value: Wrapped, using random: inout SplitMix64
    ) -> Wrapped? {
        UInt8.random(in: 0..<3, using: &random) == 0 ? nil : value
    }
}

private func randomText(using random: inout SplitMix64) -> String {
    let alphabet: [Character] = [
        "a", "Z", " ", "'", "\"", "\u{0}", "\n", "é", "ß", "日", "🛎️", "%",
    ]
    let count = Int.random(in: 0...40, using: &random)
    return String((0..<count).map { _ in alphabet.randomElement(using: &random) ?? "x" })
}

extension Content {
    static func random(using random: inout SplitMix64) -> Content {
        // A long one now and then, which needs pages of its own.
        let isLong = UInt8.random(in: 0..<10, using: &random) == 0
        let document = randomText(using: &random)
        return Content(
            title: randomText(using: &random),
            document: isLong ? String(repeating: document, count: 150) : document)
    }
}

extension Bounds {
    static func random(using random: inout SplitMix64) -> Bounds {
        Bounds(
            startsAt: .random(.random(using: &random), using: &random),
            endsAt: .random(.random(using: &random), using: &random),
            maxCount: .random(.random(in: 1...Int.max, using: &random), using: &random))
    }
}

extension Trigger {
    /// Compact texts of patterns of every shape.
    static let patterns = [
        "hour=9", "hour=9 second=30", "weekday=2,3,4,5,6 hour=9 minute=0,30", "day=-1 hour=18",
        "month=2 day=29", "weekday=3 weekdayOrdinal=-1 hour=7", "dayOfYear=100",
    ]

    static func random(using random: inout SplitMix64) -> Trigger {
        switch UInt8.random(in: 0..<6, using: &random) {
        case 0:
            return .now
        case 1:
            return .date(.random(using: &random))
        case 2:
            return .interval(
                IntervalTrigger(
                    period: .random(in: 1...Limits.spanMicroseconds, using: &random),
                    repeats: .random(using: &random), bounds: .random(using: &random)))
        default:
            let text = patterns.randomElement(using: &random) ?? "hour=9"
            guard let pattern = try? CalendarPattern(compact: text) else {
                preconditionFailure("not a pattern: \(text)")
            }
            let unit = Stride.Unit.allCases.randomElement(using: &random) ?? .day
            let zone = ["Europe/Zurich", "UTC", ""].randomElement(using: &random) ?? "UTC"
            let count = Int.random(in: 1...Stride.limit, using: &random)
            return .calendar(
                CalendarTrigger(
                    pattern: pattern, zone: .random(zone, using: &random),
                    repeats: .random(using: &random),
                    stride: .random(using: &random) ? Stride(count: count, unit: unit) : nil,
                    bounds: .random(using: &random)))
        }
    }
}

extension FiredRanges {
    static func random(using random: inout SplitMix64) -> FiredRanges {
        let count = Int.random(in: 0...limit, using: &random)
        return FiredRanges(
            ranges: (0..<count).map { _ in
                let lower = Int64.random(in: -1_000...1_000_000_000, using: &random)
                let length = Int64.random(in: 0...3, using: &random) * 86_400
                return WallInstant(microseconds: lower)...WallInstant(microseconds: lower + length)
            })
    }
}

extension PendingRequest {
    static func random(sequence: Int64, using random: inout SplitMix64) -> PendingRequest {
        let boot = BootInstant(microseconds: .random(in: 0...Int64.max, using: &random))
        return PendingRequest(
            app: "app" + randomText(using: &random),
            request: Request(
                identifier: "request \(sequence)" + randomText(using: &random),
                content: .random(using: &random), trigger: .random(using: &random),
                ifMissed: .random(using: &random) ? .deliver : .skip,
                latenessLimit: .random(
                    .random(in: 0...Limits.spanMicroseconds, using: &random), using: &random)),
            sequence: sequence, added: .random(using: &random),
            strideDay: .random(using: &random) ? .random(in: -1...99_999, using: &random) : nil,
            next: .random(using: &random) ? .boot(boot) : .wall(.random(using: &random)),
            occurrenceCount: .random(in: 0...Limits.occurrenceCount, using: &random),
            fired: .random(using: &random))
    }
}

extension Delivery {
    /// Of the request given, else of one that is gone.
    static func random(
        number: Int64, of request: PendingRequest? = nil, sequence: Int64? = nil,
        using random: inout SplitMix64
    ) -> Delivery {
        Delivery(
            number: number, app: randomText(using: &random),
            identifier: randomText(using: &random),
            sequence: request?.sequence ?? sequence ?? 1_000_000 + number,
            content: request?.request.content ?? .random(using: &random),
            due: .random(using: &random), fired: .random(using: &random),
            presented: .random(.random(using: &random), using: &random),
            late: .random(using: &random), missedCount: .random(in: 0...1_000, using: &random),
            latenessLimit: .random(.random(in: 0...Int64.max, using: &random), using: &random))
    }
}

extension Missed {
    static func random(number: Int64, using random: inout SplitMix64) -> Missed {
        Missed(
            number: number, app: randomText(using: &random),
            identifier: randomText(using: &random), title: randomText(using: &random),
            due: .random(using: &random), recorded: .random(using: &random),
            count: .random(in: 0...1_000, using: &random),
            reason: MissedReason(rawValue: .random(in: 0...3, using: &random)) ?? .skipped)
    }
}
