// A zone's whole time line as one sorted table of segments, and the lookups in it.
// A footer rule is unrolled for one full cycle of the calendar, 400 years after the last transition
// of the file, with some years to spare on both sides. Leap years and weekdays repeat with the
// cycle, so every later instant is looked up by its twin within the cycle: no search here ever
// does civil arithmetic, and none runs over the end of the table.

/// A stretch of time with one offset; it lasts until the next segment starts.
struct ZoneSegment: Equatable {
    /// Seconds since the epoch; the first segment of all starts at `Int64.min`.
    let start: Int64
    let offset: Int32
    /// Index into `ZoneTimeline.kinds`.
    let kind: UInt16
}

/// Immutable, and shared by the copies of a `Zone`.
final class ZoneTimeline: Sendable {
    /// Ascending, neighbours never alike, at least one.
    let segments: [ZoneSegment]
    let kinds: [ZoneOffset]
    /// The extremes of all offsets: an instant of local second s lies in s - most...s - least.
    let leastOffset: Int64
    let mostOffset: Int64
    /// Instants from `cycleEnd` on repeat those from `cycleStart`; both are `Int64.max` when
    /// nothing repeats.
    let cycleStart: Int64
    let cycleEnd: Int64
    /// The rule holds for all the past as well: there was no table before it.
    let repeatsBackward: Bool
    /// For each bucket of 2^23 seconds (97 days) from `guideStart` on, the segment in force at its
    /// start: a lookup has at most one or two segments left to choose from.
    private let guide: [UInt16]

    /// 400 Gregorian years.
    static let cycleSeconds = Int64(daysInEra * secondsInDay)
    private static let guideShift: Int64 = 23
    /// -2^32 is 24 November 1833; 2,048 buckets reach to the year 2378.
    private static let guideStart: Int64 = -(1 << 32)
    private static let mostBuckets: Int64 = 2_048

    init(_ builder: ZoneTimelineBuilder) {
        let segments = builder.segments
        self.segments = segments
        kinds = builder.kinds
        cycleStart = builder.cycleStart
        cycleEnd = builder.cycleEnd
        repeatsBackward = builder.repeatsBackward
        leastOffset = Int64(segments.lazy.map(\.offset).min() ?? 0)
        mostOffset = Int64(segments.lazy.map(\.offset).max() ?? 0)

        // Both bounds are within ±2^60: see `TZifFile.instants`.
        let lastStart = segments.count > 1 ? segments[segments.count - 1].start : Self.guideStart
        let reach = min(lastStart, cycleEnd) - Self.guideStart
        let buckets = min(max(reach >> Self.guideShift, 0), Self.mostBuckets)
        var guide: [UInt16] = []
        var index = 0
        for bucket in 0...buckets {
            let start = Self.guideStart + bucket << Self.guideShift
            while index + 1 < segments.count, segments[index + 1].start <= start { index += 1 }
            guide.append(UInt16(index))
        }
        self.guide = guide
    }

    /// The index of the segment in force; the instant must be one that `reduce` left as it is.
    @inline(__always)
    func index(at instant: Int64) -> Int {
        var low = 0
        var high = segments.count - 1
        let distance = UInt64(bitPattern: instant &- Self.guideStart)
        let bucket = Int(truncatingIfNeeded: distance >> UInt64(Self.guideShift))
        if bucket < guide.count - 1 {
            low = Int(guide[bucket])
            high = Int(guide[bucket + 1])
            // Nearly always; a choice without a branch, as nothing could predict it.
            if high - low <= 1 { return segments[high].start <= instant ? high : low }
        } else if segments[high].start <= instant {
            return high
        } else if instant < Self.guideStart {
            high = Int(guide[0])
        }
        while low < high {
            let middle = (low + high + 1) / 2
            if segments[middle].start <= instant { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// The instant's twin within the table, and what to add to come back.
    ///
    /// The sum may wrap around for instants within 26 billion years of `Int64`'s ends only; callers
    /// that return instants check the order of what they get.
    @inline(__always)
    func reduce(_ instant: Int64) -> (instant: Int64, shift: Int64) {
        if instant < cycleEnd, instant >= cycleStart || !repeatsBackward { return (instant, 0) }
        return reduceByCycles(instant)
    }

    private func reduceByCycles(_ instant: Int64) -> (instant: Int64, shift: Int64) {
        let cycle = UInt64(Self.cycleSeconds)
        let shift: Int64
        if instant >= cycleEnd {
            // The distance is exact even where a signed one would overflow.
            let cycles = UInt64(bitPattern: instant &- cycleStart) / cycle
            shift = Int64(bitPattern: cycles &* cycle)
        } else {
            let cycles = (UInt64(bitPattern: cycleStart &- instant) + cycle - 1) / cycle
            shift = 0 &- Int64(bitPattern: cycles &* cycle)
        }
        return (instant &- shift, shift)
    }
}
