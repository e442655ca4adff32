// What a row of each table is: its columns in order, how a value is written into them, and how it
// is read back. Writing and reading go through the same columns in the same order; the round trip
// is tested. Reading checks every value, since a precondition must not fail over a damaged file.

import Scheduling

/// A table as statements see it; the first column is its key, the last the checksum.
package struct StoredTable: Sendable {
    package let name: StaticString
    package let columns: [String]

    package var insertion: String {
        let places = (1...columns.count).map { "?\($0)" }.joined(separator: ", ")
        return "INSERT INTO \(name) (\(list)) VALUES (\(places))"
    }

    package var update: String {
        let settings = columns.enumerated().dropFirst().map { "\($1) = ?\($0 + 1)" }
        return "UPDATE \(name) SET \(settings.joined(separator: ", ")) WHERE \(columns[0]) = ?1"
    }

    package var deletion: String { "DELETE FROM \(name) WHERE \(columns[0]) = ?1" }

    package var selection: String { "SELECT \(list) FROM \(name) ORDER BY \(columns[0])" }

    /// The first row with a key in a range, for reading around damaged pages.
    package var selectionInRange: String {
        "SELECT \(list) FROM \(name) WHERE \(columns[0]) BETWEEN ?1 AND ?2 "
            + "ORDER BY \(columns[0])"
    }

    private var list: String { columns.joined(separator: ", ") }
}

/// A value that can be read from one row of a table.
package protocol ReadableRow: Sendable, Equatable {
    static var table: StoredTable { get }
    /// The first column; never negative.
    var rowKey: Int64 { get }
    /// Reads all columns but the checksum.
    static func readColumns(from statement: SQLiteStatement) throws(RowDamage) -> Self
}

/// A value that is one row of a table of the newest format.
package protocol StoredRow: ReadableRow {
    /// Writes all columns but the checksum.
    func writeColumns(to statement: SQLiteStatement)
}

extension StoredRow {
    package func write(to statement: SQLiteStatement) {
        writeColumns(to: statement)
        statement.writeChecksum()
    }
}

extension ReadableRow {
    package static func read(from statement: SQLiteStatement) throws(RowDamage) -> Self {
        let row = try readColumns(from: statement)
        try statement.readChecksum()
        return row
    }
}

extension SQLiteStatement {
    /// A number that is the raw value of an enum.
    func readEnum<Value: RawRepresentable<UInt8>>() throws(RowDamage) -> Value {
        guard let raw = UInt8(exactly: try readNumber()), let value = Value(rawValue: raw) else {
            throw damage
        }
        return value
    }

    func writeEnum(_ value: some RawRepresentable<UInt8>) {
        write(Int64(value.rawValue))
    }

    func write(_ flag: Bool) {
        write(flag ? 1 : 0 as Int64)
    }

    func readFlag() throws(RowDamage) -> Bool {
        switch try readNumber() {
        case 0: false
        case 1: true
        default: throw damage
        }
    }

    /// A count: not negative.
    func readCount() throws(RowDamage) -> Int {
        let number = try readNumber()
        guard number >= 0 else { throw damage }
        return Int(number)
    }
}
