// Reading the whole store at start. This is the integrity check as well: every row is read, its
// checksum compared, and the numbers of rows compared with the record's. A page that SQLite cannot
// read, a row whose bits changed, and rows that are gone all show here, at no cost of their own.

import CSQLite
package import Scheduling

/// Why a file cannot be loaded as it is.
package enum LoadFailure: Error, Equatable {
    case sqlite(SQLiteError)
    /// The file is damaged; the text says how, for the user.
    case damaged(String)
    /// Written by a later schedd: the format's number.
    case newer(Int)
}

extension StoreDatabase {
    /// Everything that is stored.
    package func load() throws(LoadFailure) -> (StoreRecord, StoredState) {
        let record = try loadRecord()
        let rows: [StoredContent] = try connection.rows()
        let contents = rows.bySequence
        let state = StoredState(
            pending: try connection.rows(expecting: record.pendingCount, saying: contents),
            deliveries: try connection.rows(expecting: record.deliveryCount, saying: contents),
            missed: try connection.rows(expecting: record.missedCount), clock: record.clock,
            lastSequence: record.lastSequence, lastDelivery: record.lastDelivery,
            lastMissed: record.lastMissed)
        return (record, state)
    }

    /// Only the record, to see how far the file has come.
    package func loadRecord() throws(LoadFailure) -> StoreRecord {
        let records: [StoreRecord] = try connection.rows()
        guard let record = records.first else { throw .damaged("its record is missing") }
        return record
    }
}

extension [StoredContent] {
    var bySequence: [Int64: Content] {
        Dictionary(uniqueKeysWithValues: lazy.map { ($0.sequence, $0.content) })
    }
}

extension SQLiteConnection {
    /// All rows of a table, each as it was written.
    ///
    /// - Parameters:
    ///   - count: How many there have to be, if that is known.
    ///   - contents: What rows that refer to a content by its number say.
    func rows<Row: ReadableRow>(
        expecting count: Int? = nil, saying contents: [Int64: Content] = [:]
    ) throws(LoadFailure) -> [Row] {
        var rows: [Row] = []
        if let count { rows.reserveCapacity(min(count, 65_536)) }
        do {
            let statement = try SQLiteStatement(
                Row.table.selection, table: Row.table.name, on: self)
            statement.contents = contents
            while try statement.step() {
                rows.append(try Row.read(from: statement))
            }
        } catch let error as SQLiteError {
            throw .sqlite(error)
        } catch RowDamage.missingContent {
            throw .damaged("what row \(rows.count + 1) of \(Row.table.name) says is missing")
        } catch {
            throw .damaged("row \(rows.count + 1) of \(Row.table.name) is not as it was written")
        }
        if let count, rows.count != count {
            throw .damaged("\(Row.table.name) has \(rows.count) rows instead of \(count)")
        }
        return rows
    }
}

extension SQLiteError {
    /// Whether the failure lies in the file, not in the machine: such a file is set aside.
    var isDamage: Bool {
        switch primaryCode {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_CONSTRAINT,
            SQLITE_SCHEMA, SQLITE_FORMAT, SQLITE_TOOBIG:
            true
        case SQLITE_IOERR:
            // A sector that cannot be read any more; what else fails may work again later.
            code == SQLITE_IOERR | 1 << 8 || code == SQLITE_IOERR | 2 << 8
        default: false
        }
    }
}
