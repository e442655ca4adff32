// The state directory: made if it is missing, checked to be ours, and locked for as long as the
// store is open. All names of files in it are here. What is checked is held open, and the directory
// is writable for its owner alone, so that nobody can exchange what has been checked.

import Glibc
import Platform

/// The locked directory of a store.
package final class StoreDirectory {
    package static let databaseName = "schedd.db"
    static let logName = databaseName + "-wal"
    /// A database that is being made; anything under this name may be deleted.
    static let newName = databaseName + ".new"
    /// A complete database that is to take the place of a damaged one: the presence of this file is
    /// the decision, and every start carries it out.
    static let replacementName = databaseName + ".replacement"
    static let lockName = "schedd.lock"

    /// Absolute and without symbolic links, as SQLITE_OPEN_NOFOLLOW wants it.
    let path: String
    /// As it was asked for: where the next start will look.
    private let given: String
    private let descriptor: FileDescriptor
    private var lock: FileDescriptor?

    /// Makes `path` and what is missing above it, checks it, and takes the lock.
    package init(opening given: String) throws(StoreError) {
        func unusable(_ reason: String) -> StoreError {
            .directoryUnusable(path: given, reason: reason)
        }
        let status: stat
        do throws(Errno) {
            try FileDescriptor.makeDirectory(given)
            descriptor = try FileDescriptor.open(given, O_RDONLY | O_DIRECTORY)
            path = try FileDescriptor.resolvedPath(given)
            status = try descriptor.status()
        } catch {
            throw unusable("\(error)")
        }
        self.given = given
        guard status.st_uid == geteuid() else {
            throw unusable("it belongs to user \(status.st_uid), not to \(geteuid())")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw unusable("others may write to it (0\(String(status.st_mode & 0o777, radix: 8)))")
        }
        let isLocked: Bool
        do throws(Errno) {
            let file = try descriptor.open(Self.lockName, O_RDWR | O_CREAT)
            isLocked = try file.tryLock()
            lock = file
        } catch {
            throw unusable("\(Self.lockName): \(error)")
        }
        if !isLocked {
            lock = nil
            throw .alreadyInUse(directory: given)
        }
    }

    deinit { unlock() }

    /// Lets another process have the directory; the file of the lock stays.
    func unlock() {
        lock?.unlock()
        lock = nil
    }

    func path(of name: String) -> String { "\(path)/\(name)" }

    /// The file that the next start would find under `name`; nil when there is none.
    func placed(_ name: String) -> PlacedFile? { PlacedFile(at: "\(given)/\(name)") }

    /// Makes new names in the directory last through a power cut.
    func sync() throws(StoreError) {
        try wrapping("syncing the directory") { () throws(Errno) in try descriptor.sync() }
    }

    func rename(_ old: String, to new: String) throws(StoreError) {
        try wrapping("renaming \(old) to \(new)") { () throws(Errno) in
            try descriptor.rename(old, to: new)
        }
    }

    /// It is no error when there is no such file.
    func remove(_ name: String) throws(StoreError) {
        try wrapping("removing \(name)") { () throws(Errno) in try descriptor.remove(name) }
    }

    /// Makes an empty file that only we can read.
    func create(_ name: String) throws(StoreError) {
        try wrapping("making \(name)") { () throws(Errno) in
            _ = try descriptor.open(name, O_RDWR | O_CREAT | O_EXCL)
        }
    }

    func setPrivate(_ name: String) throws(StoreError) {
        try wrapping("setting the permissions of \(name)") { () throws(Errno) in
            try descriptor.setMode(of: name, 0o600)
        }
    }

    /// What is there under `name`, links not followed; nil when nothing is.
    func status(of name: String) throws(StoreError) -> stat? {
        try wrapping("looking at \(name)") { () throws(Errno) in try descriptor.status(of: name) }
    }

    /// The first `count` bytes of a regular file, or as many as it has.
    func head(of name: String, count: Int) throws(StoreError) -> [UInt8] {
        let file = try wrapping("opening \(name)") { () throws(Errno) in
            try descriptor.open(name, O_RDONLY)
        }
        // A head that cannot be read is as damaged as one that holds something else.
        guard case .bytes(let bytes)? = try? file.read(limitBytes: count) else { return [] }
        return bytes
    }

    private func wrapping<Result>(
        _ doing: @autoclosure () -> String, _ body: () throws(Errno) -> Result
    ) throws(StoreError) -> Result {
        do {
            return try body()
        } catch {
            throw .directoryUnusable(path: path, reason: "\(doing()): \(error)")
        }
    }
}
