// Zone files and a localtime link of a test's own, changed in all the ways in which systems do.

import Foundation
import Glibc
import TestSupport

struct PrivateZones {
    /// In a folder of its own, as /etc is one.
    let localtime: String
    let folder: String

    /// Test/East is at UTC+3 and Test/West at UTC-5, all year; Test/Shift goes from +3 to +4 at the
    /// beginning of 2027, which no library has heard of.
    static let rules = """
        Zone Test/East 3:00 - EAST
        Zone Test/West -5:00 - WEST
        Zone Test/Moved 3:00 - EAST
        Zone Test/Shift 3:00 - OLD 2027 Jan 1
                        4:00 - NEW
        """

    /// A later edition of the same: what was at UTC+3 has moved to +4.
    static let update = "Zone Test/Moved 4:00 - NEW"
    static let secondUpdate = "Zone Test/Moved 5:00 - NEWER"

    init(in bed: TestBed) throws {
        folder = bed.root + "/zones"
        localtime = bed.root + "/etc/localtime"
        try FileManager.default.createDirectory(
            atPath: bed.root + "/etc", withIntermediateDirectories: true)
        try CompiledZones(rules: Self.rules).install(in: URL(filePath: folder))
        try FileManager.default.createSymbolicLink(
            atPath: localtime, withDestinationPath: folder + "/Test/East")
    }

    /// For the schedd that is to live there; it must not have TZ.
    var arguments: [String] { ["--zoneinfo", folder, "--localtime", localtime] }

    /// How a localtime is replaced.
    enum Replacement: String, CaseIterable {
        /// As `ln -sf` does: unlink, and link anew.
        case link
        /// As timedated does: link under another name, and rename.
        case renamedLink
        /// As `cp` does to an existing file: its bytes are written over.
        case copy
        /// As package managers and images do: a file takes its place.
        case renamedFile
    }

    func setLocaltime(_ zone: String, by replacement: Replacement) throws {
        let target = folder + "/" + zone
        let files = FileManager.default
        let temporary = localtime + ".new"
        switch replacement {
        case .link:
            try removeLocaltime()
            try link(zone)
        case .renamedLink:
            try files.createSymbolicLink(atPath: temporary, withDestinationPath: target)
            try rename(temporary, to: localtime)
        case .copy:
            let bytes = try Data(contentsOf: URL(filePath: target))
            try bytes.write(to: URL(filePath: localtime))
        case .renamedFile:
            let bytes = try Data(contentsOf: URL(filePath: target))
            try bytes.write(to: URL(filePath: temporary))
            try rename(temporary, to: localtime)
        }
    }

    func removeLocaltime() throws { try FileManager.default.removeItem(atPath: localtime) }

    func link(_ zone: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: localtime, withDestinationPath: folder + "/" + zone)
    }

    /// A plain file instead of the link, before schedd starts: the same zone, without its name.
    func makeLocaltimeAFile() throws {
        let bytes = try Data(contentsOf: URL(filePath: localtime))
        try FileManager.default.removeItem(atPath: localtime)
        try bytes.write(to: URL(filePath: localtime))
    }

    /// How an update of the zone files arrives.
    enum Update: String, CaseIterable {
        /// As package managers do it, file by file.
        case renamedFile
        case overwrittenFile
        /// A new folder takes the place of the old one, which leaves first.
        case swappedFolder
        case swappedTree
    }

    /// Puts another edition of a zone's file, Test/..., in its place.
    func install(_ rules: String, zone: String, by update: Update) throws {
        let bytes = Data(try CompiledZones(rules: rules).bytes(zone))
        let path = folder + "/" + zone
        switch update {
        case .renamedFile:
            try bytes.write(to: URL(filePath: path + ".new"))
            try rename(path + ".new", to: path)
        case .overwrittenFile:
            try bytes.write(to: URL(filePath: path))
        case .swappedFolder, .swappedTree:
            let place = update == .swappedTree ? folder : folder + "/Test"
            try FileManager.default.copyItem(atPath: place, toPath: place + ".new")
            let new = path.replacing(place, with: place + ".new", maxReplacements: 1)
            try bytes.write(to: URL(filePath: new))
            try rename(place, to: place + ".old")
            try rename(place + ".new", to: place)
        }
    }

    private func rename(_ old: String, to new: String) throws {
        if unsafe Glibc.rename(old, new) != 0 { throw TestError.failed("renaming \(old)") }
    }
}
