// The state directory: made if it is missing, checked to be ours, and locked for as long as the
// store is open. All names of files in it are here. What is checked is held open, and the directory
// is writable for its owner alone, so that nobody can exchange what has been checked. Unsafe:
// system calls take pointers to strings and fill in structures; nothing outlives its call.

import Glibc

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
    private let descriptor: Int32
    private var lock: Int32

    /// Makes `path` and what is missing above it, checks it, and takes the lock.
    package init(opening given: String) throws(StoreError) {
        func unusable(_ reason: String) -> StoreError {
            .directoryUnusable(path: given, reason: reason)
        }
        if let reason = Self.make(given) { throw unusable(reason) }
        self.given = given
        descriptor = unsafe Glibc.open(given, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        lock = -1
        guard descriptor >= 0 else { throw unusable(Self.reason()) }
        guard let resolved = unsafe realpath(given, nil) else {
            let reason = Self.reason()
            Glibc.close(descriptor)
            throw unusable(reason)
        }
        path = unsafe String(cString: resolved)
        unsafe free(resolved)
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw unusable(Self.reason()) }
        guard status.st_uid == geteuid() else {
            throw unusable("it belongs to user \(status.st_uid), not to \(geteuid())")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw unusable("others may write to it (0\(String(status.st_mode & 0o777, radix: 8)))")
        }
        lock = unsafe Glibc.openat(
            descriptor, Self.lockName, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw unusable("\(Self.lockName): \(Self.reason())") }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            if errno == EWOULDBLOCK { throw .alreadyInUse(directory: given) }
            throw unusable("\(Self.lockName): \(Self.reason())")
        }
    }

    deinit {
        unlock()
        Glibc.close(descriptor)
    }

    /// Lets another process have the directory; the file of the lock stays.
    func unlock() {
        guard lock >= 0 else { return }
        // To close is not enough: a program that is being started right now has inherited the open
        // file for a moment, and the lock is the file's.
        _ = flock(lock, LOCK_UN)
        Glibc.close(lock)
        lock = -1
    }

    func path(of name: String) -> String { "\(path)/\(name)" }

    /// The file that the next start would find under `name`; nil when there is none.
    func placed(_ name: String) -> PlacedFile? { PlacedFile(at: "\(given)/\(name)") }

    /// Makes new names in the directory last through a power cut.
    func sync() throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw failure("syncing the directory") }
    }

    func rename(_ old: String, to new: String) throws(StoreError) {
        guard unsafe renameat(descriptor, old, descriptor, new) == 0 else {
            throw failure("renaming \(old) to \(new)")
        }
    }

    func remove(_ name: String) throws(StoreError) {
        guard unsafe unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw failure("removing \(name)")
        }
    }

    /// Makes an empty file that only we can read.
    func create(_ name: String) throws(StoreError) {
        let file = unsafe openat(
            descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure("making \(name)") }
        Glibc.close(file)
    }

    func setPrivate(_ name: String) throws(StoreError) {
        guard unsafe fchmodat(descriptor, name, 0o600, 0) == 0 else {
            throw failure("setting the permissions of \(name)")
        }
    }

    /// What is there under `name`, links not followed; nil when nothing is.
    func status(of name: String) throws(StoreError) -> stat? {
        var status = stat()
        guard unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw failure("looking at \(name)")
        }
        return status
    }

    /// The first `count` bytes of a regular file, or as many as it has.
    func head(of name: String, count: Int) throws(StoreError) -> [UInt8] {
        let file = unsafe openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw failure("opening \(name)") }
        defer { Glibc.close(file) }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = unsafe max(0, read(file, buffer.baseAddress, count))
        }
        return bytes
    }

    private func failure(_ doing: String) -> StoreError {
        .directoryUnusable(path: path, reason: "\(doing): \(Self.reason())")
    }

    private static func reason() -> String { unsafe String(cString: strerror(errno)) }

    /// Makes a directory 0700, and its missing parents 0755 as the umask allows; why not, if it
    /// fails.
    private static func make(_ path: String) -> String? {
        var prefix = path.hasPrefix("/") ? "" : "."
        let components = path.split(separator: "/")
        for (index, component) in components.enumerated() {
            prefix += "/" + component
            let mode: mode_t = index == components.count - 1 ? 0o700 : 0o755
            guard unsafe mkdir(prefix, mode) != 0 && errno != EEXIST else { continue }
            // Above, anything but "there is no such file" may still end in a usable directory.
            if index == components.count - 1 { return reason() }
        }
        return nil
    }
}
