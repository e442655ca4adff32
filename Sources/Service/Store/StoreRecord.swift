// The one row of the table `meta`: what is true of the store as a whole. It is written in every
// commit, in the same transaction, so that it always speaks of the rows beside it.

package import Scheduling

/// Counters of the store, and the clock as last seen.
package struct StoreRecord: StoredRow {
    /// Commits so far: tells after a failed sync whether a commit reached the file or not.
    package var commits: Int64 = 0
    /// The highest numbers ever given out, so that none is given twice after its row is gone.
    package var lastSequence: Int64 = 0
    package var lastDelivery: Int64 = 0
    package var lastMissed: Int64 = 0
    /// How many rows there are: says how many were lost when a file is damaged.
    package var pendingCount = 0
    package var deliveryCount = 0
    package var missedCount = 0
    package var clock: ClockRecord?

    package init() {}

    package static let table = StoredTable(
        name: "meta",
        columns: [
            "id", "commits", "last_sequence", "last_delivery", "last_missed", "pending_count",
            "delivery_count", "missed_count", "boot_id", "boot_offset", "checksum",
        ])

    package var rowKey: Int64 { 1 }

    package func writeColumns(to statement: SQLiteStatement) {
        statement.write(rowKey)
        statement.write(commits)
        statement.write(lastSequence)
        statement.write(lastDelivery)
        statement.write(lastMissed)
        statement.write(Int64(pendingCount))
        statement.write(Int64(deliveryCount))
        statement.write(Int64(missedCount))
        statement.write(clock?.bootID)
        statement.write(clock?.offset)
    }

    package static func readColumns(
        from statement: SQLiteStatement
    ) throws(RowDamage) -> StoreRecord {
        var record = StoreRecord()
        guard try statement.readNumber() == record.rowKey else { throw statement.damage }
        record.commits = try statement.readNumber()
        record.lastSequence = try statement.readNumber()
        record.lastDelivery = try statement.readNumber()
        record.lastMissed = try statement.readNumber()
        record.pendingCount = try statement.readCount()
        record.deliveryCount = try statement.readCount()
        record.missedCount = try statement.readCount()
        let bootID = try statement.readOptionalText()
        let offset = try statement.readOptionalNumber()
        if let bootID, let offset { record.clock = ClockRecord(bootID: bootID, offset: offset) }
        return record
    }

    /// Takes a change of the rows into account.
    mutating func count(_ change: Change) {
        switch change {
        case .pending(let before, let after):
            pendingCount += (after == nil ? 0 : 1) - (before == nil ? 0 : 1)
        case .delivery(let before, let after):
            deliveryCount += (after == nil ? 0 : 1) - (before == nil ? 0 : 1)
        case .missed(let before, let after):
            missedCount += (after == nil ? 0 : 1) - (before == nil ? 0 : 1)
        case .clock(_, let after):
            clock = after
        }
        noteNumbers(of: change)
    }

    /// Takes note of the numbers that a change gives out.
    mutating func noteNumbers(of change: Change) {
        switch change {
        case .pending(_, let after):
            lastSequence = max(lastSequence, after?.sequence ?? 0)
        case .delivery(_, let after):
            lastSequence = max(lastSequence, after?.sequence ?? 0)
            lastDelivery = max(lastDelivery, after?.number ?? 0)
        case .missed(_, let after):
            lastMissed = max(lastMissed, after?.number ?? 0)
        case .clock:
            break
        }
    }
}
