// The folder of compiled zone files. A name leads to a file below it and nowhere else: names are
// checked, and every link on the way is followed by hand, one component at a time from one open
// directory to the next, so that what was checked is what is read.

package import CivilTime
import Glibc

/// The zone files of `$TZDIR` or of the system.
package struct ZoneDirectory: Sendable, Equatable {
    package let path: String

    package static let systemPath = "/usr/share/zoneinfo"
    /// The longest name of tzdata has 30 bytes.
    package static let longestName = 255
    /// A name of tzdata is a link to a file, or to a link to one.
    static let mostLinks = 8

    /// The folder at `path`, else at `$TZDIR`, else the system's.
    package init(path: String? = nil, environment: Environment = .process) {
        self.path = Self.normalized(
            path ?? environment.nonEmpty("TZDIR") ?? Self.systemPath)
    }

    /// The zone of that name, read from its file now.
    package func zone(_ name: String) throws(ZoneFileError) -> Zone {
        try Self.zone(name, bytes: bytes(of: name))
    }

    /// The contents of a zone's file, not yet looked at but for their size.
    package func bytes(of name: String) throws(ZoneFileError) -> [UInt8] {
        guard Self.isAcceptable(name) else { throw .badName(name) }
        return try ZoneFile.read(open(name), name: name)
    }

    /// Whether a text can be a zone's name at all: one or more parts between single slashes, of
    /// visible ASCII characters.
    package static func isAcceptable(_ name: String) -> Bool {
        guard name.utf8.count <= longestName,
            name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return false }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    static func zone(_ name: String, bytes: [UInt8]) throws(ZoneFileError) -> Zone {
        do throws(TZifError) {
            return try Zone(name: name, tzif: bytes)
        } catch {
            throw .malformed(name, error)
        }
    }

    /// The name of the zone whose file has that path, if the path is below this folder.
    func name(ofPath path: String) -> String? {
        let prefix = self.path + "/"
        guard path.hasPrefix(prefix) else { return nil }
        let name = String(path.dropFirst(prefix.count))
        return Self.isAcceptable(name) ? name : nil
    }

    private func open(_ name: String) throws(ZoneFileError) -> FileDescriptor {
        var folders = [try openFolder()]
        // The next part is the last one.
        var parts = Array(name.split(separator: "/").map(String.init).reversed())
        var links = 0
        while let part = parts.popLast() {
            if part == "." { continue }
            if part == ".." {
                guard folders.count > 1 else {
                    throw .leavesDirectory(name, directory: path)
                }
                folders.removeLast()
                continue
            }
            switch try entry(part, of: folders[folders.count - 1], for: name) {
            case .folder(let folder): folders.append(folder)
            case .file(let file):
                guard parts.isEmpty else { throw .unknownZone(name, directory: path) }
                return file
            case .link(let target):
                links += 1
                guard links <= Self.mostLinks else { throw .tooManyLinks(name) }
                var rest = target
                if target.hasPrefix("/") {
                    guard let below = self.name(ofPath: Self.normalized(target)) else {
                        throw .leavesDirectory(name, directory: path)
                    }
                    folders.removeSubrange(1...)
                    rest = below
                }
                parts += rest.split(separator: "/").map(String.init).reversed()
            }
        }
        throw .notAFile(name)
    }

    private enum Entry {
        case folder(FileDescriptor)
        case file(FileDescriptor)
        case link(to: String)
    }

    private func entry(
        _ part: String, of folder: FileDescriptor, for name: String
    ) throws(ZoneFileError) -> Entry {
        do throws(Errno) {
            // Not blocking, as a pipe in the folder would.
            let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
            let opened = try FileDescriptor(
                owning: retryingInterrupted { unsafe openat(folder.rawValue, part, flags) })
            let isFolder = try opened.status().st_mode & S_IFMT == S_IFDIR
            return isFolder ? .folder(opened) : .file(opened)
        } catch {
            switch error.code {
            case ELOOP: return .link(to: try linkTarget(part, of: folder, for: name))
            case ENOENT, ENOTDIR, ENAMETOOLONG: throw .unknownZone(name, directory: path)
            default: throw .system(SystemError(doing: "opening zone \(name)", errno: error))
            }
        }
    }

    private func linkTarget(
        _ part: String, of folder: FileDescriptor, for name: String
    ) throws(ZoneFileError) -> String {
        do throws(Errno) {
            return try ZoneFile.linkTarget(part, at: folder.rawValue)
        } catch {
            throw .system(SystemError(doing: "reading the link \(name)", errno: error))
        }
    }

    private func openFolder() throws(ZoneFileError) -> FileDescriptor {
        do throws(Errno) {
            return try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY)
        } catch {
            throw .system(SystemError(doing: "opening zone directory \(path)", errno: error))
        }
    }

    /// The path without empty and `.` parts, and with `..` taken back as text.
    static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if part != ".." || !path.hasPrefix("/") {
                parts.append(part)
            }
        }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}
