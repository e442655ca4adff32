// Real clocks: the wall clock is set, the process is stopped over a due time, the machine is booted
// anew. Large steps of the wall clock are the simulation's, since others live by this one.

import Foundation
import Glibc
import Platform
import TestSupport
import Testing

struct ClockTests {
    @Test func `a clock that is set to the time it has fires nothing and moves nothing`() throws {
        try #require(geteuid() == 0, "setting the clock takes root")
        try TestBed.run { bed in
            let daemon = try bed.daemon()
            let connection = try bed.connect()
            try connection.add([
                Scheduler.request("interval"),
                [
                    "identifier": "minutes", "content": ["title": "M"],
                    "trigger": ["calendar": ["minute": Array(0..<60)], "repeats": true],
                ],
            ])
            let subscriber = try bed.connect()
            try subscriber.subscribe()
            let due = Clock.wallMicroseconds() + 1_000_000
            try connection.add([
                [
                    "identifier": "due", "content": ["title": "D"],
                    "trigger": ["date": ["atUsec": due]],
                ]
            ])
            for _ in 0..<100 {
                try SystemClock.exclusively { try $0.step() }
                #expect(try connection.call(Scheduler.status)["parameters"].has("version"))
            }
            // Whether a minute begins in between is up to the clock.
            var kinds: [String] = []
            while kinds.last != "due fired" {
                let reply = try #require(try subscriber.receive())
                for event in reply["parameters"]["events"].array ?? []
                where event["identifier"].string != "minutes" || event["kind"].string != "fired" {
                    kinds.append(
                        "\(event["identifier"].string ?? "") \(event["kind"].string ?? "")")
                    if event["kind"].string == "fired" {
                        #expect(event["late"].bool == false)
                        #expect((event["atUsec"].int ?? 0) >= Int(due), "never early")
                    }
                }
            }
            #expect(kinds == ["due added", "due fired"])
            #expect(daemon.process.isRunning)
        }
    }

    @Test func `B50: due while the process stood still, it is late within 2 s of its going on`()
        throws
    {
        try TestBed.run { bed in
            let daemon = try bed.daemon()
            let connection = try bed.connect()
            let subscriber = try bed.connect()
            try subscriber.subscribe()
            let due = Clock.wallMicroseconds() + 2_000_000
            try connection.add([
                Scheduler.request("interval", seconds: 2),
                [
                    "identifier": "date", "content": ["title": "D"],
                    "trigger": ["date": ["atUsec": due]],
                ],
                [
                    "identifier": "seconds", "content": ["title": "S"],
                    "trigger": ["calendar": ["second": Array(0..<60)], "repeats": true],
                ],
            ])
            daemon.process.signal(SIGSTOP)
            #expect(Clock.wallMicroseconds() < due, "it was stopped too late")
            #expect(Deadline.usual.waits { Clock.wallMicroseconds() > due + 3_000_000 })
            let goesOn = Clock.wallMicroseconds()
            daemon.process.signal(SIGCONT)
            for identifier in ["date", "interval", "seconds"] {
                let delivered = try #require(
                    try deliveries(after: goesOn, connection)[identifier], "\(identifier)")
                #expect(delivered["late"].bool == (identifier != "seconds"), "\(delivered)")
                let fired = try #require(delivered["firedUsec"].int)
                #expect(fired - Int(goesOn) < 2_000_000)
                if identifier == "date" { #expect(delivered["dueUsec"].int == Int(due)) }
                // What repeats is represented by its latest occurrence, with the count of all.
                if identifier == "seconds" {
                    #expect((delivered["missedCount"].int ?? 0) >= 2, "\(delivered)")
                }
            }
        }
    }

