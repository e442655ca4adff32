// The tables, version by version. A migration is written once and never changed again: files that
// it made are out there. `user_version` is the number of the version that a file has.
//
// No table has an index beside its key: everything is found by number, commits touch as few pages
// as they can, and there is nothing that could disagree with the rows. That one app has each
// identifier once is the scheduler's rule, kept in memory.

/// The format of the database file.
package enum Schema {
    /// "schd" in ASCII: marks the file as ours in the SQLite header.
    package static let applicationID: Int32 = 0x7363_6864

    /// The format that `tables` makes. What is older is read as values and written anew, by
    /// FormerFormat.
    package static let oldest = 3

    /// Element n takes a file from version `oldest` + n to the next one.
    package static let migrations: [String] = []

    /// The format that this program writes.
    package static var version: Int { oldest + migrations.count }

    /// Makes the tables of the newest format; inside a transaction of the caller's.
    static func create(_ connection: SQLiteConnection) throws(SQLiteError) {
        for step in [tables] + migrations { try connection.execute(step) }
        try connection.execute("PRAGMA user_version = \(version)")
    }

    /// Brings the file to the newest version, one transaction for each step.
    ///
    /// - Parameter version: That of the file, at least `oldest`.
    package static func migrate(
        _ connection: SQLiteConnection, from version: Int, by steps: [String] = migrations,
        oldest: Int = oldest
    ) throws(SQLiteError) {
        for (index, step) in steps.enumerated().dropFirst(version - oldest) {
            do throws(SQLiteError) {
                try connection.execute("BEGIN IMMEDIATE; \(step)")
                try connection.execute("PRAGMA user_version = \(oldest + index + 1); COMMIT")
            } catch {
                if connection.isInTransaction { try? connection.execute("ROLLBACK") }
                throw error
            }
        }
    }

    /// Numbers are microseconds unless they count something; enums are the raw values of the types
    /// in Scheduling. `checksum` is a RowHash over the other columns, and ends every row. A row of
    /// `content` belongs to the row of `pending` with its number and to the deliveries that name
    /// it, and goes with the last of them.
    private static let tables = """
        CREATE TABLE meta (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            commits INTEGER NOT NULL,
            last_sequence INTEGER NOT NULL,
            last_delivery INTEGER NOT NULL,
            last_missed INTEGER NOT NULL,
            pending_count INTEGER NOT NULL,
            delivery_count INTEGER NOT NULL,
            missed_count INTEGER NOT NULL,
            boot_id TEXT,
            boot_offset INTEGER,
            checksum INTEGER NOT NULL,
            CHECK ((boot_id IS NULL) = (boot_offset IS NULL))
        ) STRICT;
        CREATE TABLE content (
            sequence INTEGER PRIMARY KEY,
            title TEXT NOT NULL,
            document TEXT NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE pending (
            sequence INTEGER PRIMARY KEY,
            app TEXT NOT NULL,
            identifier TEXT NOT NULL,
            trigger_kind INTEGER NOT NULL CHECK (trigger_kind BETWEEN 0 AND 3),
            trigger_value INTEGER,
            pattern TEXT,
            zone TEXT,
            repeats INTEGER NOT NULL CHECK (repeats IN (0, 1)),
            stride_count INTEGER,
            stride_unit INTEGER,
            stride_day INTEGER,
            starts_at INTEGER,
            ends_at INTEGER,
            max_count INTEGER,
            if_missed INTEGER NOT NULL CHECK (if_missed IN (0, 1)),
            lateness_limit INTEGER,
            added INTEGER NOT NULL,
            next_clock INTEGER NOT NULL CHECK (next_clock IN (0, 1)),
            next_at INTEGER NOT NULL,
            occurrence_count INTEGER NOT NULL CHECK (occurrence_count >= 0),
            fired TEXT NOT NULL,
            checksum INTEGER NOT NULL,
            CHECK ((trigger_kind IN (1, 2)) = (trigger_value IS NOT NULL)),
            CHECK ((trigger_kind = 3) = (pattern IS NOT NULL)),
            CHECK ((stride_count IS NULL) = (stride_unit IS NULL))
        ) STRICT;
        CREATE TABLE delivery (
            number INTEGER PRIMARY KEY,
            app TEXT NOT NULL,
            identifier TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            due INTEGER NOT NULL,
            fired INTEGER NOT NULL,
            presented INTEGER,
            late INTEGER NOT NULL CHECK (late IN (0, 1)),
            missed_count INTEGER NOT NULL CHECK (missed_count >= 0),
            lateness_limit INTEGER,
            checksum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE missed (
            number INTEGER PRIMARY KEY,
            app TEXT NOT NULL,
            identifier TEXT NOT NULL,
            title TEXT NOT NULL,
            due INTEGER NOT NULL,
            recorded INTEGER NOT NULL,
            count INTEGER NOT NULL CHECK (count >= 0),
            reason INTEGER NOT NULL CHECK (reason BETWEEN 0 AND 3),
            checksum INTEGER NOT NULL
        ) STRICT;
        """
}
