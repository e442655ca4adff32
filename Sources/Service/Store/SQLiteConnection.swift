// One SQLite connection and the settings that the store's promises rest on. Nothing here is
// synchronised: a connection belongs to whoever made it, and the store keeps it on one queue.
// Unsafe: SQLite hands out opaque pointers; each is owned by exactly one object and closed once.

import CSQLite

/// An open database.
@safe package final class SQLiteConnection {
    private(set) var handle: OpaquePointer?
    /// Pages in the write-ahead log after the last commit, as SQLite's WAL hook tells them.
    fileprivate(set) var logPages = 0

    /// What a connection may do to the file.
    package enum Purpose {
        /// Made anew; the file exists and is empty.
        case create
        case use
        /// Only looked at: a damaged file is read as far as it goes, and not a byte of it changes.
        case salvage
    }

    /// Opens `path` and applies the settings; the first access to the file happens here.
    package init(path: String, for purpose: Purpose, vfs: String? = nil) throws(SQLiteError) {
        // NOMUTEX: one queue uses the connection, and SQLite's own locks would only repeat that.
        // NOFOLLOW: the directory was checked, and a link in it would lead out of it.
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
            | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
        var opened: OpaquePointer?
        let code =
            if let vfs {
                unsafe vfs.withCString { unsafe sqlite3_open_v2(path, &opened, flags, $0) }
            } else {
                unsafe sqlite3_open_v2(path, &opened, flags, nil)
            }
        unsafe handle = opened
        try check(code, "open \(path)")
        try configure(for: purpose)
        unsafe _ = sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                guard let context = unsafe context else { return SQLITE_OK }
                // The connection outlives its hook: both end in `close`.
                let connection = unsafe Unmanaged<SQLiteConnection>.fromOpaque(context)
                unsafe connection.takeUnretainedValue().logPages = Int(pages)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func configure(for purpose: Purpose) throws(SQLiteError) {
        // EXCLUSIVE keeps the index of the log in memory instead of a shared file: the store opens
        // on a full disk, commits take no lock calls, and no outside reader can hold up a
        // checkpoint. The price: other programs find the database locked while the daemon runs.
        try execute("PRAGMA locking_mode = EXCLUSIVE")
        try execute("PRAGMA temp_store = MEMORY")
        try execute("PRAGMA trusted_schema = OFF")
        switch purpose {
        case .create:
            try execute("PRAGMA page_size = 4096")
            try execute("PRAGMA journal_mode = WAL")
            try execute("PRAGMA synchronous = FULL")
        case .use:
            try execute("PRAGMA cell_size_check = ON")
            try execute("PRAGMA foreign_keys = ON")
            // 128 KiB: loading reads each page once, and a commit touches a few.
            try execute("PRAGMA cache_size = -128")
            // What was removed is not to be found in the file afterwards.
            try execute("PRAGMA secure_delete = ON")
            // Checkpoints are made by the store itself, which looks at their result.
            try execute("PRAGMA wal_autocheckpoint = 0")
            // A log that one large batch made grow shrinks again.
            try execute("PRAGMA journal_size_limit = 1048576")
            try execute("PRAGMA synchronous = FULL")
        case .salvage:
            setLogKeptOnClose(true)
            try execute("PRAGMA query_only = ON")
            // Lets SQLite open a file that is shorter than its header says.
            try execute("PRAGMA writable_schema = ON")
        }
    }

    /// Whether closing leaves the log as it is, instead of moving it into the database.
    package func setLogKeptOnClose(_ isKept: Bool) {
        _ = unsafe sqlite3_no_checkpoint_on_close(handle, isKept ? 1 : 0)
    }

    /// Runs one or more statements without results.
    package func execute(_ sql: String) throws(SQLiteError) {
        try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil), sql)
    }

    /// The single number that `sql` gives.
    package func integer(_ sql: String) throws(SQLiteError) -> Int64 {
        let statement = try SQLiteStatement(sql, table: "", on: self)
        guard try statement.step() else { return 0 }
        return statement.key
    }

    /// Rows changed by the last statement that ran to its end.
    var changedRows: Int { unsafe Int(sqlite3_changes(handle)) }

    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// Moves the log into the database and syncs it, waiting for nobody.
    ///
    /// - Throws: When a page could not be written or synced; the log is then complete as before.
    func checkpoint(truncating: Bool) throws(SQLiteError) {
        let mode = truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        try check(
            unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil), "wal_checkpoint")
        logPages = 0
    }

    /// Throws the connection's last error when `code` is one.
    func check(_ code: Int32, _ statement: @autoclosure () -> String) throws(SQLiteError) {
        guard code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW else { return }
        let text = unsafe handle.map { unsafe sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        let message = unsafe text.map { unsafe String(cString: $0) } ?? "unknown error"
        throw SQLiteError(code: code, message: message, statement: statement())
    }

    /// Closes the database, which moves the log into it; every statement must be gone.
    package func close() {
        unsafe sqlite3_wal_hook(handle, nil, nil)
        unsafe sqlite3_close_v2(handle)
        unsafe handle = nil
    }

    deinit {
        if unsafe handle != nil { close() }
    }
}
