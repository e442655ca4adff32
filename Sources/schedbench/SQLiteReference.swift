// SQLite alone: the rows that schedd wrote, written again by prepared statements with the same
// settings and nothing else. What schedd takes beyond that is its own.
// Unsafe: SQLite hands out opaque pointers; each belongs to one object here and is freed once.

import CSQLite
import Foundation

@safe final class SQLiteReference {
    private var database: OpaquePointer?
    private var insertion: OpaquePointer?
    /// One row's values after another's.
    private var values: [OpaquePointer?] = unsafe []
    private var columns = 0
    private var rows = 0
    private var nextRow = 0
    private var nextKey: Int64 = 1

    /// Takes the rows of a store that schedd has closed; writes to a new file in `folder`.
    init(rowsOf store: URL, in folder: URL) throws {
        let table = try load(store)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "alone.db").path
        try check(unsafe sqlite3_open(path, &database))
        for setting in [
            "locking_mode = EXCLUSIVE", "temp_store = MEMORY", "page_size = 4096",
            "journal_mode = WAL", "cache_size = -512", "secure_delete = ON",
            "wal_autocheckpoint = 256", "journal_size_limit = 1048576", "synchronous = FULL",
        ] {
            try execute("PRAGMA \(setting)")
        }
        try execute(table)
        let places = Array(repeating: "?", count: columns).joined(separator: ", ")
        try check(
            unsafe sqlite3_prepare_v2(
                database, "INSERT INTO pending VALUES (\(places))", -1, &insertion, nil))
    }

    deinit {
        unsafe values.forEach { unsafe sqlite3_value_free($0) }
        unsafe sqlite3_finalize(insertion)
        unsafe sqlite3_close(database)
    }

    /// Nanoseconds for so many rows in transactions of `batch` rows, each on disk before the next.
    func insert(_ count: Int, batch: Int) throws -> Double {
        try Stopwatch.nanoseconds {
            var left = count
            while left > 0 {
                try execute("BEGIN IMMEDIATE")
                for _ in 0..<min(batch, left) { try insertRow() }
                try execute("COMMIT")
                left -= batch
            }
        }
    }

    private func insertRow() throws {
        // The key is a new one, as it is in schedd; the rest of the row is as it was.
        unsafe sqlite3_bind_int64(insertion, 1, nextKey)
        for column in 1..<columns {
            unsafe sqlite3_bind_value(
                insertion, Int32(column + 1), values[nextRow * columns + column])
        }
        guard unsafe sqlite3_step(insertion) == SQLITE_DONE else {
            throw BenchmarkFailure(description: "SQLite does not take a row")
        }
        unsafe sqlite3_reset(insertion)
        nextKey += 1
        nextRow = (nextRow + 1) % rows
    }

    /// Reads all pending rows; returns the statement that makes the table.
    private func load(_ store: URL) throws -> String {
        var source: OpaquePointer?
        try check(unsafe sqlite3_open_v2(store.path, &source, SQLITE_OPEN_READWRITE, nil))
        defer { unsafe sqlite3_close(source) }
        var row: OpaquePointer?
        try check(unsafe sqlite3_prepare_v2(source, "SELECT * FROM pending", -1, &row, nil))
        defer { unsafe sqlite3_finalize(row) }
        columns = unsafe Int(sqlite3_column_count(row))
        while unsafe sqlite3_step(row) == SQLITE_ROW {
            for column in 0..<columns {
                unsafe values.append(sqlite3_value_dup(sqlite3_column_value(row, Int32(column))))
            }
            rows += 1
        }
        var table: OpaquePointer?
        let text = "SELECT sql FROM sqlite_schema WHERE name = 'pending'"
        try check(unsafe sqlite3_prepare_v2(source, text, -1, &table, nil))
        defer { unsafe sqlite3_finalize(table) }
        guard unsafe sqlite3_step(table) == SQLITE_ROW, rows > 0,
            let sql = unsafe sqlite3_column_text(table, 0)
        else { throw BenchmarkFailure(description: "the store \(store.path) has no rows") }
        return unsafe String(cString: sql)
    }

    /// How many transactions a store that schedd has closed has been through.
    static func commits(of store: URL) throws -> Int {
        var source: OpaquePointer?
        unsafe sqlite3_open_v2(store.path, &source, SQLITE_OPEN_READWRITE, nil)
        defer { unsafe sqlite3_close(source) }
        var row: OpaquePointer?
        unsafe sqlite3_prepare_v2(source, "SELECT commits FROM meta", -1, &row, nil)
        defer { unsafe sqlite3_finalize(row) }
        guard unsafe sqlite3_step(row) == SQLITE_ROW else {
            throw BenchmarkFailure(description: "the store \(store.path) has no record")
        }
        return unsafe Int(sqlite3_column_int64(row, 0))
    }

    private func execute(_ sql: String) throws {
        try check(unsafe sqlite3_exec(database, sql, nil, nil, nil))
    }

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK {
            throw BenchmarkFailure(description: "SQLite fails with code \(code)")
        }
    }
}
