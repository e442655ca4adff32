// A time zone as a value: which offset is in force at an instant, which instants a local time
// means, and where the transitions are, for every year. No clock, no file, no global state; a zone
// that changes on disk becomes a new value (`ZoneTable`).

/// The offsets of one place for all time.
///
/// Copies share their table. No lookup allocates; each takes O(log n) in the worst case, and in
/// years 1833 to 2378 constant time, as a guide leaves one or two candidates.
package struct Zone: Sendable {
    /// As it was asked for, such as `Europe/Berlin`; not read from the file.
    package let name: String
    private let timeline: ZoneTimeline

    /// Nothing longer is read as a zone file.
    package static let largestFileBytes = TZifFile.largestFile

    /// Reads a compiled zone file; see `TZifError` for what is refused.
    package init(name: String, tzif bytes: [UInt8]) throws(TZifError) {
        self.name = name
        timeline = ZoneTimeline(ZoneTimelineBuilder(try TZifFile(bytes)))
    }

    /// The zone of a POSIX TZ string, which holds for all years.
    package init(name: String, posixRule text: String) throws(PosixRuleError) {
        self.init(name: name, rule: try PosixRule(text.utf8))
    }

    package init(name: String, rule: PosixRule) {
        self.name = name
        timeline = ZoneTimeline(ZoneTimelineBuilder(rule))
    }

    package static let utc = Zone(
        name: "UTC",
        rule: PosixRule(
            standard: ZoneOffset(seconds: 0, isDST: false, abbreviation: "UTC"), daylight: nil))

    /// Seconds to add to UTC at an instant (seconds since the epoch), positive east.
    package func offset(at instant: Int64) -> Int32 {
        timeline.segments[timeline.index(at: timeline.reduce(instant).instant)].offset
    }

    /// The offset in force at an instant with its abbreviation.
    package func description(at instant: Int64) -> ZoneOffset {
        let segment = timeline.segments[timeline.index(at: timeline.reduce(instant).instant)]
        return timeline.kinds[Int(segment.kind)]
    }

    /// The first transition strictly after an instant, whether of the offset or of its name only.
    package func nextTransition(after instant: Int64) -> Int64? {
        let (twin, shift) = timeline.reduce(instant)
        let next = timeline.index(at: twin) + 1
        guard next < timeline.segments.count else { return nil }
        let found = timeline.segments[next].start &+ shift
        // Beyond Int64 there is none.
        return found > instant ? found : nil
    }

    /// The last transition strictly before an instant, whether of the offset or of its name only.
    package func previousTransition(before instant: Int64) -> Int64? {
        guard instant > .min else { return nil }
        let (twin, shift) = timeline.reduce(instant - 1)
        let index = timeline.index(at: twin)
        guard index > 0 else { return nil }
        let found = timeline.segments[index].start &+ shift
        return found < instant ? found : nil
    }
}

extension Zone {
    /// What a local civil second means: nearly always one instant.
    package enum LocalResolution: Sendable, Hashable {
        case single(Int64)
        /// The clocks skip it; the transition is the first instant after the gap.
        case gap(transition: Int64)
        /// The clocks show it more than once; these are the first two times.
        case overlap(first: Int64, second: Int64)
    }

    /// The instants at which the clocks show a local second (see `CivilDateTime.localSeconds`).
    ///
    /// Any gap and overlap is found, up to whole days and with transitions close together, as all
    /// segments that the extremes of the zone's offsets allow are looked at: rarely more than one.
    /// Local seconds beyond ±2^62 are taken as that bound.
    package func resolve(local: Int64) -> LocalResolution {
        let bounded = min(max(local, -(1 << 62)), 1 << 62)
        let (earliest, shift) = timeline.reduce(bounded - timeline.mostOffset)
        let target = bounded - shift
        let latest = target - timeline.leastOffset
        let segments = timeline.segments
        var index = timeline.index(at: earliest)
        var first: Int64?
        var gap: Int64?
        while true {
            // The invariant: `candidate` is not before the segment's start, or a gap was found.
            let candidate = target - Int64(segments[index].offset)
            let isLast = index + 1 == segments.count
            let end = isLast ? Int64.max : segments[index + 1].start
            if candidate < end {
                if candidate >= segments[index].start {
                    if let first {
                        return .overlap(first: first + shift, second: candidate + shift)
                    }
                    first = candidate
                }
            } else if gap == nil, target - Int64(segments[index + 1].offset) < end {
                gap = end
            }
            if isLast || end > latest { break }
            index += 1
        }
        if let first { return .single(first + shift) }
        // Without a gap on the way the last segment of the window has a match, as its candidate is
        // not after `latest`.
        return .gap(transition: (gap ?? latest) + shift)
    }
}

extension Zone: Equatable {
    /// Equal in name and in the whole table.
    package static func == (left: Self, right: Self) -> Bool {
        if left.name != right.name { return false }
        return left.timeline === right.timeline
            || left.timeline.segments == right.timeline.segments
                && left.timeline.kinds == right.timeline.kinds
                && left.timeline.cycleStart == right.timeline.cycleStart
                && left.timeline.repeatsBackward == right.timeline.repeatsBackward
    }
}
