// A pending request as a row. Each kind of trigger uses its own columns and leaves the others NULL;
// the pattern is its compact text, and what it says is in the table of contents. Nothing has to be
// decoded from a larger text at load but the pattern and the fired ranges: the daemon is ready only
// when 10,000 rows have been read.

import CivilTime
package import Scheduling

extension PendingRequest: StoredRow {
    package static let table = StoredTable(
        name: "pending",
        columns: [
            "sequence", "app", "identifier", "trigger_kind", "trigger_value", "pattern", "zone",
            "repeats", "stride_count", "stride_unit", "stride_day", "starts_at", "ends_at",
            "max_count", "if_missed", "lateness_limit", "added", "next_clock", "next_at",
            "occurrence_count", "fired", "checksum",
        ])

    package var rowKey: Int64 { sequence }

    package func writeColumns(to statement: SQLiteStatement) {
        statement.write(sequence)
        statement.write(app)
        statement.write(request.identifier)
        statement.write(request.trigger, strideDay: strideDay)
        statement.writeEnum(request.ifMissed)
        statement.write(request.latenessLimit)
        statement.write(added.microseconds)
        switch next {
        case .wall(let instant):
            statement.write(0 as Int64)
            statement.write(instant.microseconds)
        case .boot(let instant):
            statement.write(1 as Int64)
            statement.write(instant.microseconds)
        }
        statement.write(Int64(occurrenceCount))
        statement.write(fired.compact)
    }

    package static func readColumns(
        from statement: SQLiteStatement
    ) throws(RowDamage) -> PendingRequest {
        let sequence = try statement.readNumber()
        let app = try statement.readSharedText()
        let identifier = try statement.readText()
        var strideDay: Int?
        let request = Request(
            identifier: identifier, content: try statement.content(of: sequence),
            trigger: try statement.readTrigger(strideDay: &strideDay),
            ifMissed: try statement.readEnum(), latenessLimit: try statement.readOptionalNumber())
        return PendingRequest(
            app: app, request: request, sequence: sequence,
            added: WallInstant(microseconds: try statement.readNumber()), strideDay: strideDay,
            next: try statement.readOccurrence(), occurrenceCount: try statement.readCount(),
            fired: try statement.readFiredRanges())
    }
}

extension SQLiteStatement {
    func write(_ trigger: Trigger, strideDay: Int?) {
        var value: Int64?
        var calendar: CalendarTrigger?
        let kind: Int64
        switch trigger {
        case .now:
            kind = 0
        case .date(let instant):
            kind = 1
            value = instant.microseconds
        case .interval(let interval):
            kind = 2
            value = interval.period
        case .calendar(let trigger):
            kind = 3
            calendar = trigger
        }
        write(kind)
        write(value)
        write(calendar?.pattern.compact)
        write(calendar?.zone)
        write(trigger.repeats)
        write(calendar?.stride.map { Int64($0.count) })
        write(calendar?.stride.map { Int64($0.unit.rawValue) })
        write(strideDay.map(Int64.init))
        write(trigger.bounds.startsAt?.microseconds)
        write(trigger.bounds.endsAt?.microseconds)
        write(trigger.bounds.maxCount.map(Int64.init))
    }

    func readOccurrence() throws(RowDamage) -> Occurrence {
        let isBoot = try readFlag()
        let at = try readNumber()
        return isBoot ? .boot(BootInstant(microseconds: at)) : .wall(WallInstant(microseconds: at))
    }

    func readTrigger(
        strideDay: inout Int?, hasStrideDay: Bool = true
    ) throws(RowDamage) -> Trigger {
        let kind = try readNumber()
        let kindDamage = damage
        let value = try readOptionalNumber()
        let valueDamage = damage
        let pattern = try readOptionalText()
        let patternDamage = damage
        let zone = try readOptionalText()
        let repeats = try readFlag()
        let stride = try readStride()
        if hasStrideDay { strideDay = try readOptionalNumber().map(Int.init) }
        let bounds = Bounds(
            startsAt: try readOptionalNumber().map(WallInstant.init(microseconds:)),
            endsAt: try readOptionalNumber().map(WallInstant.init(microseconds:)),
            maxCount: try readOptionalNumber().map(Int.init))
        switch (kind, value, pattern) {
        case (0, nil, nil):
            return .now
        case (1, let instant?, nil):
            return .date(WallInstant(microseconds: instant))
        case (2, let period?, nil):
            guard 1...Limits.spanMicroseconds ~= period else { throw valueDamage }
            return .interval(IntervalTrigger(period: period, repeats: repeats, bounds: bounds))
        case (3, nil, let text?):
            guard let pattern = knownPattern(text) else { throw patternDamage }
            return .calendar(
                CalendarTrigger(
                    pattern: pattern, zone: zone, repeats: repeats, stride: stride,
                    bounds: bounds))
        default:
            throw kindDamage
        }
    }

    private func knownPattern(_ text: String) -> CalendarPattern? {
        if let known = patterns[text] { return known }
        let pattern = try? CalendarPattern(compact: text)
        patterns[text] = pattern
        return pattern
    }

    private func readStride() throws(RowDamage) -> Stride? {
        let count = try readOptionalNumber()
        guard let count else {
            _ = try readOptionalNumber()
            return nil
        }
        let unit: Stride.Unit = try readEnum()
        guard let stride = Stride(count: Int(count), unit: unit) else { throw damage }
        return stride
    }

    func readFiredRanges() throws(RowDamage) -> FiredRanges {
        let text = try readText()
        guard let ranges = FiredRanges(compact: text) else { throw damage }
        return ranges
    }
}
