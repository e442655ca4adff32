// Whether an open file is still the one at its path. A file that was removed or replaced can be
// written and synced as before by whoever has it open, but nobody will ever read it again. Unsafe:
// a system call takes a string and fills in a structure; neither outlives its call.

import Glibc

/// A path, and which file was found there.
package struct PlacedFile {
    package let path: String
    /// No other file has this pair while ours is open.
    private let device: dev_t
    private let inode: ino_t

    /// The file at `path` now, links not followed; nil when there is none.
    package init?(at path: String) {
        var status = stat()
        do throws(Errno) {
            _ = try retryingInterrupted { unsafe lstat(path, &status) }
        } catch {
            return nil
        }
        self.path = path
        device = status.st_dev
        inode = status.st_ino
    }

    /// Whether the file is there still. One system call.
    package var isInPlace: Bool {
        guard let found = PlacedFile(at: path) else { return false }
        return found.device == device && found.inode == inode
    }
}
