// The queue on disk. Used on its own serial queue only, so that a slow disk delays replies and
// nothing else. A commit is all of a turn's changes or nothing; one that failed leaves the file as
// it was, and the store stays usable.
//
// Why a power cut loses no acknowledged change: a durable commit syncs the write-ahead log before
// it returns, and with it all commits before, which are earlier in the same file. The database file
// itself is written by checkpoints alone, which sync the log first and the database before the log
// is used again. Recovery reads the log up to the last commit whose checksums are right.

package import Dispatch
import Platform
package import Scheduling

/// The stored state of the scheduler, open for changes.
package final class Store: @unchecked Sendable {
    // Sendable because everything below is used on `queue` alone, which every method checks.

    /// Where every method must be called.
    package let queue = DispatchQueue(label: "io.schedd.store")

    /// A checkpoint is due after a commit that leaves so many pages, 1 MiB, in the log.
    package static let logPagesLimit = 256

    /// After so many commits without a sync one is due; see `unsynced`.
    package static let unsyncedLimit = 64

    let path: String
    let vfs: String?
    let directory: StoreDirectory
    var database: StoreDatabase?
    var record: StoreRecord
    /// The database and its log, which SQLite made when it first read: both stay the same files for
    /// as long as the store is open.
    private let files: [PlacedFile]

    /// Commits since the last sync that succeeded, oldest first: what a failing disk may still
    /// lose.
    var unsynced: [[Change]] = []

    /// Set after a failed read, write or sync: nothing is written before the file has been read
    /// anew.
    var needsRecovery = false

    /// The commit whose sync failed: it may be in the file or not.
    var doubtful: [Change]?

    init(
        path: String, vfs: String?, directory: StoreDirectory, database: StoreDatabase,
        record: StoreRecord
    ) {
        self.path = path
        self.vfs = vfs
        self.directory = directory
        self.database = database
        self.record = record
        files = [StoreDirectory.databaseName, StoreDirectory.logName].compactMap(directory.placed)
    }

    /// Whether the last commit failed in a way that the next one has to mend first.
    package var isImpaired: Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        return needsRecovery
    }

    /// Writes `changes`, in order, in one transaction.
    ///
    /// - Parameter durable: Whether the commit must be on disk when this returns (one sync). Else
    ///   it survives the end of this process, and a power cut from the next durable commit on.
    /// - Throws: When nothing was written. The next call tries again; after a failed sync it first
    ///   makes sure that what was stored before is still stored.
    package func commit(_ changes: [Change], durable: Bool) throws(StoreError) {
        dispatchPrecondition(condition: .onQueue(queue))
        if changes.isEmpty && (!durable || unsynced.isEmpty) { return }
        // SQLite does not notice: it would report success for ever.
        if let lost = displacedFile { throw .displaced(path: lost.path) }
        if needsRecovery { try recover() }
        do throws(SQLiteError) {
            try write(changes, durable: durable)
        } catch {
            guard error.isFull else { throw failed(changes, with: error) }
            // The log holds pages that have been written anew since: moving them into the
            // database frees their place. One more try is enough.
            do throws(SQLiteError) {
                try database?.connection.checkpoint(truncating: true)
                unsynced = []
                try write(changes, durable: durable)
            } catch {
                throw failed(changes, with: error)
            }
        }
    }

    /// Whether `tidy` has something to do: the log is long, or much of it is not synced.
    package var needsTidying: Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let connection = database?.connection, !needsRecovery else { return false }
        return connection.logPages >= Self.logPagesLimit || unsynced.count >= Self.unsyncedLimit
    }

    /// What is due after a commit now and then and takes as long as many of them, so that nobody
    /// waits for it: moves a long log into the database, and syncs what is in the log.
    ///
    /// If it fails, nothing is lost: the log is complete until a checkpoint succeeds, and a failed
    /// sync is mended by the next commit.
    package func tidy() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard needsTidying, let connection = database?.connection else { return }
        do throws(SQLiteError) {
            if connection.logPages >= Self.logPagesLimit {
                try connection.checkpoint(truncating: false)
                unsynced = []
            }
        } catch {
            // A full disk is no reason to read the file anew; a failed sync is.
            if error.isIOFailure { needsRecovery = true }
            return
        }
        // The first commit in a log that begins anew syncs its head, whatever it is asked for.
        do throws(SQLiteError) {
            try write([], durable: true)
        } catch {
            _ = failed([], with: error)
        }
    }

    /// Moves the log into the database and lets go of the file and the directory.
    package func close() {
        dispatchPrecondition(condition: .onQueue(queue))
        // SQLite touches neither log nor database if the database has been displaced; a log that
        // was removed from beside it still goes into it.
        closeDatabase(leavingLog: needsRecovery)
        directory.unlock()
    }

    /// What of the store is not at its path any more.
    private var displacedFile: PlacedFile? { files.first { !$0.isInPlace } }

    /// SQLite lets go of a file when the last statement on it is gone; so those go first.
    func closeDatabase(leavingLog: Bool) {
        guard let connection = database?.connection else { return }
        database = nil
        if leavingLog { connection.setLogKeptOnClose(true) }
        connection.close()
    }

    private func write(_ changes: [Change], durable: Bool) throws(SQLiteError) {
        guard let database else { preconditionFailure("the store has been closed") }
        var next = record
        next.commits += 1
        for change in changes { next.count(change) }
        let syncs = durable || unsynced.count > Self.unsyncedLimit
        try database.write(changes, record: next, durable: syncs)
        record = next
        if syncs {
            unsynced = []
        } else {
            unsynced.append(changes)
        }
    }

    /// What to throw; an I/O error is mended at once if the disk lets us, so that a failed commit
    /// is gone from the file before its caller hears of it.
    private func failed(_ changes: [Change], with error: SQLiteError) -> StoreError {
        if error.isIOFailure {
            needsRecovery = true
            doubtful = changes
            try? recover()
        }
        return StoreError(error, doing: "saving changes")
    }
}
