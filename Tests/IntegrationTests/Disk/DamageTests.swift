// Damage to the store, and state directories that cannot be used: schedd starts whenever it can and
// says what was lost, and says why when it cannot.

import Foundation
import Glibc
import Platform
import Testing

struct DamageTests {
    enum Damage: String, CaseIterable {
        case flippedByte, truncated, directoryInPlace, unreadable, emptied
    }

    private static let count = 60

    @Test(arguments: Damage.allCases)
    func `B59: a damaged store is taken up as far as it goes, and that is said`(
        _ damage: Damage
    ) throws {
        try TestBed.run { bed in
            let first = try bed.daemon()
            let requests = (0..<Self.count).map { index in
                Scheduler.request("r\(index)", body: "body \(index)." + longText)
            }
            try bed.connect().add(requests)
            first.stop()
            let folder = bed.statePath + "/schedd"
            try inflict(damage, on: folder + "/schedd.db")

            let second = try bed.daemon()
            let connection = try bed.connect()
            let kept = Set(try connection.pending())
            #expect(kept.isSubset(of: (0..<Self.count).map { "r\($0)" }))
            switch damage {
            case .flippedByte: #expect(kept.count == Self.count - 1 && !kept.contains("r30"))
            case .truncated: #expect((1..<Self.count).contains(kept.count), "\(kept.count)")
            case .directoryInPlace, .emptied: #expect(kept.isEmpty)
            case .unreadable: #expect(kept.count == Self.count)
            }
            let status = try connection.call(Scheduler.status)["parameters"]
            let message = try #require(status["storageMessage"].string)
            #expect(status["storage"].string == "ok")
            let text = try bed.schedctl("status").text
            for part in message.split(separator: "; ") {
                #expect(second.process.errors.contains(part), "the log")
                #expect(text.contains(part), "\(text)")
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            let aside = names.filter { message.contains("set aside as \($0)") }
            if damage == .unreadable {
                #expect(message.contains("permissions") && aside.isEmpty)
            } else {
                #expect(message.contains("lost ") && !aside.isEmpty, "\(message): \(names)")
            }

            try connection.add([Scheduler.request("new")])
            second.crash()
            let third = try bed.daemon()
            #expect(try Set(bed.connect().pending()) == kept.union(["new"]))
            third.stop()
        }
    }

    private var longText: String { String(repeating: "Earl Grey. ", count: 50) }

    private func inflict(_ damage: Damage, on path: String) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        switch damage {
        case .flippedByte:
            // In a text, so that only the sum over the row can tell.
            let place = try #require(bytes.firstRange(of: Array("body 30.".utf8)))
            bytes[place.lowerBound + 1] ^= 1
        case .truncated: bytes.removeLast(bytes.count / 2)
        case .emptied: bytes = []
        case .directoryInPlace:
            try FileManager.default.removeItem(atPath: path)
            #expect(unsafe mkdir(path, 0o700) == 0)
            return
        case .unreadable:
            #expect(unsafe chmod(path, 0) == 0)
            return
        }
        try Data(bytes).write(to: URL(filePath: path))
    }

    @Test func `a second schedd on the same state leaves at once, and says why`() throws {
        try TestBed.run { bed in
            let first = try bed.daemon()
            try bed.connect().add([Scheduler.request("kept")])
            let output = try bed.run("schedd", ["--socket", bed.runtimePath + "/other"])
            #expect(output.status == 1, "\(output)")
            #expect(
                output.errors.contains(
                    "another schedd already uses the state directory \(bed.statePath)/schedd"))
            #expect(output.errors.split(separator: "\n").count == 1, "\(output.errors)")
            #expect(try bed.connect().pending() == ["kept"])
            first.crash()
            let second = try bed.daemon()
            #expect(try bed.connect().pending() == ["kept"])
            second.stop()
        }
    }

    enum Unusable: String, CaseIterable {
        case file, foreign, openToOthers, readOnly, newerVersion
    }

    @Test(arguments: Unusable.allCases)
    func `an unusable state directory is named, and schedd leaves with 1`(
        _ kind: Unusable
    ) throws {
        try TestBed.run { bed in
            let path = bed.root + "/s"
            var words: [String] = []
            switch kind {
            case .file: try Data().write(to: URL(filePath: path))
            case .foreign:
                #expect(unsafe mkdir(path, 0o700) == 0 && chown(path, 65_534, 65_534) == 0)
            case .openToOthers:
                // The umask does not apply to chmod(2).
                #expect(unsafe mkdir(path, 0o700) == 0 && chmod(path, 0o777) == 0)
            case .readOnly:
                #expect(unsafe mkdir(path, 0o700) == 0)
                words = try MountNamespace(
                    in: bed, preparing: "mount -t tmpfs -o ro,mode=0700 none \(path)"
                ).entry
            case .newerVersion:
                let daemon = try bed.daemon(["--state-dir", path])
                daemon.stop()
                let store = try FileDescriptor.open(path + "/schedd.db", O_RDWR)
                // The user version: "Database File Format", section 1.3.
                let version: [UInt8] = [0, 0, 3, 231]
                #expect(unsafe pwrite(store.rawValue, version, 4, 60) == 4)
            }
            words += [Products.path(of: "schedd"), "--state-dir", path]
            let output = try bed.run(words[0], Array(words.dropFirst()))
            #expect(output.status == 1, "\(output)")
            #expect(output.errors.contains(path), "\(output.errors)")
            #expect(output.errors.split(separator: "\n").count == 1, "\(output.errors)")
            if kind == .newerVersion { #expect(output.errors.contains("999")) }
        }
    }
}
