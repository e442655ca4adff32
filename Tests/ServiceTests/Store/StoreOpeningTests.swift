// What opening makes, refuses and repairs. Files that are not ours or newer stay as they are.

import CSQLite
import CivilTime
import Glibc
import Scheduling
import Service
import Testing

@Suite struct StoreOpeningTests {
    @Test func `a missing directory is made for us alone, its parents for all`() throws {
        let folder = try StoreFolder()
        let path = folder.path + "/state/schedd"
        let old = umask(0o022)
        defer { umask(old) }
        let (store, state, notices) = try Store.open(directory: path, now: StoreFolder.now)
        #expect(state == StoredState())
        #expect(notices == [])
        store.shut()
        #expect(Files.status(folder.path + "/state").map { $0.st_mode & 0o777 } == 0o755)
        #expect(Files.status(path).map { $0.st_mode & 0o777 } == 0o700)
        #expect(Files.status(path + "/schedd.db").map { $0.st_mode & 0o777 } == 0o600)
        #expect(Files.names(in: path) == ["schedd.db", "schedd.lock"])
    }

    @Test func `the log is as private as the database`() throws {
        let folder = try StoreFolder()
        let (store, _, _) = try folder.open()
        try store.save([.clock(before: nil, after: ClockRecord(bootID: "b", offset: 1))])
        #expect(Files.status(folder.log).map { $0.st_mode & 0o777 } == 0o600)
        store.shut()
    }

    @Test func `a second store on the same directory is refused until the first closes`() throws {
        let folder = try StoreFolder()
        let (store, _, _) = try folder.open()
        #expect(throws: StoreError.alreadyInUse(directory: folder.path)) { _ = try folder.open() }
        // Also under another name of the same directory.
        let link = folder.path + "-link"
        unsafe symlink(folder.path, link)
        defer { Files.removeAll(link) }
        #expect(throws: StoreError.alreadyInUse(directory: link)) {
            _ = try Store.open(directory: link, now: StoreFolder.now)
        }
        store.shut()
        _ = try folder.contents()
    }

    @Test func `a database that another program holds is not touched`() async throws {
        let folder = try StoreFolder()
        _ = try folder.contents()
        let path = folder.path
        let other = try SQLiteConnection(path: folder.database, for: .use)
        try other.execute("BEGIN IMMEDIATE")
        // In another process: within one, SQLite knows its own locks.
        await #expect(processExitsWith: .success) { [path = path as String] in
            #expect(throws: StoreError.alreadyInUse(directory: path)) {
                _ = try Store.open(directory: path, now: StoreFolder.now)
            }
        }
        try other.execute("ROLLBACK")
        other.close()
        #expect(try folder.contents() == StoredState())
    }

    @Test func `a symbolic link in the database's place is refused`() throws {
        let folder = try StoreFolder()
        _ = try folder.contents()
        let target = folder.path + "/elsewhere"
        unsafe #expect(rename(folder.database, target) == 0)
        unsafe #expect(symlink(target, folder.database) == 0)
        let error = #expect(throws: StoreError.self) { _ = try folder.open() }
        guard case .fileRefused = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(Files.names(in: folder.path) == ["elsewhere", "schedd.db", "schedd.lock"])
    }

    @Test func `B59: a database without permissions is given them back`() throws {
        let folder = try StoreFolder()
        _ = try folder.contents()
        unsafe #expect(chmod(folder.database, 0) == 0)
        let (store, _, notices) = try folder.open()
        store.shut()
        #expect(notices == [.permissionsRepaired(path: folder.database, mode: 0)])
        #expect(Files.status(folder.database).map { $0.st_mode & 0o777 } == 0o600)
    }

    @Test func `a database from a later schedd is refused and stays as it is`() throws {
        let folder = try StoreFolder()
        try folder.change("PRAGMA user_version = \(Schema.version + 1)")
        let before = Files.read(folder.database)
        let expected = StoreError.newerVersion(
            path: folder.database, version: Schema.version + 1, supported: Schema.version)
        #expect(throws: expected) { _ = try folder.open() }
        #expect(Files.read(folder.database) == before)
        #expect(Files.names(in: folder.path) == ["schedd.db", "schedd.lock"])
    }

    @Test func `a database of another program is refused and stays as it is`() throws {
        let folder = try StoreFolder()
        try folder.change("PRAGMA application_id = 1")
        let before = Files.read(folder.database)
        #expect(throws: StoreError.foreignDatabase(path: folder.database, applicationID: 1)) {
            _ = try folder.open()
        }
        #expect(Files.read(folder.database) == before)
        #expect(Files.names(in: folder.path) == ["schedd.db", "schedd.lock"])
    }

    @Test func `a file in the directory's place makes the directory unusable`() throws {
        let folder = try StoreFolder()
        let path = folder.path + "/file"
        try Files.write([1], to: path)
        for directory in [path, path + "/below"] {
            let error = #expect(throws: StoreError.self) {
                _ = try Store.open(directory: directory, now: StoreFolder.now)
            }
            guard case .directoryUnusable = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test func `a directory that others may write to is refused`() throws {
        let folder = try StoreFolder()
        unsafe #expect(chmod(folder.path, 0o777) == 0)
        let error = #expect(throws: StoreError.self) { _ = try folder.open() }
        #expect(error.map { "\($0)".contains("others may write") } == true)
    }

    @Test func `migrations run in order, each once, and a failing one changes nothing`() throws {
        let folder = try StoreFolder()
        let path = folder.path + "/plain.db"
        try Files.write([], to: path)
        let connection = try SQLiteConnection(path: path, for: .create)
        let steps = ["CREATE TABLE a (x)", "ALTER TABLE a ADD COLUMN y"]
        try Schema.migrate(connection, from: 0, by: Array(steps.prefix(1)), oldest: 0)
        try Schema.migrate(connection, from: 1, by: steps, oldest: 0)
        #expect(try connection.integer("PRAGMA user_version") == 2)
        #expect(try connection.integer("SELECT count(*) FROM pragma_table_info('a')") == 2)
        #expect(throws: SQLiteError.self) {
            try Schema.migrate(
                connection, from: 2, by: steps + ["CREATE TABLE b (x); nonsense"], oldest: 0)
        }
        #expect(try connection.integer("PRAGMA user_version") == 2)
        #expect(try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'b'") == 0)
    }

    @Test func `the statements name every column of the tables`() throws {
        let folder = try StoreFolder()
        _ = try folder.contents()
        let connection = try SQLiteConnection(path: folder.database, for: .use)
        let tables = [
            PendingRequest.table, Delivery.table, Missed.table, StoredContent.table,
            StoreRecord.table,
        ]
        for table in tables {
            for column in table.columns {
                let sql =
                    "SELECT count(*) FROM pragma_table_info('\(table.name)') "
                    + "WHERE name = '\(column)'"
                #expect(try connection.integer(sql) == 1, "\(table.name).\(column)")
            }
            let count = "SELECT count(*) FROM pragma_table_info('\(table.name)')"
            #expect(try connection.integer(count) == Int64(table.columns.count))
        }
        #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") == 5)
    }
}

extension StoreFolder {
    /// Changes the closed database behind the store's back, making it first if needed.
    func change(_ sql: String) throws {
        if !Files.exists(database) { _ = try contents() }
        let connection = try SQLiteConnection(path: database, for: .use)
        try connection.execute(sql)
        connection.close()
    }
}
