// The machine's zone and the zone files change under a running schedd: next times move at once, and
// nothing fires by it.

import CivilTime
import Foundation
import Platform
import Testing

struct ZoneTests {
    /// What a change may take, by contract.
    private static var soon: Deadline { .after(seconds: 5) }

    /// An hour of the day in UTC that is half a day away, so that nothing is due during a test.
    private static var farHour: Int {
        Int(Clock.wallMicroseconds() / 3_600_000_000 + 12) % 24
    }

    private static func daily(
        _ identifier: String, hour: Int, zone: String? = nil
    ) -> [String: Any] {
        var calendar: [String: Any] = ["hour": [hour]]
        if let zone { calendar["timeZone"] = zone }
        return [
            "identifier": identifier, "content": ["title": identifier],
            "trigger": ["calendar": calendar, "repeats": true],
        ]
    }

    /// Once, in two hours by the clocks of UTC-5: by those of UTC that is in the past.
    private static func inTwoWestHours(
        _ identifier: String, zone: String? = nil
    ) -> [String: Any] {
        let local = CivilDateTime(
            localSeconds: Clock.wallMicroseconds() / 1_000_000 - 3 * 3_600)
        var calendar: [String: Any] = [
            "year": [local.year], "month": [local.month], "day": [local.day],
            "hour": [local.hour], "minute": [local.minute], "second": [local.second],
        ]
        if let zone { calendar["timeZone"] = zone }
        return [
            "identifier": identifier, "content": ["title": identifier],
            "trigger": ["calendar": calendar],
        ]
    }

    /// The hours of the day, in UTC, at which the requests of the app are due next.
    private func hours(_ connection: RawConnection) throws -> [String: Int] {
        let reply = try connection.call(Scheduler.listPending, ["app": "app"])
        var hours: [String: Int] = [:]
        for entry in reply["parameters"]["pending"].array ?? [] {
            let next = try #require(entry["nextUsec"].int)
            #expect(next % 3_600_000_000 == 0)
            #expect(next > Int(Clock.wallMicroseconds()))
            hours[entry["identifier"].string ?? ""] = next / 3_600_000_000 % 24
        }
        return hours
    }

    private func nextInstants(_ connection: RawConnection) throws -> [String: Int] {
        let reply = try connection.call(Scheduler.listPending, ["app": "app"])
        return Dictionary(
            uniqueKeysWithValues: (reply["parameters"]["pending"].array ?? []).map {
                ($0["identifier"].string ?? "", $0["nextUsec"].int ?? 0)
            })
    }

    @Test(arguments: PrivateZones.Replacement.allCases)
    func `B45: floating requests follow the machine's zone, fixed ones stay`(
        _ replacement: PrivateZones.Replacement
    ) throws {
        try TestBed.run { bed in
            let zones = try PrivateZones(in: bed)
            if replacement == .copy { try zones.makeLocaltimeAFile() }
            let daemon = try bed.daemon(zones.arguments, environment: ["TZ": nil])
            let connection = try bed.connect()
            let hour = Self.farHour
            try connection.add([
                Self.daily("floating", hour: hour),
                Self.daily("fixed", hour: hour, zone: "Test/East"),
            ])
            let east = (hour + 21) % 24
            let west = (hour + 5) % 24
            #expect(try hours(connection) == ["floating": east, "fixed": east])
            let subscriber = try bed.connect()
            try subscriber.subscribe()

            for (zone, expected) in [("Test/West", west), ("Test/East", east)] {
                try zones.setLocaltime(zone, by: replacement)
                let moved = try subscriber.event(Self.soon) { _ in true }
                #expect(moved["kind"].string == "rescheduled", "\(moved)")
                #expect(moved["identifier"].string == "floating")
                #expect(try hours(connection) == ["floating": expected, "fixed": east])
            }
            // Nothing else has happened: the next event is one that we cause.
            try connection.add([Scheduler.request("last")])
            let last = try subscriber.event { _ in true }
            #expect(last["identifier"].string == "last", "\(last)")
            #expect(daemon.process.isRunning)
        }
    }

