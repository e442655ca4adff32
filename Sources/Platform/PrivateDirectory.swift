// The directory of our socket and of our state: ours alone, mode 0700, or we refuse to use it. It
// is checked through an open descriptor, so that what was checked is what is used.

import CLinux
import Glibc

/// A directory that only this user can enter, held open.
package struct PrivateDirectory: Sendable {
    package let path: String
    let descriptor: FileDescriptor

    /// Opens `path`, creating its last component with mode 0700 when it is missing.
    ///
    /// A symbolic link in the last place, another owner, or any permission for group and others is
    /// refused.
    package init(creating path: String) throws(SocketError) {
        do throws(Errno) {
            _ = try retryingInterrupted { unsafe mkdir(path, 0o700) }
        } catch {
            if error != .fileExists {
                throw .system(SystemError(doing: "creating directory \(path)", errno: error))
            }
        }
        try self.init(opening: path)
    }

    /// Opens `path`, which must exist, with the same checks.
    package init(opening path: String) throws(SocketError) {
        do throws(Errno) {
            descriptor = try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        } catch {
            if error.code == ENOTDIR || error.code == ELOOP {
                throw .directoryNotADirectory(path: path)
            }
            throw .system(SystemError(doing: "opening directory \(path)", errno: error))
        }
        let status: stat
        do throws(Errno) {
            status = try descriptor.status()
        } catch {
            throw .system(SystemError(doing: "inspecting directory \(path)", errno: error))
        }
        let user = geteuid()
        if status.st_uid != user {
            throw .directoryOfAnotherUser(path: path, owner: status.st_uid, expected: user)
        }
        let permissions = status.st_mode & 0o7777
        if permissions & 0o077 != 0 { throw .directoryOpenToOthers(path: path, mode: permissions) }
        self.path = path
    }

    /// Keeps every other process that asks for the same lock out until the directory is let go of.
    ///
    /// It waits: holders keep it only while they bind a socket.
    func lock() throws(SocketError) {
        do throws(Errno) {
            _ = try retryingInterrupted { flock(descriptor.rawValue, LOCK_EX) }
        } catch {
            throw .system(SystemError(doing: "locking directory \(path)", errno: error))
        }
    }
}

extension PrivateDirectory {
    /// Creates `path` and every missing parent, each 0700, then checks the last one.
    package init(creatingWithParents path: String) throws(SocketError) {
        var prefix = ""
        for component in path.split(separator: "/").dropLast() {
            prefix += "/" + component
            // What is there already may be anybody's, as /home is; a failure shows at the end.
            _ = unsafe mkdir(prefix, 0o700)
        }
        try self.init(creating: path)
    }
}
