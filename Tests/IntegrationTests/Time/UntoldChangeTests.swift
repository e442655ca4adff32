// Zone files that change without a word to whoever watches their folder, as on a file system over
// the network: what else makes schedd look at them again.

import Foundation
import Platform
import TestSupport
import Testing

struct UntoldChangeTests {
    /// What is read of the machine's civil time.
    enum Subject: CaseIterable {
        case zoneFile, localtime
    }

    /// A file with a second name outside of the watched folders: what is written by that name is
    /// told to the watchers of the other folder only.
    private struct Backdoor {
        let path: String
        let bytes: Data

        init(to subject: Subject, _ zones: PrivateZones, in bed: TestBed) throws {
            path = bed.root + "/backdoor"
            if subject == .localtime { try zones.makeLocaltimeAFile() }
            try FileManager.default.linkItem(
                atPath: subject == .localtime ? zones.localtime : zones.folder + "/Test/Moved",
                toPath: path)
            bytes = Data(try CompiledZones(rules: PrivateZones.update).bytes("Test/Moved"))
        }

        /// From UTC+3 to UTC+4: an hour earlier for what is due by its clocks.
        func install() throws {
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            // One write over a file of the same form: nobody sees a part of it.
            try file.write(contentsOf: bytes)
            try file.close()
        }
    }

    /// Adds a request that is due by the clocks of the subject, and says when.
    private func add(_ subject: Subject, to connection: RawConnection) throws -> Int {
        // Half a day away, so that nothing is due during the test.
        let hour = Int(Clock.wallMicroseconds() / 3_600_000_000 + 12) % 24
        var calendar: [String: Any] = ["hour": [hour]]
        if subject == .zoneFile { calendar["timeZone"] = "Test/Moved" }
        try connection.add([
            [
                "identifier": "moved", "content": ["title": "M"],
                "trigger": ["calendar": calendar, "repeats": true],
            ]
        ])
        return try next(connection)
    }

    private func next(_ connection: RawConnection) throws -> Int {
        let reply = try connection.call(Scheduler.listPending, ["app": "app"])
        return try #require(reply["parameters"]["pending"][0]["nextUsec"].int)
    }

    private static let hour = 3_600_000_000

    /// What makes schedd look: the world does something, perhaps again and again.
    private func expectLook(
        at subject: Subject,
        environment: (TestBed) throws -> [String: String?] = { _ in [:] },
        because happens: (TestBed) throws -> () throws -> Void
    ) throws {
        try TestBed.run { bed in
            let zones = try PrivateZones(in: bed)
            let backdoor = try Backdoor(to: subject, zones, in: bed)
            let variables = try environment(bed).merging(["TZ": nil]) { $1 }
            let daemon = try bed.daemon(zones.arguments, environment: variables)
            let connection = try bed.connect()
            let before = try add(subject, to: connection)
            let happen = try happens(bed)

            try backdoor.install()
            // It is given every occasion to hear of it.
            for _ in 0..<50 { _ = try connection.call(Scheduler.status) }
            #expect(try next(connection) == before, "the watch has told of it")

            let deadline = Deadline.after(seconds: 5)
            let hasLooked = try deadline.waits {
                // Again and again, as schedd may not have reached a bus yet.
                try happen()
                return try next(connection) == before - Self.hour
            }
            #expect(hasLooked)
            #expect(daemon.process.isRunning)
            #expect(try connection.delivered().isEmpty)
        }
    }

    @Test(arguments: Subject.allCases)
    func `at resume, as the kernel tells it, the zones are looked at again`(
        _ subject: Subject
    ) throws {
        try SystemClock.exclusively { clock in
            try expectLook(at: subject) { _ in { try clock.step() } }
        }
    }

    @Test(arguments: [true, false], Subject.allCases)
    func `when logind tells of sleep, the zones are looked at again`(
        begins: Bool, _ subject: Subject
    ) throws {
        // Another test's step of the clock would be told as well.
        try SystemClock.exclusively { _ in
            var bus: PrivateBus?
            try expectLook(
                at: subject,
                environment: { bed in
                    let made = try PrivateBus(in: bed)
                    bus = made
                    return ["DBUS_SYSTEM_BUS_ADDRESS": made.address]
                },
                because: { _ in
                    let logind = try Logind(on: try #require(bus).address)
                    return { try logind.prepareForSleep(begins) }
                })
        }
    }

    @Test(arguments: Subject.allCases)
    func `without any word, the zones are looked at again after a while`(
        _ subject: Subject
    ) throws {
        try TestBed.run { bed in
            let zones = try PrivateZones(in: bed)
            let backdoor = try Backdoor(to: subject, zones, in: bed)
            _ = try bed.daemon(
                zones.arguments + ["--zone-check", "1"], environment: ["TZ": nil])
            let connection = try bed.connect()
            let before = try add(subject, to: connection)
            try backdoor.install()
            #expect(try Deadline.usual.waits { try next(connection) == before - Self.hour })
        }
    }

    @Test(arguments: ["0", "-1", "1.5", "day", "31536001", ""])
    func `a while that is none is refused`(text: String) throws {
        try TestBed.run { bed in
            let output = try bed.run("schedd", ["--zone-check", text])
            #expect(output.status == 2)
            #expect(output.errors.contains("--zone-check takes 1 to 31536000 seconds"))
        }
    }
}