    @Test func `B53: what is too late to show is told, listed, and survives a crash`() throws {
        try TestBed.run { bed in
            let daemon = try bed.daemon()
            let connection = try bed.connect()
            let subscriber = try bed.connect()
            try subscriber.subscribe()
            let due = Clock.wallMicroseconds() + 2_000_000
            func request(_ identifier: String, _ policy: [String: Any]) -> [String: Any] {
                policy.merging([
                    "identifier": identifier, "content": ["title": identifier],
                    "trigger": ["date": ["atUsec": due]],
                ]) { $1 }
            }
            try connection.add([
                request("skip", ["ifMissed": "skip"]), request("limit", ["latenessLimit": 1.5]),
                request("shown", ["latenessLimit": 3_600]),
            ])
            daemon.process.signal(SIGSTOP)
            #expect(Clock.wallMicroseconds() < due, "it was stopped too late")
            #expect(Deadline.usual.waits { Clock.wallMicroseconds() > due + 2_000_000 })
            daemon.process.signal(SIGCONT)
            let reasons = ["skip": "skipped", "limit": "latenessLimit"]
            var told: [JSON] = []
            while told.count < 2 {
                let reply = try #require(try subscriber.receive())
                told += (reply["parameters"]["events"].array ?? [])
                    .filter { $0["kind"].string == "missed" }
            }
            #expect(told.map { $0["identifier"].string } == ["skip", "limit"])
            #expect(told.map { $0["missed"].string } == ["skipped", "latenessLimit"])
            #expect(told.allSatisfy { $0["dueUsec"].int == Int(due) })
            #expect(
                try Deadline.usual.waits {
                    try connection.delivered().map { $0["identifier"].string } == ["shown"]
                })
            daemon.crash()
            _ = try bed.daemon()
            let rows = try JSON(parsing: bed.schedctl("missed", "--json").text).array ?? []
            let listed = rows.map { ($0["identifier"].string ?? "", $0["reason"].string ?? "") }
            #expect(Dictionary(uniqueKeysWithValues: listed) == reasons)
            #expect(rows.allSatisfy { $0["dueUsec"].int == Int(due) && $0["count"].int == 1 })
            let text = try bed.schedctl("missed").text
            #expect(text.contains("skipped, as its policy says"), "\(text)")
            #expect(text.contains("later than its limit"), "\(text)")
        }
    }

    /// The first delivery of each request after an instant, by the events of it.
    private func deliveries(
        after instant: Int64, _ connection: RawConnection
    ) throws -> [String: JSON] {
        var found: [String: JSON] = [:]
        _ = try Deadline.usual.waits {
            for delivered in try connection.delivered()
            where (delivered["firedUsec"].int ?? 0) >= Int(instant) {
                found[delivered["identifier"].string ?? ""] = delivered
            }
            return found.count == 3
        }
        return found
    }

    @Test func `B42: dates past 2038 and 2106 survive a crash and a stop, in order`() throws {
        let seconds = [2_145_916_808, 2_147_483_647, 2_147_483_648, 2_214_118_800, 4_294_967_296]
        try TestBed.run { bed in
            let first = try bed.daemon()
            let requests: [[String: Any]] = seconds.map { second in
                [
                    "identifier": "\(second)", "content": ["title": "T"],
                    "trigger": ["date": ["atUsec": second * 1_000_000]],
                ]
            }
            try bed.connect().add(requests.reversed())
            first.crash()
            let second = try bed.daemon()
            try expectPending(seconds, in: bed)
            second.stop()
            _ = try bed.daemon()
            try expectPending(seconds, in: bed)
        }
    }

    private func expectPending(_ seconds: [Int], in bed: TestBed) throws {
        let connection = try bed.connect()
        let reply = try connection.call(Scheduler.listPending, ["app": "app"])
        let pending = reply["parameters"]["pending"].array ?? []
        #expect(pending.map { $0["identifier"].string } == seconds.map { "\($0)" })
        #expect(pending.map { $0["nextUsec"].int } == seconds.map { $0 * 1_000_000 })
        #expect(try connection.delivered().isEmpty)
    }

    @Test func `B62: an interval of 0.2 s fires once, within a second`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let subscriber = try bed.connect()
            try subscriber.subscribe()
            let connection = try bed.connect()
            try connection.add([Scheduler.request("soon", seconds: 0.2)])
            let added = try subscriber.event { $0["kind"].string == "added" }
            let fired = try subscriber.event { $0["kind"].string == "fired" }
            let elapsed = (fired["atUsec"].int ?? 0) - (added["atUsec"].int ?? 0)
            // By the wall clock, which may be corrected meanwhile.
            #expect((199_000...1_000_000).contains(elapsed), "\(elapsed) us")
            #expect(!fired.has("nextUsec"))
            #expect(try connection.pending().isEmpty)
            #expect(try connection.delivered().count == 1)
        }
    }

    @Test func `B54: after a reboot intervals go on by the wall clock, and nothing fires again`()
        throws
    {
        try TestBed.run { bed in
            let first = try bed.daemon()
            let connection = try bed.connect()
            try connection.add([
                Scheduler.request("done", seconds: 0.1), Scheduler.request("hour"),
                Scheduler.request("soon", seconds: 4),
            ])
            #expect(try Deadline.usual.waits { try connection.delivered().count == 1 })
            let before = try nextInstants(connection)
            first.crash()

            // A machine that has been up for a week longer, under another boot id.
            let boot = bed.root + "/boot_id"
            try Data("01234567-89ab-4cde-8f01-23456789abcd\n".utf8).write(to: URL(filePath: boot))
            let machine = try MountNamespace(
                in: bed, preparing: "mount --bind \(boot) /proc/sys/kernel/random/boot_id")
            let second = try bed.daemon(
                through: machine.entry + [
                    "/usr/bin/unshare", "--time", "--boottime", "604800", "--fork",
                    "--kill-child", "--",
                ])
            let again = try bed.connect()
            let after = try nextInstants(again)
            #expect(Set(after.keys) == Set(before.keys))
            for (identifier, next) in after {
                let moved = next - (before[identifier] ?? 0)
                #expect(abs(moved) < 100_000, "\(identifier) moved by \(moved) us")
            }
            let due = try #require(before["soon"])
            #expect(try Deadline.usual.waits { try again.delivered().count == 2 })
            let delivered = try again.delivered()
            #expect(delivered.map { $0["identifier"].string } == ["done", "soon"])
            let fired = try #require(delivered[1]["firedUsec"].int)
            #expect((-100_000...2_000_000).contains(fired - due), "\(fired - due) us")
            #expect(second.process.isRunning)
        }
    }

    private func nextInstants(_ connection: RawConnection) throws -> [String: Int] {
        let reply = try connection.call(Scheduler.listPending, ["app": "app"])
        let pending = reply["parameters"]["pending"].array ?? []
        return Dictionary(
            uniqueKeysWithValues: pending.map {
                ($0["identifier"].string ?? "", $0["nextUsec"].int ?? 0)
            })
    }
}
