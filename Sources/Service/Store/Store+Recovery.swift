// After a failed write or sync. Linux reports a failed fsync once and then treats the pages as
// written: a later sync that succeeds says nothing about them, and they may be dropped from memory
// and read back old. So neither the file nor the connection's view of it is believed: the
// connection is closed as it stands, the file is opened anew (SQLite then checks the checksum of
// every frame in the log), what is in it is brought to what the store has acknowledged, and all of
// the log is written to the database file and synced. Only then do commits go on.

import CSQLite
import Scheduling

extension Store {
    /// Reads the file anew and brings it to the last acknowledged commit.
    func recover() throws(StoreError) {
        do {
            try reopen()
        } catch let error as SQLiteError {
            throw StoreError(error, doing: "recovering from a failed write")
        } catch {
            let found = SQLiteError(code: SQLITE_CORRUPT, message: "\(error)", statement: path)
            throw .failed(doing: "recovering from a failed write", found)
        }
    }

    private func reopen() throws {
        // Closing must not move into the database what has not been checked.
        closeDatabase(leavingLog: true)
        let fresh = try StoreDatabase(
            SQLiteConnection(path: path, for: .use, vfs: vfs))
        // Kept from here on, failing or not: a closed store would have nothing to recover with.
        database = fresh
        let stored = try fresh.loadRecord()
        try reconcile(fresh, with: stored)
        try fresh.connection.checkpoint(truncating: true)
        unsynced = []
        doubtful = nil
        needsRecovery = false
    }

    /// The counter of commits tells which of them the file has; the others are made up for.
    private func reconcile(_ database: StoreDatabase, with stored: StoreRecord) throws {
        let ahead = Int(stored.commits - record.commits)
        var repair: [Change] = []
        switch ahead {
        case 0:
            doubtful = nil
            return
        case 1...:
            // 1 with a doubtful commit: the file has it, although its caller was told that it
            // failed. Otherwise a repair of an earlier try has landed, and there is nothing to do.
            guard ahead == 1, let doubtful else {
                record.commits = stored.commits
                return
            }
            repair = doubtful.reversed().map(\.reversed)
        case -unsynced.count...(-1):
            doubtful = nil
            repair = Array(unsynced.suffix(-ahead).joined())
        default:
            throw LoadFailure.damaged("\(-ahead) acknowledged commits are missing")
        }
        var next = record
        next.commits = max(stored.commits, record.commits) + 1
        try database.write(repair, record: next, durable: true)
        record = next
    }
}

extension SQLiteError {
    var isFull: Bool { primaryCode == SQLITE_FULL }

    /// Failures after which the content of the file is in doubt.
    var isIOFailure: Bool {
        switch primaryCode {
        case SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CANTOPEN: true
        default: false
        }
    }
}

extension StoreError {
    init(_ error: SQLiteError, doing: String) {
        self =
            switch error.primaryCode {
            case SQLITE_FULL: .diskFull(doing: doing, error)
            case SQLITE_CONSTRAINT: .inconsistent(doing: "\(doing): \(error)")
            default: .failed(doing: doing, error)
            }
    }
}
