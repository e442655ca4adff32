// Zone files by name: which names are read, which links are followed, and what is refused.

import CivilTime
import Foundation
import Platform
import Testing
import TestSupport

/// A zone directory of the cases' zones, with room beside it for what must not be reached.
struct ZoneFolder {
    let root = Result { try TemporaryFolder() }
    let folder: URL
    let directory: ZoneDirectory

    init() throws {
        folder = try root.get().url.appending(path: "zoneinfo")
        try CompiledZones.cases.get().install(in: folder)
        directory = ZoneDirectory(path: folder.path)
    }

    var outside: URL { folder.deletingLastPathComponent() }

    func link(_ name: String, to target: String) throws {
        let url = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: url.path, withDestinationPath: target)
    }

    func bytes(_ name: String) throws -> [UInt8] {
        try CompiledZones.cases.get().bytes(name)
    }
}

@Suite struct ZoneDirectoryTests {
    @Test func `a zone is read by its name`() throws {
        let zones = try ZoneFolder()
        let zone = try zones.directory.zone("Europe/Berlin")
        #expect(zone.name == "Europe/Berlin")
        #expect(try zone == Zone(name: "Europe/Berlin", tzif: zones.bytes("Europe/Berlin")))
    }

    @Test func `a zone file replaced on disk is another zone`() throws {
        let zones = try ZoneFolder()
        var table = ZoneTable()
        try table.update(name: "Test/Shift", bytes: zones.directory.bytes(of: "Test/Shift"))
        let changed = try CompiledZones(rules: "Zone Test/Shift 5:00 - +05")
        try changed.install(in: zones.folder)
        let change = try table.update(
            name: "Test/Shift", bytes: zones.directory.bytes(of: "Test/Shift"))
        #expect(change == .replaced)
        #expect(table["Test/Shift"]?.offset(at: 0) == 18_000)
    }

    @Test(arguments: [
        "", "/", "/etc/passwd", "/usr/share/zoneinfo/Europe/Berlin", "..", "../zoneinfo/UTC",
        "Europe/../UTC", "Europe/", "Europe//Berlin", ".", "./UTC", "Europe/./Berlin", "UTC\0",
        "\0", "Europe/Ber lin", "Europe/Berlin\n", "Zürich", String(repeating: "A", count: 256),
    ])
    func `a name that could lead elsewhere is refused`(name: String) throws {
        let zones = try ZoneFolder()
        #expect(throws: ZoneFileError.badName(name)) { try zones.directory.bytes(of: name) }
    }

    @Test(arguments: ["Mars/Olympus", "Europe/Berlin/West", "europe/berlin", "EST5EDT,M3.2.0"])
    func `a zone that is not there is unknown`(name: String) throws {
        let zones = try ZoneFolder()
        #expect(
            throws: ZoneFileError.unknownZone(name, directory: zones.folder.path)
        ) { try zones.directory.bytes(of: name) }
    }

    @Test(arguments: [
        ("Germany", "Europe/Berlin"), ("Old/Germany", "../Europe/Berlin"),
        ("Twice", "Old/Germany"), ("Folder/Berlin", "./../Europe/./Berlin"),
        ("Europa/Berlin", "../Europe/Berlin"),
    ])
    func `a link inside the directory is followed`(name: String, target: String) throws {
        let zones = try ZoneFolder()
        try zones.link("Old/Germany", to: "../Europe/Berlin")
        if name != "Old/Germany" { try zones.link(name, to: target) }
        #expect(try zones.directory.bytes(of: name) == zones.bytes("Europe/Berlin"))
        #expect(try zones.directory.zone(name).name == name)
    }

    @Test func `a link to a folder and an absolute link inside are followed`() throws {
        let zones = try ZoneFolder()
        try zones.link("Alias", to: "Europe")
        try zones.link("Deep/Alias", to: zones.folder.path + "/Europe/Berlin")
        #expect(try zones.directory.bytes(of: "Alias/Berlin") == zones.bytes("Europe/Berlin"))
        #expect(try zones.directory.bytes(of: "Deep/Alias") == zones.bytes("Europe/Berlin"))
    }

    @Test(arguments: [
        "/etc/passwd", "../outside", "../zoneinfo/UTC", "Europe/../../outside",
        "../../../../../../etc/passwd",
    ])
    func `a link out of the directory is not followed`(target: String) throws {
        let zones = try ZoneFolder()
        try Data(zones.bytes("UTC")).write(to: zones.outside.appending(path: "outside"))
        try zones.link("Escape", to: target)
        #expect(
            throws: ZoneFileError.leavesDirectory("Escape", directory: zones.folder.path)
        ) { try zones.directory.bytes(of: "Escape") }
    }

    @Test func `links in a circle, folders, pipes and giants are refused`() throws {
        let zones = try ZoneFolder()
        try zones.link("Circle", to: "Circle")
        #expect(throws: ZoneFileError.tooManyLinks("Circle")) {
            try zones.directory.bytes(of: "Circle")
        }
        #expect(throws: ZoneFileError.notAFile("Europe")) {
            try zones.directory.bytes(of: "Europe")
        }
        let pipe = zones.folder.appending(path: "Pipe").path
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        #expect(throws: ZoneFileError.notAFile("Pipe")) { try zones.directory.bytes(of: "Pipe") }
        let limit = Zone.largestFileBytes
        try Data(count: limit + 1).write(to: zones.folder.appending(path: "Giant"))
        #expect(throws: ZoneFileError.tooLarge("Giant", limitBytes: limit)) {
            try zones.directory.bytes(of: "Giant")
        }
        try Data("no zone".utf8).write(to: zones.folder.appending(path: "Text"))
        #expect(throws: ZoneFileError.malformed("Text", .badMagic(offset: 0))) {
            try zones.directory.zone("Text")
        }
    }

    @Test func `the directory is the one given, else TZDIR, else the system's`() {
        let environment = Environment(["TZDIR": "/opt/zones/"])
        #expect(ZoneDirectory(path: "/a/./b/../c/", environment: environment).path == "/a/c")
        #expect(ZoneDirectory(environment: environment).path == "/opt/zones")
        #expect(
            ZoneDirectory(environment: Environment(["TZDIR": ""])).path == "/usr/share/zoneinfo")
        #expect(ZoneDirectory(environment: Environment([:])).path == "/usr/share/zoneinfo")
    }

    @Test func `a directory that is not there is a system error`() {
        #expect(
            throws: ZoneFileError.system(
                SystemError(doing: "opening zone directory /nowhere", errno: .notFound))
        ) { try ZoneDirectory(path: "/nowhere").zone("UTC") }
    }
}
