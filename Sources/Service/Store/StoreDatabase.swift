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
    private var syncsFully = true

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
            try begin.run()
            for change in changes { try apply(change) }
            record.write(to: recordUpdate)
            try recordUpdate.run()
            try expectChange(of: record)
            try end.run()
        } catch {
            // Some failures have rolled back already.
            if connection.isInTransaction { try? rollback.run() }
            throw error
        }
    }

    private func apply(_ change: Change) throws(SQLiteError) {
        switch change {
        case .pending(let before, let after): try replace(before, by: after, in: pending)
        case .delivery(let before, let after): try replace(before, by: after, in: delivery)
        case .missed(let before, let after): try replace(before, by: after, in: missed)
        case .clock: break  // Part of the record.
        }
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
