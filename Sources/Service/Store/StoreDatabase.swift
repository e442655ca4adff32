// A connection with every statement that the store ever runs, prepared once. It knows how changes
// become rows and how rows become the state; when to commit and what to do about failures is the
// store's business.

import CSQLite
package import Scheduling

/// An open store file.
package final class StoreDatabase {
    package let connection: SQLiteConnection
    private let begin: SQLiteStatement
    private let end: SQLiteStatement
    private let rollback: SQLiteStatement
    private let recordUpdate: SQLiteStatement
    private let pending: TableStatements
    private let delivery: TableStatements
    private let missed: TableStatements
    private let content: TableStatements
    private let isPending: SQLiteStatement
    private var syncsFully = true

    /// How many deliveries refer to the content of each request, by its number. Whether the request
    /// itself is there the table tells.
    private var deliveryCounts: [Int64: Int] = [:]
    /// What the transaction under way has changed in `deliveryCounts`, to be taken back if it
    /// fails.
    private var counted: [(sequence: Int64, step: Int)] = []

    /// Prepares the statements on a connection whose file has the newest format.
    package init(_ connection: SQLiteConnection) throws(SQLiteError) {
        self.connection = connection
        begin = try SQLiteStatement("BEGIN IMMEDIATE", table: "", on: connection)
        end = try SQLiteStatement("COMMIT", table: "", on: connection)
        rollback = try SQLiteStatement("ROLLBACK", table: "", on: connection)
        recordUpdate = try SQLiteStatement(
            StoreRecord.table.update, table: StoreRecord.table.name, on: connection)
        pending = try TableStatements(PendingRequest.table, on: connection)
        delivery = try TableStatements(Delivery.table, on: connection)
        missed = try TableStatements(Missed.table, on: connection)
        content = try TableStatements(StoredContent.table, on: connection)
        isPending = try SQLiteStatement(
            "SELECT sequence FROM pending WHERE sequence = ?1", table: "pending", on: connection)
        let numbers = try SQLiteStatement(
            "SELECT sequence FROM delivery", table: "delivery", on: connection)
        while try numbers.step() { count(numbers.key, by: 1) }
    }

    /// Writes all changes and the record in one transaction, or nothing.
    ///
    /// With `durable` the commit is on disk when this returns, and so is every commit before it:
    /// the log is one file, written in order, and one sync covers all of it. Without, it is in the
    /// kernel's hands and survives the end of this process.
    package func write(
        _ changes: [Change], record: StoreRecord, durable: Bool
    ) throws(SQLiteError) {
        if durable != syncsFully {
            // The pragma acts when it is prepared, and only outside of a transaction.
            try connection.execute("PRAGMA synchronous = \(durable ? "FULL" : "NORMAL")")
            syncsFully = durable
        }
        do throws(SQLiteError) {
            counted = []
            try begin.run()
            for change in changes { try apply(change) }
            record.write(to: recordUpdate)
            try recordUpdate.run()
            try expectChange(of: record)
            try end.run()
        } catch {
            // Some failures have rolled back already.
            if connection.isInTransaction { try? rollback.run() }
            for (sequence, step) in counted { count(sequence, by: -step) }
            throw error
        }
    }

    /// Writes the rows of an empty store; inside a transaction of the caller's.
    static func fill(
        _ connection: SQLiteConnection, with changes: [Change], record: StoreRecord
    ) throws(SQLiteError) {
        let insertion = try SQLiteStatement(
            StoreRecord.table.insertion, table: StoreRecord.table.name, on: connection)
        record.write(to: insertion)
        try insertion.run()
        let database = try StoreDatabase(connection)
        for change in changes { try database.apply(change) }
    }

    private func apply(_ change: Change) throws(SQLiteError) {
        switch change {
        case .pending(let before, let after):
            let isSame = before?.sequence == after?.sequence
            if let after, !isSame { try keep(after.request.content, of: after.sequence) }
            try replace(before, by: after, in: pending)
            if let before, !isSame { try dropContent(of: before.sequence) }
        case .delivery(let before, let after):
            if let after {
                try keep(after.content, of: after.sequence)
                note(after.sequence, by: 1)
            }
            try replace(before, by: after, in: delivery)
            if let before {
                note(before.sequence, by: -1)
                try dropContent(of: before.sequence)
            }
        case .missed(let before, let after): try replace(before, by: after, in: missed)
        case .clock: break  // Part of the record.
        }
    }

    /// Brings the content of a request that is new, or whose content went with its last row.
    private func keep(_ new: Content, of sequence: Int64) throws(SQLiteError) {
        if try isReferred(sequence) { return }
        try replace(nil, by: StoredContent(sequence: sequence, content: new), in: content)
    }

    /// Drops the content of a request that has gone, with all its deliveries.
    private func dropContent(of sequence: Int64) throws(SQLiteError) {
        if try isReferred(sequence) { return }
        content.deletion.write(sequence)
        try content.deletion.run()
    }

    private func isReferred(_ sequence: Int64) throws(SQLiteError) -> Bool {
        if deliveryCounts[sequence] != nil { return true }
        isPending.write(sequence)
        defer { isPending.reset() }
        return try isPending.step()
    }

    private func note(_ sequence: Int64, by step: Int) {
        count(sequence, by: step)
        counted.append((sequence, step))
    }

    private func count(_ sequence: Int64, by step: Int) {
        let number = deliveryCounts[sequence, default: 0] + step
        deliveryCounts[sequence] = number == 0 ? nil : number
    }

    private func replace<Row: StoredRow>(
        _ before: Row?, by after: Row?, in table: TableStatements
    ) throws(SQLiteError) {
        if let before, let after, before.rowKey == after.rowKey {
            after.write(to: table.update)
            try table.update.run()
            return try expectChange(of: after)
        }
        if let before {
            table.deletion.write(before.rowKey)
            try table.deletion.run()
            try expectChange(of: before)
        }
        if let after {
            after.write(to: table.insertion)
            try table.insertion.run()
        }
    }

    /// A row that was to be changed must have been there.
    private func expectChange<Row: StoredRow>(of row: Row) throws(SQLiteError) {
        guard connection.changedRows == 1 else {
            throw SQLiteError(
                code: SQLITE_CONSTRAINT, message: "there is no row \(row.rowKey)",
                statement: "\(Row.table.name)")
        }
    }
}

/// The three ways to change a table.
private struct TableStatements {
    let insertion: SQLiteStatement
    let update: SQLiteStatement
    let deletion: SQLiteStatement

    init(_ table: StoredTable, on connection: SQLiteConnection) throws(SQLiteError) {
        insertion = try SQLiteStatement(table.insertion, table: table.name, on: connection)
        update = try SQLiteStatement(table.update, table: table.name, on: connection)
        deletion = try SQLiteStatement(table.deletion, table: table.name, on: connection)
    }
}
