// The machine's zone from every form of $TZ and of /etc/localtime, on files of the test's own.

import CivilTime
import Foundation
import Platform
import Testing
import TestSupport

@Suite struct MachineZoneTests {
    /// The files of a machine beside the zone directory; nothing is there yet.
    static func files(_ zones: ZoneFolder) -> ZoneDirectory.LocalFiles {
        ZoneDirectory.LocalFiles(
            localtime: zones.outside.appending(path: "localtime").path,
            name: zones.outside.appending(path: "timezone").path)
    }

    static func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    @Test(arguments: [
        ("Europe/Berlin", "Europe/Berlin", 7_200), (":Europe/Berlin", "Europe/Berlin", 7_200),
        ("EST5EDT,M3.2.0,M11.1.0", "EST5EDT,M3.2.0,M11.1.0", -14_400),
        ("<+0330>-3:30", "<+0330>-3:30", 12_600), ("", "UTC", 0), (":", "UTC", 0),
        ("UTC0", "UTC0", 0),
    ])
    func `TZ names a zone or states a rule`(value: String, name: String, summer: Int32) throws {
        let zones = try ZoneFolder()
        let zone = try zones.directory.machineZone(variable: value, files: Self.files(zones))
        #expect(zone.name == name)
        #expect(zone.offset(at: 1_782_864_000) == summer)
    }

    @Test func `TZ with a path reads that file, by its name if it is a zone's`() throws {
        let zones = try ZoneFolder()
        var files = Self.files(zones)
        let berlin = zones.folder.path + "/Europe/Berlin"
        for value in [berlin, ":" + berlin] {
            let zone = try zones.directory.machineZone(variable: value, files: files)
            #expect(zone == (try zones.directory.zone("Europe/Berlin")))
        }
        let copy = zones.outside.path + "/copy"
        try Data(zones.bytes("Europe/Berlin")).write(to: URL(filePath: copy))
        #expect(try zones.directory.machineZone(variable: copy, files: files).name == copy)
        // TZ=:/etc/localtime is a habit of some; it says no more than an unset one.
        try Self.link(files.localtime, to: "zoneinfo/Europe/Rome")
        let path = files.localtime
        files.localtime = "/nowhere"
        #expect(
            try zones.directory.machineZone(variable: ":" + path, files: files).name
                == "Europe/Rome")
    }

    @Test func `a file goes before a rule of the same text`() throws {
        let zones = try ZoneFolder()
        try zones.link("AAA0", to: "Europe/Berlin")
        let zone = try zones.directory.machineZone(variable: "AAA0", files: Self.files(zones))
        #expect(zone.offset(at: 1_782_864_000) == 7_200)
    }

    @Test func `a wrong TZ is refused`() throws {
        let zones = try ZoneFolder()
        let files = Self.files(zones)
        func expect(_ value: String, _ error: ZoneFileError) {
            #expect(throws: error) {
                try zones.directory.machineZone(variable: value, files: files)
            }
        }
        expect("Mars/Olympus", .badVariable("Mars/Olympus", .unexpected(0x2F, at: 4)))
        expect("EST5EDT", .badVariable("EST5EDT", .missingRule(at: 7)))
        expect("../UTC", .badVariable("../UTC", .unexpected(0x2E, at: 0)))
        expect(":UTC0", .unknownZone("UTC0", directory: zones.folder.path))
        expect(":../UTC", .badName("../UTC"))
        expect(
            ":/nowhere/UTC",
            .system(SystemError(doing: "opening /nowhere/UTC", errno: .notFound)))
    }

    @Test(arguments: ["zoneinfo/Europe/Rome", "./../ROOT/zoneinfo/Europe/Rome", "FULL", "CHAIN"])
    func `a link names the zone`(form: String) throws {
        let zones = try ZoneFolder()
        let files = Self.files(zones)
        let root = zones.outside
        switch form {
        case "FULL":
            try Self.link(files.localtime, to: zones.folder.path + "/Europe/Rome")
        case "CHAIN":
            try Self.link(root.path + "/chosen", to: "zoneinfo/Europe/Rome")
            try Self.link(files.localtime, to: "chosen")
        default:
            try Self.link(
                files.localtime,
                to: form.replacing("ROOT", with: root.lastPathComponent))
        }
        let zone = try zones.directory.machineZone(variable: nil, files: files)
        #expect(zone == (try zones.directory.zone("Europe/Rome")))
    }

    @Test func `a plain file takes its name from the text beside it, if that is true`() throws {
        let zones = try ZoneFolder()
        let files = Self.files(zones)
        try Data(zones.bytes("Europe/London")).write(to: URL(filePath: files.localtime))
        func name() throws -> String {
            try zones.directory.machineZone(variable: nil, files: files).name
        }
        #expect(try name() == "localtime")
        for (text, expected) in [
            ("Europe/London\n", "Europe/London"), ("Europe/Berlin\n", "localtime"),
            ("../x", "localtime"), ("", "localtime"),
        ] {
            try Data(text.utf8).write(to: URL(filePath: files.name))
            #expect(try name() == expected)
        }
        let zone = try zones.directory.machineZone(variable: nil, files: files)
        #expect(zone.offset(at: 1_782_864_000) == 3_600)
    }

    @Test func `without any local file the machine is in UTC`() throws {
        let zones = try ZoneFolder()
        let zone = try zones.directory.machineZone(variable: nil, files: Self.files(zones))
        #expect(zone == .utc)
    }

    @Test func `a link to nothing, and a file that is no zone, are errors`() throws {
        let zones = try ZoneFolder()
        let files = Self.files(zones)
        try Self.link(files.localtime, to: "zoneinfo/Europe/Atlantis")
        #expect(
            throws: ZoneFileError.unknownZone("Europe/Atlantis", directory: zones.folder.path)
        ) { try zones.directory.machineZone(variable: nil, files: files) }
        try FileManager.default.removeItem(atPath: files.localtime)
        try Self.link(files.localtime, to: "nothing")
        #expect(
            throws: ZoneFileError.system(
                SystemError(doing: "opening \(files.localtime)", errno: .notFound))
        ) { try zones.directory.machineZone(variable: nil, files: files) }
        try FileManager.default.removeItem(atPath: files.localtime)
        try Data("text".utf8).write(to: URL(filePath: files.localtime))
        #expect(throws: ZoneFileError.malformed("localtime", .badMagic(offset: 0))) {
            try zones.directory.machineZone(variable: nil, files: files)
        }
    }

    @Test func `a link into the system's zones keeps its name under another TZDIR`() throws {
        let zones = try ZoneFolder()
        let files = Self.files(zones)
        try Self.link(files.localtime, to: "/usr/share/zoneinfo/Asia/Tokyo")
        let zone = try zones.directory.machineZone(variable: nil, files: files)
        #expect(zone.name == "Asia/Tokyo" && zone.offset(at: 0) == 32_400)
    }
}
