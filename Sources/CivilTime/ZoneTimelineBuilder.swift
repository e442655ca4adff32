// Builds the table of a zone: the file's transitions, then its footer rule unrolled.
// From the last transition of the file on the rule alone decides, as in glibc and as RFC 9636
// (section 3.3) has it; without any transition it holds for all time.

/// Segments under construction; see `ZoneTimeline` for what they must satisfy.
struct ZoneTimelineBuilder {
    private(set) var segments: [ZoneSegment] = []
    private(set) var kinds: [ZoneOffset] = []
    private(set) var cycleStart = Int64.max
    private(set) var cycleEnd = Int64.max
    private(set) var repeatsBackward = false

    /// What the table holds before and after a full cycle. Any rule that changes at all changes in
    /// each year, give or take a week: three years always contain a transition.
    private static let spareSeconds = Int64(3 * 366 * secondsInDay)
    /// A rule without a table repeats backwards too; its cycle starts in 1800, as that leaves
    /// today's instants within it.
    private static let firstYearOfRule = 1_800

    private init() {}

    init(_ file: TZifFile) {
        self.init()
        var indices: [UInt16] = []
        for type in file.types { indices.append(index(of: type)) }
        append(start: .min, kind: indices[0])
        for transition in file.transitions {
            append(start: transition.instant, kind: indices[Int(transition.type)])
        }
        guard let rule = file.footer else { return }
        guard let last = file.transitions.last else {
            self = Self(rule)
            return
        }
        unroll(rule, from: last.instant)
    }

    init(_ rule: PosixRule) {
        self.init()
        append(start: .min, kind: index(of: rule.standard))
        let newYear = CivilDate(year: Self.firstYearOfRule, month: 1, day: 1).daysSinceEpoch
        unroll(rule, from: Int64(newYear * secondsInDay) - Self.spareSeconds)
        repeatsBackward = cycleEnd != .max
        guard !repeatsBackward, let last = segments.last else { return }
        // One offset for ever, the daylight one if that never ends.
        segments = []
        append(start: .min, kind: last.kind)
    }

    private mutating func unroll(_ rule: PosixRule, from start: Int64) {
        let standard = index(of: rule.standard)
        guard let daylight = rule.daylight else {
            append(start: start, kind: standard)
            return
        }
        let daylightKind = index(of: daylight.offset)
        let end = start + Self.spareSeconds + ZoneTimeline.cycleSeconds + Self.spareSeconds
        let firstYear = CivilDateTime(localSeconds: start).year - 2
        let lastYear = CivilDateTime(localSeconds: end).year + 2
        var changes: [(instant: Int64, kind: UInt16)] = []
        for year in firstYear...lastYear {
            guard let pair = rule.changes(in: year) else { continue }
            changes.append((pair.start, daylightKind))
            changes.append((pair.end, standard))
        }
        // Where an end and a start meet, daylight time goes on: `EST5EDT,0/0,J365/25` never ends.
        changes.sort { left, right in
            left.instant != right.instant
                ? left.instant < right.instant
                : left.kind == standard && right.kind != standard
        }
        let beforeStart = changes.last { $0.instant <= start }
        append(start: start, kind: beforeStart?.kind ?? standard)
        let settled = segments.count
        for change in changes where change.instant > start && change.instant <= end {
            append(start: change.instant, kind: change.kind)
        }
        guard segments.count > settled else { return }
        cycleStart = start + Self.spareSeconds
        cycleEnd = cycleStart + ZoneTimeline.cycleSeconds
    }

    /// Adds a segment unless it changes nothing; a second one at the same instant replaces the
    /// first.
    private mutating func append(start: Int64, kind: UInt16) {
        if let last = segments.last, last.start == start { segments.removeLast() }
        if let last = segments.last, last.kind == kind { return }
        segments.append(
            ZoneSegment(start: start, offset: kinds[Int(kind)].seconds, kind: kind))
    }

    /// Equal types share one index, so that a transition between them is none.
    private mutating func index(of kind: ZoneOffset) -> UInt16 {
        if let index = kinds.firstIndex(of: kind) { return UInt16(index) }
        kinds.append(kind)
        return UInt16(kinds.count - 1)
    }
}
