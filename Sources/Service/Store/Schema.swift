// The tables, version by version. A migration is written once and never changed again: files that
// it made are out there. `user_version` is the number of migrations that a file has been through.
//
// No table has an index beside its key: everything is found by number, commits touch as few pages
// as they can, and there is nothing that could disagree with the rows. That one app has each
// identifier once is the scheduler's rule, kept in memory.

/// The format of the database file.
package enum Schema {
    /// "schd" in ASCII: marks the file as ours in the SQLite header.
    package static let applicationID: Int32 = 0x7363_6864

    /// The format that this program writes.
    package static var version: Int { migrations.count }

    /// Element n takes a file from version n to n + 1.
    package static let migrations: [String] = [version1, version2]

    /// Brings the file to the newest version, one transaction for each step.
    package static func migrate(
        _ connection: SQLiteConnection, from version: Int, by steps: [String] = migrations
    ) throws(SQLiteError) {
        for (index, step) in steps.enumerated().dropFirst(version) {
            do throws(SQLiteError) {
                try connection.execute("BEGIN IMMEDIATE; \(step)")
                try connection.execute("PRAGMA user_version = \(index + 1); COMMIT")
            } catch {
                if connection.isInTransaction { try? connection.execute("ROLLBACK") }
                throw error
            }
        }
    }

    /// Numbers are microseconds unless they count something; enums are the raw values of the types
    /// in Scheduling. `checksum` is a RowHash over the other columns, and ends every row.
    private static let version1 = """
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
        CREATE TABLE pending (
            sequence INTEGER PRIMARY KEY,
            app TEXT NOT NULL,
            identifier TEXT NOT NULL,
            title TEXT NOT NULL,
            subtitle TEXT NOT NULL,
            body TEXT NOT NULL,
            urgency INTEGER NOT NULL CHECK (urgency BETWEEN 0 AND 2),
            expire_timeout INTEGER,
            user_info TEXT,
            trigger_kind INTEGER NOT NULL CHECK (trigger_kind BETWEEN 0 AND 3),
            trigger_value INTEGER,
            pattern TEXT,
            zone TEXT,
            repeats INTEGER NOT NULL CHECK (repeats IN (0, 1)),
            stride_count INTEGER,
            stride_unit INTEGER,
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
            title TEXT NOT NULL,
            subtitle TEXT NOT NULL,
            body TEXT NOT NULL,
            urgency INTEGER NOT NULL CHECK (urgency BETWEEN 0 AND 2),
            expire_timeout INTEGER,
            user_info TEXT,
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
            reason INTEGER NOT NULL CHECK (reason BETWEEN 0 AND 2),
            checksum INTEGER NOT NULL
        ) STRICT;
        """

    /// One more reason to miss an occurrence, too many waited to be shown; and the civil date from
    /// which a stride counts.
    private static let version2 = """
        ALTER TABLE pending ADD COLUMN stride_day INTEGER;
        CREATE TABLE missed_2 (
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
        INSERT INTO missed_2 SELECT * FROM missed;
        DROP TABLE missed;
        ALTER TABLE missed_2 RENAME TO missed;
        """
}
