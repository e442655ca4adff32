// Opening the store, in the order in which nothing can be lost: lock, finish what an earlier start
// began, look at the file without changing it, load it, and only if it is damaged replace it.
// What is not ours is refused and left as it is. An error means that the daemon cannot run on this
// directory; everything else becomes a notice.

import CSQLite
package import CivilTime
import Glibc
package import Scheduling

extension Store {
    /// Opens the store in `directory`, or makes it; may be called anywhere, before the store's
    /// queue is used.
    ///
    /// - Parameters:
    ///   - now: Names what is set aside.
    ///   - vfs: The SQLite file system; nil for the usual one.
    package static func open(
        directory given: String, now: WallInstant, vfs: String? = nil
    ) throws(StoreError) -> (Store, StoredState, [StoreNotice]) {
        let directory = try StoreDirectory(opening: given)
        var opening = StoreOpening(directory: directory, now: now, vfs: vfs)
        let loaded = try opening.run()
        let store = Store(
            path: directory.path(of: StoreDirectory.databaseName), vfs: vfs,
            directory: directory, database: loaded.database, record: loaded.record)
        return (store, loaded.state, opening.notices)
    }
}

/// One attempt to open a store.
struct StoreOpening {
    typealias Loaded = (database: StoreDatabase, record: StoreRecord, state: StoredState)

    /// What is there under the database's name.
    private enum Finding {
        case absent
        case usable
        /// Nothing that SQLite could read; the text says why.
        case unreadable(String)
    }

    let directory: StoreDirectory
    let now: WallInstant
    let vfs: String?
    var notices: [StoreNotice] = []

    private static let name = StoreDirectory.databaseName
    private var path: String { directory.path(of: Self.name) }

    init(directory: StoreDirectory, now: WallInstant, vfs: String?) {
        self.directory = directory
        self.now = now
        self.vfs = vfs
    }

    mutating func run() throws(StoreError) -> Loaded {
        if try directory.status(of: StoreDirectory.replacementName) != nil {
            _ = try finishReplacement()
            notices.append(.replacementFinished)
        }
        switch try inspect() {
        case .absent:
            try build(.none)
            try directory.rename(StoreDirectory.newName, to: Self.name)
            try directory.sync()
        case .unreadable(let reason):
            try replace(by: .unreadable, because: reason)
        case .usable:
            do throws(LoadFailure) {
                return try load()
            } catch {
                let reason = try reasonToReplace(error)
                try replace(by: SalvagedRows(reading: path, vfs: vfs), because: reason)
            }
        }
        do throws(LoadFailure) {
            return try load()
        } catch {
            let reason = try reasonToReplace(error)
            throw .directoryUnusable(path: directory.path, reason: "a new store fails: \(reason)")
        }
    }

    /// Looks at the file without SQLite, which would change it. Only a file that is ours and not
    /// newer is opened.
    private mutating func inspect() throws(StoreError) -> Finding {
        let log = try checkedLog()
        guard let found = try directory.status(of: Self.name) else {
            // A log without its database must not be applied to a new one.
            guard log != nil else { return .absent }
            return .unreadable("the file is gone, and only its log is left")
        }
        if found.st_mode & S_IFMT == S_IFLNK {
            throw .fileRefused(path: path, reason: "it is a symbolic link")
        }
        if found.st_uid != geteuid() {
            throw .fileRefused(
                path: path, reason: "it belongs to user \(found.st_uid), not to \(geteuid())")
        }
        guard found.st_mode & S_IFMT == S_IFREG else {
            return .unreadable("it is not a file")
        }
        let mode = found.st_mode & 0o777
        if mode != 0o600 {
            try directory.setPrivate(Self.name)
            notices.append(.permissionsRepaired(path: path, mode: mode))
        }
        guard let head = DatabaseHead(try directory.head(of: Self.name, count: DatabaseHead.size))
        else { return .unreadable("it is not a database") }
        if head.applicationID != Schema.applicationID {
            throw .foreignDatabase(path: path, applicationID: head.applicationID)
        }
        guard head.version <= Schema.version else {
            throw .newerVersion(
                path: path, version: Int(head.version), supported: Schema.version)
        }
        return .usable
    }

    /// The log, if there is one. What is no file in its place goes aside: SQLite would not open.
    private mutating func checkedLog() throws(StoreError) -> stat? {
        guard let log = try directory.status(of: StoreDirectory.logName) else { return nil }
        guard log.st_mode & S_IFMT != S_IFREG else { return log }
        let name = try unusedName() + "-wal"
        try directory.rename(StoreDirectory.logName, to: name)
        notices.append(.setAside(as: name, reason: "its log is not a file"))
        return nil
    }

    private func load() throws(LoadFailure) -> Loaded {
        do {
            let connection = try SQLiteConnection(path: path, for: .use, vfs: vfs)
            // Until all is well, closing must leave the files as they were found.
            connection.setLogKeptOnClose(true)
            // The log may hold a later header than the file.
            let version = Int(try connection.integer("PRAGMA user_version"))
            if version > Schema.version { throw LoadFailure.newer(version) }
            if version == 0 { throw LoadFailure.damaged("it has no tables") }
            if version < Schema.oldest {
                try FormerFormat.rewrite(connection, version: version)
            } else {
                try Schema.migrate(connection, from: version)
            }
            let database = try StoreDatabase(connection)
            let (record, state) = try database.load()
            connection.setLogKeptOnClose(false)
            return (database, record, state)
        } catch let error as LoadFailure {
            throw error
        } catch let error as SQLiteError {
            throw .sqlite(error)
        } catch {
            throw .damaged("\(error)")
        }
    }

    /// Tells damage, which is replaced, from what the daemon must give up over.
    private func reasonToReplace(_ failure: LoadFailure) throws(StoreError) -> String {
        switch failure {
        case .damaged(let reason):
            return reason
        case .newer(let version):
            throw .newerVersion(path: path, version: version, supported: Schema.version)
        case .sqlite(let error) where error.isDamage:
            return error.message
        case .sqlite(let error) where error.primaryCode == SQLITE_BUSY:
            throw .alreadyInUse(directory: directory.path)
        case .sqlite(let error):
            throw StoreError(error, doing: "opening \(path)")
        }
    }
}

/// The part of a database's first page that says whose it is.
///
/// See "Database File Format", section 1.3: the magic text at 0, the user version at 60 and the
/// application id at 68, big-endian.
struct DatabaseHead {
    static let size = 100

    let version: UInt32
    let applicationID: Int32

    /// nil when the bytes are not the head of an SQLite database.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, bytes.starts(with: "SQLite format 3\0".utf8) else {
            return nil
        }
        func number(at offset: Int) -> UInt32 {
            bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        version = number(at: 60)
        applicationID = Int32(bitPattern: number(at: 68))
    }
}
