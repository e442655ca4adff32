// Formats 1 and 2, in which each request and each delivery had what it says in columns of its own.
// They are read as values, every checksum compared, and written anew in the newest format. Reading
// is all there is: nothing writes them any more.

import CivilTime
import Scheduling
import SchedulerInterface
import Varlink

/// What a file of format 1 or 2 holds.
enum FormerFormat {
    /// Writes everything anew in the newest format, in one transaction.
    ///
    /// - Parameter version: That of the file, 1 or 2.
    static func rewrite(
        _ connection: SQLiteConnection, version: Int
    ) throws(LoadFailure) {
        let records: [StoreRecord] = try connection.rows()
        guard var record = records.first else { throw .damaged("its record is missing") }
        let pending =
            version == 1
            ? try connection.rows(expecting: record.pendingCount).map { (row: Format1Pending) in
                row.pending
            }
            : try connection.rows(expecting: record.pendingCount).map { (row: Format2Pending) in
                row.pending
            }
        let deliveries: [FormerDelivery] = try connection.rows(expecting: record.deliveryCount)
        let missed: [Missed] = try connection.rows(expecting: record.missedCount)
        let changes = changes(
            pending: pending, deliveries: deliveries, missed: missed,
            lastSequence: record.lastSequence)
        for change in changes { record.noteNumbers(of: change) }
        do throws(SQLiteError) {
            try connection.execute(
                """
                BEGIN IMMEDIATE;
                DROP TABLE meta; DROP TABLE pending; DROP TABLE delivery; DROP TABLE missed;
                """)
            try Schema.create(connection)
            try StoreDatabase.fill(connection, with: changes, record: record)
            try connection.execute("COMMIT")
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw .sqlite(error)
        }
    }

    /// The rows as additions to an empty store. Deliveries had no number of their request, and get
    /// new ones.
    static func changes(
        pending: [PendingRequest], deliveries: [FormerDelivery], missed: [Missed],
        lastSequence: Int64
    ) -> [Change] {
        pending.map { .pending(before: nil, after: $0) }
            + numbered(deliveries, after: lastSequence).map { .delivery(before: nil, after: $0) }
            + missed.map { .missed(before: nil, after: $0) }
    }

    static func numbered(_ deliveries: [FormerDelivery], after last: Int64) -> [Delivery] {
        zip(deliveries, (last + 1)...).map { former, sequence in
            var delivery = former.delivery
            delivery.sequence = sequence
            return delivery
        }
    }

    fileprivate static let contentColumns = [
        "title", "subtitle", "body", "urgency", "expire_timeout", "user_info",
    ]

    /// `stride_day` came with format 2.
    fileprivate static let pendingColumns =
        ["sequence", "app", "identifier"] + contentColumns + [
            "trigger_kind", "trigger_value", "pattern", "zone", "repeats", "stride_count",
            "stride_unit", "starts_at", "ends_at", "max_count", "if_missed", "lateness_limit",
            "added", "next_clock", "next_at", "occurrence_count", "fired",
        ]
}

/// A request of format 1.
struct Format1Pending: ReadableRow {
    var pending: PendingRequest

    static let table = StoredTable(
        name: "pending", columns: FormerFormat.pendingColumns + ["checksum"])

    var rowKey: Int64 { pending.sequence }

    static func readColumns(from statement: SQLiteStatement) throws(RowDamage) -> Format1Pending {
        Format1Pending(pending: try statement.readFormerPending())
    }
}

/// A request of format 2.
struct Format2Pending: ReadableRow {
    var pending: PendingRequest

    static let table = StoredTable(
        name: "pending", columns: FormerFormat.pendingColumns + ["stride_day", "checksum"])

    var rowKey: Int64 { pending.sequence }

    static func readColumns(from statement: SQLiteStatement) throws(RowDamage) -> Format2Pending {
        var pending = try statement.readFormerPending()
        pending.strideDay = try statement.readLater().map(Int.init)
        return Format2Pending(pending: pending)
    }
}

/// A delivery of format 1 or 2, with no number of its request yet.
struct FormerDelivery: ReadableRow {
    var delivery: Delivery

    static let table = StoredTable(
        name: "delivery",
        columns: ["number", "app", "identifier"] + FormerFormat.contentColumns + [
            "due", "fired", "presented", "late", "missed_count", "lateness_limit", "checksum",
        ])

    var rowKey: Int64 { delivery.number }

    static func readColumns(from statement: SQLiteStatement) throws(RowDamage) -> FormerDelivery {
        FormerDelivery(
            delivery: Delivery(
                number: try statement.readNumber(), app: try statement.readText(),
                identifier: try statement.readText(), sequence: 0,
                content: try statement.readFormerContent(),
                due: WallInstant(microseconds: try statement.readNumber()),
                fired: WallInstant(microseconds: try statement.readNumber()),
                presented: try statement.readOptionalNumber()
                    .map(WallInstant.init(microseconds:)),
                late: try statement.readFlag(), missedCount: try statement.readCount(),
                latenessLimit: try statement.readOptionalNumber()))
    }
}

extension SQLiteStatement {
    fileprivate func readFormerPending() throws(RowDamage) -> PendingRequest {
        let sequence = try readNumber()
        let app = try readText()
        let identifier = try readText()
        let content = try readFormerContent()
        var strideDay: Int?
        let request = Request(
            identifier: identifier, content: content,
            trigger: try readTrigger(strideDay: &strideDay, hasStrideDay: false),
            ifMissed: try readEnum(), latenessLimit: try readOptionalNumber())
        return PendingRequest(
            app: app, request: request, sequence: sequence,
            added: WallInstant(microseconds: try readNumber()), next: try readOccurrence(),
            occurrenceCount: try readCount(), fired: try readFiredRanges())
    }

    fileprivate func readFormerContent() throws(RowDamage) -> Content {
        let (title, subtitle, body) = (try readText(), try readText(), try readText())
        let number = try readNumber()
        let levels: [Wire.Urgency] = [.low, .normal, .critical]
        guard levels.indices.contains(Int(truncatingIfNeeded: number)) else { throw damage }
        let expireTimeout = try readOptionalNumber()
        var userInfo: JSONValue?
        if let text = try readOptionalText() {
            guard let value = try? JSONValue(jsonText: text) else { throw damage }
            userInfo = value
        }
        return Content(
            Wire.Content(
                title: title, subtitle: subtitle, body: body, urgency: levels[Int(number)],
                expireTimeoutUsec: expireTimeout, userInfo: userInfo))
    }
}
