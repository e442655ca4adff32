// Replacing a damaged store. The new database is built complete beside the old one; giving it the
// replacement's name is the decision, which every start carries out to its end, whatever moment the
// machine stops at. The damaged files are kept under a name that says when.

import CivilTime
import Glibc

extension StoreOpening {
    /// Puts what could be read in the place of the damaged store.
    mutating func replace(by kept: SalvagedRows, because reason: String) throws(StoreError) {
        try build(kept)
        try directory.rename(StoreDirectory.newName, to: StoreDirectory.replacementName)
        try directory.sync()
        let name = try finishReplacement()
        notices.append(.setAside(as: name, reason: reason))
        notices.append(
            .kept(
                pending: kept.pending.count, deliveries: kept.deliveries.count,
                missed: kept.missed.count))
        let before = kept.recordBefore
        let loss = StoreNotice.lost(
            pending: before.map { max(0, $0.pendingCount - kept.pending.count) },
            deliveries: before.map { max(0, $0.deliveryCount - kept.deliveries.count) },
            missed: before.map { max(0, $0.missedCount - kept.missed.count) })
        if loss != .lost(pending: 0, deliveries: 0, missed: 0) { notices.append(loss) }
    }

    /// Moves what stands in the way aside and the replacement into place; may be begun many times.
    ///
    /// The log goes before the new database comes: SQLite would apply it to that one.
    func finishReplacement() throws(StoreError) -> String {
        let name = try unusedName()
        if try directory.status(of: StoreDirectory.databaseName) != nil {
            try directory.rename(StoreDirectory.databaseName, to: name)
        }
        if try directory.status(of: StoreDirectory.logName) != nil {
            try directory.rename(StoreDirectory.logName, to: name + "-wal")
        }
        try directory.sync()
        try directory.rename(StoreDirectory.replacementName, to: StoreDirectory.databaseName)
        try directory.sync()
        return name
    }

    /// Makes a complete database under the name for new ones, synced, without a log beside it.
    func build(_ rows: SalvagedRows) throws(StoreError) {
        for suffix in ["", "-wal", "-journal"] {
            try directory.remove(StoreDirectory.newName + suffix)
        }
        try directory.create(StoreDirectory.newName)
        let path = directory.path(of: StoreDirectory.newName)
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(path: path, for: .create, vfs: vfs)
            try connection.execute("PRAGMA application_id = \(Schema.applicationID)")
            try fill(connection, with: rows)
            // Closing would do it too, but could not say that it failed.
            try connection.checkpoint(truncating: true)
            connection.close()
        } catch {
            throw StoreError(error, doing: "making a new store")
        }
    }

    /// In a function of its own: its statements are gone before the connection is closed.
    private func fill(
        _ connection: SQLiteConnection, with rows: SalvagedRows
    ) throws(SQLiteError) {
        try connection.execute("BEGIN IMMEDIATE")
        try Schema.create(connection)
        try StoreDatabase.fill(connection, with: rows.changes, record: rows.record)
        try connection.execute("COMMIT")
    }

    /// `schedd.db.damaged-20261130T040000Z`, with a number behind it if that is taken.
    func unusedName() throws(StoreError) -> String {
        let time = CivilDateTime(localSeconds: now.wholeSeconds).text
        let stamp = time.filter { $0 != "-" && $0 != ":" }.split(separator: " ")
            .joined(separator: "T")
        let name = "\(StoreDirectory.databaseName).damaged-\(stamp)Z"
        var candidate = name
        var number = 1
        while try isTaken(candidate) {
            number += 1
            candidate = "\(name)-\(number)"
        }
        return candidate
    }

    private func isTaken(_ name: String) throws(StoreError) -> Bool {
        if try directory.status(of: name) != nil { return true }
        return try directory.status(of: name + "-wal") != nil
    }
}
