// What can still be read of a damaged store: table by table, row by row. A page that SQLite cannot
// read hides some rows and ends a scan; what lies behind it is reached by asking for other keys. A
// row counts only with its checksum, so that nothing is taken over that was not written.

import CSQLite
import Scheduling

/// Rows of a damaged file that are as they were written.
struct SalvagedRows {
    private(set) var pending: [PendingRequest] = []
    private(set) var deliveries: [Delivery] = []
    private(set) var missed: [Missed] = []
    /// The file's record, if it could be read: how many rows there were.
    private(set) var recordBefore: StoreRecord?

    /// Numbers that are skipped when the last ones given out are not known any more: more than were
    /// ever in use at one time.
    private static let numbersSkipped: Int64 = 1 << 20

    private init(recordBefore: StoreRecord?) {
        self.recordBefore = recordBefore
    }

    /// Of a store that never was: there was nothing to lose.
    static let none = SalvagedRows(recordBefore: StoreRecord())

    /// Of something that SQLite cannot read at all.
    static let unreadable = SalvagedRows(recordBefore: nil)

    /// Reads what it can of the file at `path`, which stays as it is.
    init(reading path: String, vfs: String?) {
        guard let connection = try? SQLiteConnection(path: path, for: .salvage, vfs: vfs) else {
            return
        }
        let records: [StoreRecord] = TableSalvage(connection).rows()
        recordBefore = records.first { $0.rowKey == 1 }
        var requests: [PendingRequest] = []
        let version = (try? connection.integer("PRAGMA user_version")).map(Int.init) ?? 0
        if 1..<Schema.oldest ~= version {
            let former: [Format1Pending] = version == 1 ? TableSalvage(connection).rows() : []
            let later: [Format2Pending] = version == 1 ? [] : TableSalvage(connection).rows()
            requests = former.map(\.pending) + later.map(\.pending)
            deliveries = FormerFormat.numbered(
                TableSalvage(connection).rows(),
                after: max(recordBefore?.lastSequence ?? 0, requests.last?.sequence ?? 0))
        } else {
            let rows: [StoredContent] = TableSalvage(connection).rows()
            let contents = rows.bySequence
            requests = TableSalvage(connection, saying: contents).rows()
            deliveries = TableSalvage(connection, saying: contents).rows()
        }
        // An app has each identifier once; if damage shows an old row again, the later one counts.
        var latest: [RequestKey: PendingRequest] = [:]
        for request in requests { latest[request.key] = request }
        pending = requests.filter { latest[$0.key]?.sequence == $0.sequence }
        missed = TableSalvage(connection).rows()
    }

    var changes: [Change] {
        pending.map { .pending(before: nil, after: $0) }
            + deliveries.map { .delivery(before: nil, after: $0) }
            + missed.map { .missed(before: nil, after: $0) }
    }

    /// The record of a store with these rows.
    var record: StoreRecord {
        var record = StoreRecord()
        for change in changes { record.count(change) }
        if let recordBefore {
            record.clock = recordBefore.clock
            record.lastSequence = max(record.lastSequence, recordBefore.lastSequence)
            record.lastDelivery = max(record.lastDelivery, recordBefore.lastDelivery)
            record.lastMissed = max(record.lastMissed, recordBefore.lastMissed)
        } else {
            record.lastSequence += Self.numbersSkipped
            record.lastDelivery += Self.numbersSkipped
            record.lastMissed += Self.numbersSkipped
        }
        return record
    }
}

/// Reads around the damaged pages of one table.
private struct TableSalvage<Row: ReadableRow> {
    private let connection: SQLiteConnection
    private let contents: [Int64: Content]
    private var found: [Int64: Row] = [:]

    /// A range of keys that no scan could get through is halved, and each half tried, until so many
    /// tries are used up: half a second at most.
    private static var triesLimit: Int { 50_000 }

    /// - Parameter contents: What rows that refer to a content by its number say.
    init(_ connection: SQLiteConnection, saying contents: [Int64: Content] = [:]) {
        self.connection = connection
        self.contents = contents
    }

    /// The rows in the order of their keys.
    consuming func rows() -> [Row] {
        var salvage = self
        salvage.run()
        return salvage.found.sorted { $0.key < $1.key }.map(\.value)
    }

    private mutating func run() {
        guard let upwards = Direction(isDescending: false, connection),
            let downwards = Direction(isDescending: true, connection)
        else { return }
        upwards.rows.contents = contents
        downwards.rows.contents = contents
        // Widest first, so that the limit cuts off the fruitless narrow ones.
        var ranges: [ClosedRange<Int64>] = [0...Int64.max]
        var index = 0
        while index < ranges.count, index < Self.triesLimit {
            let range = ranges[index]
            index += 1
            guard let stop = scan(range, by: upwards) else { continue }
            // Everything outside of what the two scans stopped at has been read.
            guard let end = scan(stop...range.upperBound, by: downwards), stop < end else {
                continue
            }
            let middle = stop + (end - stop) / 2
            ranges.append(stop...middle)
            ranges.append(middle + 1...end)
        }
    }

    /// A scan over a range of keys.
    private struct Direction {
        let isDescending: Bool
        let rows: SQLiteStatement

        init?(isDescending: Bool, _ connection: SQLiteConnection) {
            let sql = Row.table.selectionInRange + (isDescending ? " DESC" : "")
            guard let rows = try? SQLiteStatement(sql, table: Row.table.name, on: connection)
            else { return nil }
            self.isDescending = isDescending
            self.rows = rows
        }
    }

    /// Keeps every sound row in `range`, and gives the first key that it could not look at; nil if
    /// it got through.
    private mutating func scan(
        _ range: ClosedRange<Int64>, by statement: Direction
    ) -> Int64? {
        let rows = statement.rows
        defer { rows.reset() }
        rows.write(range.lowerBound)
        rows.write(range.upperBound)
        var next = statement.isDescending ? range.upperBound : range.lowerBound
        while true {
            do {
                guard try rows.step() else { return nil }
                // Keys out of order come from a damaged page; going on by them would never end.
                let key = rows.key
                guard range.contains(key), statement.isDescending ? key <= next : key >= next
                else { return next }
                let (following, overflow) = key.addingReportingOverflow(
                    statement.isDescending ? -1 : 1)
                let row = try? Row.read(from: rows)
                if let row, found[row.rowKey] == nil { found[row.rowKey] = row }
                guard !overflow, range.contains(following) else { return nil }
                next = following
            } catch {
                return next
            }
        }
    }
}
