// A prepared statement with a cursor over its columns: rows are written and read column by column
// in one order, and the row's checksum is taken along the way, so that no column can be forgotten
// in it. A statement is prepared once and reset after every run. Unsafe: SQLite's pointers to texts
// are valid until the next step; they are copied before it.

import CSQLite
import CivilTime
import Scheduling

/// Why a stored row cannot be used.
package enum RowDamage: Error, Equatable {
    case checksum
    /// A column holds what this schema never writes.
    case value(column: Int)
    /// What the request with this number says is not there.
    case missingContent(Int64)
}

/// A prepared statement of one table.
@safe package final class SQLiteStatement {
    let handle: OpaquePointer?
    private let sql: String
    private let table: StaticString
    private unowned let connection: SQLiteConnection
    private var hash: RowHash
    /// The column that is written or read next, from 0.
    private var column: Int32 = 0
    private var bindFailure: Int32 = SQLITE_OK
    /// Patterns read so far by their texts: most requests of an app share a few.
    var patterns: [String: CalendarPattern] = [:]
    /// Texts that many rows have, so that these share one in memory.
    private var sharedTexts: Set<String> = []
    /// What the rows to be read say, by the numbers of their requests.
    var contents: [Int64: Content] = [:]

    package init(
        _ sql: String, table: StaticString, on connection: SQLiteConnection
    ) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        unsafe handle = prepared
        self.sql = sql
        self.table = table
        self.connection = connection
        hash = RowHash(table: table)
        try connection.check(code, sql)
    }

    deinit { unsafe sqlite3_finalize(handle) }

    // MARK: Writing

    package func write(_ number: Int64) {
        hash.combine(number)
        note(unsafe sqlite3_bind_int64(handle, nextPlace(), number))
    }

    package func write(_ number: Int64?) {
        guard let number else { return writeNull() }
        write(number)
    }

    package func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            unsafe hash.combine(text: UnsafeRawBufferPointer(bytes))
            // SQLITE_TRANSIENT, a cast in C: SQLite copies the bytes before it returns.
            let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            // An empty text may have no address, which SQLite would take for NULL.
            guard let start = bytes.baseAddress else {
                return note(unsafe sqlite3_bind_text(handle, nextPlace(), "", 0, transient))
            }
            note(
                unsafe sqlite3_bind_text(
                    handle, nextPlace(),
                    UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self),
                    Int32(bytes.count), transient))
        }
    }

    package func write(_ text: String?) {
        guard let text else { return writeNull() }
        write(text)
    }

    private func writeNull() {
        hash.combineNull()
        note(unsafe sqlite3_bind_null(handle, nextPlace()))
    }

    /// Writes the checksum of all columns before it: the last column of every row.
    func writeChecksum() {
        note(unsafe sqlite3_bind_int64(handle, nextPlace(), hash.value))
    }

    private func nextPlace() -> Int32 {
        column += 1
        return column
    }

    private func note(_ code: Int32) {
        if code != SQLITE_OK && bindFailure == SQLITE_OK { bindFailure = code }
    }

    /// Runs to the end and makes the statement ready for the next row.
    package func run() throws(SQLiteError) {
        defer { reset() }
        try connection.check(bindFailure, sql)
        while try step() {}
    }

    // MARK: Reading

    /// Goes to the next row; false after the last one.
    package func step() throws(SQLiteError) -> Bool {
        column = 0
        hash = RowHash(table: table)
        let code = unsafe sqlite3_step(handle)
        try connection.check(code, sql)
        return code == SQLITE_ROW
    }

    /// The first column of the present row, unchecked.
    package var key: Int64 { unsafe sqlite3_column_int64(handle, 0) }

    package func reset() {
        // The result repeats the error of the last step, which has been reported.
        _ = unsafe sqlite3_reset(handle)
        column = 0
        bindFailure = SQLITE_OK
        hash = RowHash(table: table)
    }

    package func readNumber() throws(RowDamage) -> Int64 {
        guard let number = try readOptionalNumber() else { throw damage }
        return number
    }

    package func readOptionalNumber() throws(RowDamage) -> Int64? {
        defer { column += 1 }
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_NULL:
            hash.combineNull()
            return nil
        case SQLITE_INTEGER:
            let number = unsafe sqlite3_column_int64(handle, column)
            hash.combine(number)
            return number
        default: throw .value(column: Int(column))
        }
    }

    /// A column that format 2 added: where it is NULL, as in all rows from before, the checksum
    /// does not know of it.
    func readLater() throws(RowDamage) -> Int64? {
        if unsafe sqlite3_column_type(handle, column) != SQLITE_NULL { return try readNumber() }
        column += 1
        return nil
    }

    package func readText() throws(RowDamage) -> String {
        guard let text = try readOptionalText() else { throw damage }
        return text
    }

    /// A text that other rows probably have as well, such as the name of their app.
    func readSharedText() throws(RowDamage) -> String {
        sharedTexts.insert(try readText()).memberAfterInsert
    }

    /// What the request with this number says. A row is worth nothing without it.
    func content(of sequence: Int64) throws(RowDamage) -> Content {
        guard let content = contents[sequence] else { throw .missingContent(sequence) }
        return content
    }

    package func readOptionalText() throws(RowDamage) -> String? {
        defer { column += 1 }
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_NULL:
            hash.combineNull()
            return nil
        case SQLITE_TEXT:
            let start = unsafe sqlite3_column_text(handle, column)
            let count = unsafe sqlite3_column_bytes(handle, column)
            let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(count))
            unsafe hash.combine(text: UnsafeRawBufferPointer(bytes))
            return unsafe String(decoding: bytes, as: UTF8.self)
        default: throw .value(column: Int(column))
        }
    }

    /// Compares the last column with the checksum of all columns read before it.
    func readChecksum() throws(RowDamage) {
        let expected = hash.value
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER,
            unsafe sqlite3_column_int64(handle, column) == expected
        else { throw .checksum }
    }

    /// The column read last holds an impossible value.
    var damage: RowDamage { .value(column: Int(column) - 1) }
}
