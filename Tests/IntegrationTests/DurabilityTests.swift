// An acknowledged call survives kill -9 at any time, and what fires, fires once.

import Glibc
import Testing

struct DurabilityTests {
    @Test func `killed between add and due, it fires after the restart, once`() throws {
        try TestBed.run { bed in
            let first = try bed.daemon()
            try bed.connect().add([Scheduler.request("tea", seconds: 0.5)])
            first.crash()

            let second = try bed.daemon()
            let connection = try bed.connect()
            #expect(try Deadline.usual.waits { try connection.delivered().count == 1 })
            #expect(try connection.pending() == [])
            second.crash()

            let third = try bed.daemon()
            let again = try bed.connect()
            let delivered = try again.delivered()
            #expect(delivered.map { $0["identifier"].string } == ["tea"])
            #expect(try again.pending() == [])
            third.stop()
        }
    }

    @Test func `the events say when it was due and that it came once`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let subscriber = try bed.connect()
            try subscriber.subscribe()
            try bed.schedctl("--app", "app", "add", "--id", "soon", "--in", "1s", "--title", "Soon")
            let added = try subscriber.event { $0["kind"].string == "added" }
            #expect(added["identifier"].string == "soon")
            let fired = try subscriber.event { $0["kind"].string == "fired" }
            #expect(fired["identifier"].string == "soon")
            let due = try #require(fired["dueUsec"].int)
            // The wall clock may be corrected meanwhile, and an interval is then due at another
            // time of day.
            #expect(abs(due - (try #require(added["nextUsec"].int))) < 10_000)
            let at = try #require(fired["atUsec"].int)
            #expect(at >= due, "never early")
            #expect(try bed.connect().delivered().count == 1)
        }
    }

    @Test func `killed while calls come in, it has every one that it acknowledged`() throws {
        try TestBed.run { bed in
            var acknowledged: [String] = []
            for round in 0..<5 {
                let daemon = try bed.daemon()
                let connection = try bed.connect()
                let apps = (0..<20).map { "app\(round).\($0)" }
                for app in apps {
                    let call = Scheduler.adding([Scheduler.request("r")], app: app)
                    try connection.send(message: RawConnection.call(Scheduler.add, call))
                }
                // The crash hits while later calls are still on their way.
                for app in apps.prefix(1 + round * 4) {
                    let reply = try connection.receive()
                    if reply?["parameters"]["added"].array?.count == 1 { acknowledged.append(app) }
                }
                daemon.crash()
            }
            #expect(acknowledged.count == 1 + 5 + 9 + 13 + 17)
            _ = try bed.daemon()
            let connection = try bed.connect()
            for app in acknowledged { #expect(try connection.pending(app) == ["r"]) }
        }
    }
}
