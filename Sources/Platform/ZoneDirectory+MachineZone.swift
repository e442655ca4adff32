// The machine's own zone, found as the C library finds it: `$TZ` in its forms (tzset(3)), else
// /etc/localtime, a link into the zone directory or a plain file (localtime(5)).

package import CivilTime
import Glibc

extension ZoneDirectory {
    /// Where the machine's zone is kept when `$TZ` does not say it.
    package struct LocalFiles: Sendable, Equatable {
        /// A link to a zone file, or one itself.
        package var localtime: String
        /// A text file with the name of the zone, for when `localtime` is no link (Debian).
        package var name: String

        package init(localtime: String = "/etc/localtime", name: String = "/etc/timezone") {
            self.localtime = localtime
            self.name = name
        }
    }

    /// The zone that floating triggers follow.
    ///
    /// `variable` is the value of `$TZ`, nil when it is unset: `NAME` or `:NAME`, `:/path`, a POSIX
    /// rule, or nothing for UTC. A file of this directory goes before a rule, as `EST5EDT` is both.
    /// A machine without any /etc/localtime is in UTC.
    package func machineZone(
        variable: String?, files: LocalFiles = LocalFiles()
    ) throws(ZoneFileError) -> Zone {
        try statedMachineZone(variable: variable, files: files) ?? .utc
    }

    /// As `machineZone`, but nil when `$TZ` is unset and there is no /etc/localtime: so it is for a
    /// moment while `ln -sf` replaces it.
    package func statedMachineZone(
        variable: String?, files: LocalFiles = LocalFiles()
    ) throws(ZoneFileError) -> Zone? {
        guard let variable else { return try localZone(files) }
        let isFileName = variable.hasPrefix(":")
        let name = String(isFileName ? variable.dropFirst() : variable[...])
        if name.isEmpty { return .utc }
        if name.hasPrefix("/") {
            var files = files
            files.localtime = name
            // A path that somebody wrote down has to be there.
            return try fileZone(files, otherwise: name)
        }
        do throws(ZoneFileError) {
            return try zone(name)
        } catch {
            switch error {
            case .unknownZone where !isFileName, .badName where !isFileName: break
            default: throw error
            }
        }
        do throws(PosixRuleError) {
            return try Zone(name: name, posixRule: name)
        } catch {
            throw .badVariable(variable, error)
        }
    }

    private func localZone(_ files: LocalFiles) throws(ZoneFileError) -> Zone? {
        do throws(ZoneFileError) {
            return try fileZone(files, otherwise: "localtime")
        } catch {
            guard case .system(let failure) = error, failure.errno == .notFound,
                (try? ZoneFile.linkTarget(files.localtime)) == nil
            else { throw error }
            // Missing, and not a link that dangles.
            return nil
        }
    }

    private func fileZone(
        _ files: LocalFiles, otherwise name: String
    ) throws(ZoneFileError) -> Zone {
        if let zone = try linkedZone(files) { return zone }
        return try plainZone(files, otherwise: name)
    }

    /// The zone at whose place a path or a chain of links from it ends, nil when it is at none.
    private func linkedZone(_ files: LocalFiles) throws(ZoneFileError) -> Zone? {
        var path = Self.normalized(files.localtime)
        for _ in 0...Self.mostLinks {
            if let name = name(ofPath: path) { return try zone(name) }
            if let name = ZoneDirectory(path: Self.systemPath).name(ofPath: path) {
                // With another $TZDIR the system's name still stands, and the file it names.
                return try Self.zone(name, bytes: contents(of: path))
            }
            guard let target = try? ZoneFile.linkTarget(path) else { return nil }
            let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            path = Self.normalized(
                target.hasPrefix("/") ? target : folder.joined(separator: "/") + "/" + target)
        }
        return nil
    }

    /// A file without a link to name it: the name is believed if that zone has the same contents.
    private func plainZone(
        _ files: LocalFiles, otherwise: String
    ) throws(ZoneFileError) -> Zone {
        let bytes = try contents(of: files.localtime)
        if let text = try? contents(of: files.name) {
            let line = text.prefix { $0 != UInt8(ascii: "\n") }
            let name = String(decoding: line, as: UTF8.self)
            if (try? self.bytes(of: name)) == bytes { return try Self.zone(name, bytes: bytes) }
        }
        return try Self.zone(otherwise, bytes: bytes)
    }

    private func contents(of path: String) throws(ZoneFileError) -> [UInt8] {
        let file: FileDescriptor
        do throws(Errno) {
            file = try FileDescriptor.open(path, O_RDONLY | O_NONBLOCK)
        } catch {
            throw .system(SystemError(doing: "opening \(path)", errno: error))
        }
        return try ZoneFile.read(file, name: path)
    }
}