    @Test func `B45: a localtime file that is away for a moment changes nothing`() throws {
        try TestBed.run { bed in
            let zones = try PrivateZones(in: bed)
            try zones.setLocaltime("Test/West", by: .link)
            _ = try bed.daemon(zones.arguments, environment: ["TZ": nil])
            let connection = try bed.connect()
            try connection.add([
                Self.daily("daily", hour: Self.farHour), Self.inTwoWestHours("once"),
            ])
            let before = try nextInstants(connection)
            #expect(before.count == 2)
            let subscriber = try bed.connect()
            try subscriber.subscribe()

            try zones.removeLocaltime()
            // Meanwhile schedd hears of it.
            for _ in 0..<20 { _ = try connection.call(Scheduler.status) }
            try zones.link("Test/West")
            for _ in 0..<20 { _ = try connection.call(Scheduler.status) }
            try connection.add([Scheduler.request("last")])
            let event = try subscriber.event { _ in true }
            #expect(event["identifier"].string == "last", "\(event)")
            _ = try connection.call(
                "io.schedd.Scheduler.RemovePending", ["app": "app", "identifiers": ["last"]])
            #expect(try nextInstants(connection) == before)
        }
    }

    @Test func `zones that cannot be read at the start leave next times as they are`() throws {
        try TestBed.run { bed in
            let zones = try PrivateZones(in: bed)
            try zones.setLocaltime("Test/West", by: .link)
            let first = try bed.daemon(zones.arguments, environment: ["TZ": nil])
            let hour = Self.farHour
            try bed.connect().add([
                Self.inTwoWestHours("once"), Self.inTwoWestHours("west", zone: "Test/West"),
                Self.daily("moved", hour: hour, zone: "Test/Moved"),
            ])
            let before = try nextInstants(bed.connect())
            first.crash()
            let names = ["Test/West", "Test/Moved"]
            for name in names {
                let path = zones.folder + "/" + name
                try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
            }

            let second = try bed.daemon(zones.arguments, environment: ["TZ": nil])
            let connection = try bed.connect()
            #expect(try nextInstants(connection) == before)
            for name in names { #expect(second.process.errors.contains("zone \(name)")) }
            let status = try connection.call(Scheduler.status)["parameters"]
            #expect(
                status["timeZoneSource"].string == "UTC, as \(zones.localtime) cannot be read")

            // They come back, one of them in a later edition.
            let west = zones.folder + "/Test/West"
            try FileManager.default.moveItem(atPath: west + ".away", toPath: west)
            try zones.install(PrivateZones.update, zone: "Test/Moved", by: .renamedFile)
            var after = before
            after["moved"]? -= 3_600_000_000
            let deadline = Self.soon
            #expect(try deadline.waits { try nextInstants(connection) == after })
            let now = try connection.call(Scheduler.status)["parameters"]
            #expect(now["timeZone"].string == "Test/West")
            #expect(
                try connection.call("io.schedd.Manager.ListMissed")["parameters"]["missed"].array?
                    .isEmpty == true)
        }
    }

    @Test func `without a localtime file the machine is in UTC, and the status says so`() throws {
        try TestBed.run { bed in
            let zones = try PrivateZones(in: bed)
            _ = try bed.daemon(zones.arguments, environment: ["TZ": nil])
            let connection = try bed.connect()
            let hour = Self.farHour
            try connection.add([Self.daily("floating", hour: hour)])
            try zones.removeLocaltime()
            let deadline = Self.soon
            #expect(try deadline.waits { try hours(connection) == ["floating": hour] })
            let status = try connection.call(Scheduler.status)["parameters"]
            #expect(status["timeZone"].string == "UTC")
            #expect(status["timeZoneSource"].string == "UTC, as there is no \(zones.localtime)")
            try zones.link("Test/West")
            let again = Self.soon
            #expect(try again.waits { try hours(connection) == ["floating": (hour + 5) % 24] })
        }
    }

    @Test(arguments: PrivateZones.Update.allCases)
    func `B43: replaced zone files move what uses them, and nothing else`(
        _ update: PrivateZones.Update
    ) throws {
        try TestBed.run { bed in
            let zones = try PrivateZones(in: bed)
            try zones.setLocaltime("Test/Moved", by: .link)
            let daemon = try bed.daemon(zones.arguments, environment: ["TZ": nil])
            let connection = try bed.connect()
            let hour = Self.farHour
            try connection.add([
                Self.daily("floating", hour: hour),
                Self.daily("moved", hour: hour, zone: "Test/Moved"),
                Self.daily("fixed", hour: hour, zone: "Test/East"),
            ])
            let old = (hour + 21) % 24
            #expect(try hours(connection) == ["floating": old, "moved": old, "fixed": old])
            let subscriber = try bed.connect()
            try subscriber.subscribe()

            // Twice, as the second one may find a folder that is not the one of the start.
            let new = (hour + 19) % 24
            let editions = [
                (PrivateZones.update, update, (hour + 20) % 24),
                (PrivateZones.secondUpdate, .renamedFile, new),
            ]
            for (rules, update, expected) in editions {
                try zones.install(rules, zone: "Test/Moved", by: update)
                let deadline = Self.soon
                #expect(
                    try deadline.waits {
                        try hours(connection)
                            == ["floating": expected, "moved": expected, "fixed": old]
                    }, "\(rules)")
            }
            try connection.add([Scheduler.request("last")])
            var kinds: [String: String] = [:]
            while kinds["last"] == nil {
                let reply = try #require(try subscriber.receive())
                for event in reply["parameters"]["events"].array ?? [] {
                    kinds[event["identifier"].string ?? ""] = event["kind"].string
                }
            }
            #expect(
                kinds == ["floating": "rescheduled", "moved": "rescheduled", "last": "added"])
            daemon.crash()
            _ = try bed.daemon(zones.arguments, environment: ["TZ": nil])
            let again = try bed.connect()
            _ = try again.call(
                "io.schedd.Scheduler.RemovePending", ["app": "app", "identifiers": ["last"]])
            #expect(try hours(again) == ["floating": new, "moved": new, "fixed": old])
        }
    }

    @Test func `B43: the zone files count, not what a library knows`() throws {
        try TestBed.run { bed in
            let zones = try PrivateZones(in: bed)
            _ = try bed.daemon(zones.arguments, environment: ["TZ": nil])
            let trigger: [String: Any] = [
                "calendar": ["hour": [9], "timeZone": "Test/Shift"], "repeats": true,
            ]
            let reply = try bed.connect().call(
                "io.schedd.Scheduler.Preview",
                // 2026-12-30T12:00:00Z.
                ["trigger": trigger, "count": 2, "afterUsec": 1_798_632_000_000_000])
            let found = reply["parameters"]["occurrences"]
            // 2026-12-31T06:00:00Z and 2027-01-01T05:00:00Z.
            #expect(found[0]["atUsec"].int == 1_798_696_800_000_000, "\(reply)")
            #expect(found[1]["atUsec"].int == 1_798_779_600_000_000)
            #expect(found[0]["abbreviation"].string == "OLD")
            #expect(found[1]["abbreviation"].string == "NEW")
        }
    }

    @Test func `B45: a zone that changed over a restart takes its instants with it`() throws {
        try TestBed.run { bed in
            let zones = try PrivateZones(in: bed)
            let words = ["--zoneinfo", zones.folder]
            let first = try bed.daemon(words, environment: ["TZ": "Test/East"])
            let due = Clock.wallMicroseconds() / 1_000_000 + 3
            let local = CivilDateTime(localSeconds: due + 3 * 3_600)
            func request(_ identifier: String, zone: String? = nil) -> [String: Any] {
                var calendar: [String: Any] = [
                    "hour": [local.hour], "minute": [local.minute], "second": [local.second],
                ]
                if let zone { calendar["timeZone"] = zone }
                return [
                    "identifier": identifier, "content": ["title": identifier],
                    "trigger": ["calendar": calendar],
                ]
            }
            let connection = try bed.connect()
            try connection.add([request("floating"), request("fixed", zone: "Test/East")])
            let before = try nextInstants(connection)
            #expect(before["floating"] == Int(due) * 1_000_000)
            first.crash()
            // More than a second late is late.
            #expect(Deadline.usual.waits { Clock.wallMicroseconds() > (due + 2) * 1_000_000 })

            _ = try bed.daemon(words, environment: ["TZ": "Test/West"])
            let again = try bed.connect()
            #expect(try Deadline.usual.waits { try !again.delivered().isEmpty })
            #expect(try again.delivered().map { $0["identifier"].string } == ["fixed"])
            #expect(
                try nextInstants(again) == ["floating": (Int(due) + 8 * 3_600) * 1_000_000])
        }
    }

    @Test func `the status says where the machine's zone comes from, and TZ wins`() throws {
        try TestBed.run { bed in
            let zones = try PrivateZones(in: bed)
            let expected: [(words: [String], variable: String?, zone: String, source: String)] = [
                (["--zoneinfo", zones.folder], "Test/West", "Test/West", "TZ"),
                (["--zoneinfo", zones.folder], ":Test/West", "Test/West", "TZ"),
                (zones.arguments, nil, "Test/East", zones.localtime),
            ]
            for (words, variable, zone, source) in expected {
                let daemon = try bed.daemon(words, environment: ["TZ": variable])
                let status = try bed.connect().call(Scheduler.status)["parameters"]
                #expect(status["timeZone"].string == zone)
                #expect(status["timeZoneSource"].string == source)
                let text = try bed.schedctl("status").text
                #expect(text.contains("\(zone) (from \(source))"), "\(text)")
                daemon.stop()
            }
        }
    }
}
