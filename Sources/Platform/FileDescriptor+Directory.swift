// The files of an open directory, by name. Through the descriptor it stays the directory that was
// opened, whatever its path leads to by then. Symbolic links in the last place are never followed.

package import Glibc

extension FileDescriptor {
    /// openat(2) in this directory, with O_CLOEXEC and O_NOFOLLOW added.
    package func open(_ name: String, _ flags: Int32) throws(Errno) -> FileDescriptor {
        let all = flags | O_CLOEXEC | O_NOFOLLOW
        return try FileDescriptor(
            owning: retryingInterrupted { unsafe openat(rawValue, name, all, 0o600) })
    }

    /// fstatat(2): what is there under `name`; nil when nothing is.
    package func status(of name: String) throws(Errno) -> stat? {
        var status = stat()
        do throws(Errno) {
            _ = try retryingInterrupted {
                unsafe fstatat(rawValue, name, &status, AT_SYMLINK_NOFOLLOW)
            }
        } catch {
            if error == .notFound { return nil }
            throw error
        }
        return status
    }

    /// renameat(2) within this directory; replaces what has the new name.
    package func rename(_ old: String, to new: String) throws(Errno) {
        _ = try retryingInterrupted { unsafe renameat(rawValue, old, rawValue, new) }
    }

    /// unlinkat(2); it is no error when there is no such file.
    package func remove(_ name: String) throws(Errno) {
        do throws(Errno) {
            _ = try retryingInterrupted { unsafe unlinkat(rawValue, name, 0) }
        } catch {
            if error != .notFound { throw error }
        }
    }

    /// fchmodat(2), which has no way not to follow a link: look at what is there first.
    package func setMode(of name: String, _ mode: mode_t) throws(Errno) {
        _ = try retryingInterrupted { unsafe fchmodat(rawValue, name, mode, 0) }
    }

    /// fsync(2): makes new names in a directory last through a power cut.
    package func sync() throws(Errno) {
        _ = try retryingInterrupted { fsync(rawValue) }
    }

    /// flock(2) for this open file alone; false when another has the lock.
    package func tryLock() throws(Errno) -> Bool {
        do throws(Errno) {
            _ = try retryingInterrupted { flock(rawValue, LOCK_EX | LOCK_NB) }
        } catch {
            if error == .wouldBlock { return false }
            throw error
        }
        return true
    }

    /// Lets go of the lock. To close the file is not enough: a program that is being started has
    /// inherited it for a moment, and the lock belongs to the open file.
    package func unlock() {
        _ = flock(rawValue, LOCK_UN)
    }

    /// mkdir(2) of `path` with mode 0700, after its missing parents with 0755 as the umask allows;
    /// it is no error when there is one already.
    package static func makeDirectory(_ path: String) throws(Errno) {
        var prefix = path.hasPrefix("/") ? "" : "."
        let components = path.split(separator: "/")
        for (index, component) in components.enumerated() {
            prefix += "/" + component
            let isLast = index == components.count - 1
            do throws(Errno) {
                _ = try retryingInterrupted { unsafe mkdir(prefix, isLast ? 0o700 : 0o755) }
            } catch {
                // A parent that cannot be made may be there already; the last one shows it.
                if isLast && error != .fileExists { throw error }
            }
        }
    }

    /// realpath(3): `path` absolute and without symbolic links.
    package static func resolvedPath(_ path: String) throws(Errno) -> String {
        guard let resolved = unsafe realpath(path, nil) else { throw Errno(code: errno) }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
