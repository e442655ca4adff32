// schedd on a disk that is full, fails, or stalls: calls are refused or wait, what was there stays,
// and what is due is shown all the same.

import Foundation
import Glibc
import Platform
import Testing

struct DiskTests {
    @Test func `B58: on a full disk calls are refused, the due one is shown and recorded`() throws {
        try TestBed.run { bed in
            let bus = try PrivateBus(in: bed)
            let server = try NotificationServer(on: bus.address)
            let disk = try MountNamespace(
                in: bed, preparing: "mount -t tmpfs -o size=1m,mode=0700 none \(bed.statePath)")
            let first = try bed.daemon(through: disk.entry, environment: bus.environment)
            let connection = try bed.connect()
            let nine = (1...9).map { Scheduler.request("r\($0)") }
            try connection.add(nine + [Scheduler.request("due", title: "Due", seconds: 4)])

            let filler = try Filler(disk.path(bed.statePath) + "/filler")
            // What was written before has left some room within the files, and the log gives its
            // own back before a call is refused.
            var kept = Set((1...9).map { "r\($0)" })
            let title = String(repeating: "x", count: 1_000)
            for index in 0..<50 {
                let name = "filling-\(index)"
                let call = Scheduler.adding([Scheduler.request(name, title: title)])
                if try connection.call(Scheduler.add, call).has("error") { break }
                kept.insert(name)
                try filler.fill()
            }
            try filler.fill()
            try expectRefusal(of: "more", title: title, on: connection)
            #expect(try Set(connection.pending()) == kept.union(["due"]))
            let status = try connection.call(Scheduler.status)["parameters"]
            #expect(status["storage"].string == "failing")
            let text = try bed.schedctl("status").text
            #expect(text.contains("no space left"), "\(text)")
            #expect(first.process.errors.contains("the disk refuses changes: no space left"))

            #expect(try server.take().isEmpty, "the disk was full too late")
            try expectShown("Due", by: server)
            // Its own record may have found room: the row that it leaves makes some.
            #expect(try Set(connection.pending()) == kept)

            filler.remove()
            try addAfterShowing("later", connection)
            try expectHealthyDisk(connection)
            first.crash()

            let second = try bed.daemon(through: disk.entry, environment: bus.environment)
            try expectRecorded(in: bed, pending: kept.count + 1)
            second.stop()
            #expect(try server.take().isEmpty, "shown once")
        }
    }

    @Test func `B58: a disk that answers EIO loses nothing either`() throws {
        try TestBed.run { bed in
            let bus = try PrivateBus(in: bed)
            let server = try NotificationServer(on: bus.address)
            let disk = try FaultyDisk(in: bed)
            let environment = bus.environment.merging(disk.environment) { $1 }
            let first = try bed.daemon(environment: environment)
            let connection = try bed.connect()
            let nine = (1...9).map { Scheduler.request("r\($0)") }
            try connection.add(nine + [Scheduler.request("due", title: "Due", seconds: 4)])

            try disk.fail()
            try expectRefusal(of: "more", on: connection)
            #expect(try server.take().isEmpty, "the disk failed too late")
            try expectShown("Due", by: server)
            let status = try connection.call(Scheduler.status)["parameters"]
            #expect(status["storage"].string == "failing")
            try disk.recover()
            // What has happened is written without another call.
            #expect(
                try Deadline.usual.waits {
                    try connection.call(Scheduler.status)["parameters"]["storage"].string == "ok"
                })
            try addAfterShowing("later", connection)
            first.crash()

            let second = try bed.daemon(environment: environment)
            try expectRecorded(in: bed, pending: 10)
            second.stop()
            #expect(try server.take().isEmpty, "shown once")
        }
    }

    @Test func `what a disk refused is written at SIGTERM, however short ago that was`() throws {
        try TestBed.run { bed in
            let bus = try PrivateBus(in: bed)
            let server = try NotificationServer(on: bus.address)
            let disk = try FaultyDisk(in: bed)
            let environment = bus.environment.merging(disk.environment) { $1 }
            let first = try bed.daemon(environment: environment)
            let connection = try bed.connect()
            try connection.add([Scheduler.request("due", title: "Due", seconds: 4)])
            try disk.fail()
            #expect(try server.take().isEmpty, "the disk failed too late")
            try expectShown("Due", by: server)
            #expect(
                try Deadline.usual.waits {
                    let status = try connection.call(Scheduler.status)["parameters"]
                    return status["storage"].string == "failing" && status["waiting"].int == 0
                })
            try disk.recover()
            first.stop()

            let second = try bed.daemon(environment: environment)
            try expectRecorded(in: bed, pending: 0)
            second.stop()
            #expect(try server.take().isEmpty, "shown once")
        }
    }

    @Test func `a disk that fails to the end does not keep schedd from stopping`() throws {
        try TestBed.run { bed in
            let disk = try FaultyDisk(in: bed)
            let daemon = try bed.daemon(environment: disk.environment)
            let connection = try bed.connect()
            try connection.add([Scheduler.request("due", seconds: 0.5)])
            try disk.fail()
            #expect(
                try Deadline.usual.waits {
                    try connection.call(Scheduler.status)["parameters"]["storage"].string
                        == "failing"
                })
            daemon.stop()
        }
    }

    @Test func `B92: while the disk stalls for 5 s, pings, reads and firings go on`() throws {
        try TestBed.run { bed in
            let bus = try PrivateBus(in: bed)
            let server = try NotificationServer(on: bus.address)
            let disk = try FaultyDisk(in: bed)
            let environment = bus.environment.merging(disk.environment) { $1 }
            let first = try bed.daemon(
                environment: environment.merging(["WATCHDOG_USEC": "1000000"]) { $1 })
            let reader = try bed.connect()
            let writer = try bed.connect()
            try writer.add([
                Scheduler.request("due", title: "Due", seconds: 1.5), Scheduler.request("kept"),
            ])
            let due = try #require(try dueUsec(of: "due", reader))

            try disk.stall()
            try writer.send(
                message: RawConnection.call(
                    Scheduler.add, Scheduler.adding([Scheduler.request("late")])))
            let end = Deadline.after(seconds: 5)
            var pings = 0
            while !end.isPast {
                let asked = Clock.bootMicroseconds()
                #expect(try reader.call(Scheduler.status)["parameters"].has("version"))
                #expect(try reader.pending().contains("kept"))
                #expect(Clock.bootMicroseconds() - asked < 2_000_000, "a read waits for the disk")
                for notify in try server.take() { try server.answer(notify) }
                if try first.notify.next(.after(seconds: 0.01))?.contains("WATCHDOG=1") == true {
                    pings += 1
                }
            }
            #expect(pings >= 5, "at least one a second")
            let shown = try #require(server.calls.first)
            #expect(server.calls.map(\.summary) == ["Due"])
            // 250 ms of patience; the rest is for a loaded machine. The stall is far longer.
            let lateness = Int(shown.takenUsec) - due
            #expect((0..<1_500_000).contains(lateness), "shown \(lateness) us after it was due")
            #expect(try writer.receive(.after(seconds: 0)) == nil, "nothing can be on disk yet")

            try disk.goOn()
            #expect(try writer.receive()?["parameters"]["added"].array?.count == 1)
            try addAfterShowing("last", writer)
            first.crash()
            let second = try bed.daemon(environment: environment)
            try expectRecorded(in: bed, pending: 3)
            second.stop()
            #expect(try server.take().isEmpty, "shown once")
        }
    }

    @Test func `with its state folder removed, schedd acknowledges nothing and says why`() throws {
        try TestBed.run { bed in
            let first = try bed.daemon()
            let connection = try bed.connect()
            try connection.add([Scheduler.request("before")])
            let folder = bed.statePath + "/schedd"
            try FileManager.default.removeItem(atPath: folder)

            try expectRefusal(of: "lost", on: connection)
            let status = try connection.call(Scheduler.status)["parameters"]
            #expect(status["storage"].string == "failing")
            let text = try bed.schedctl("status").text
            for word in [folder, "removed", "export", "restart"] {
                #expect(text.contains(word), "\(word) is missing in: \(text)")
            }
            // What the message says to do.
            let export = try bed.schedctl("export").text
            first.stop()
            let second = try bed.daemon()
            let again = try bed.connect()
            try export.write(
                toFile: bed.root + "/export.json", atomically: false, encoding: .utf8)
            try bed.schedctl("import", bed.root + "/export.json")
            #expect(try again.pending() == ["before"])
            try expectHealthyDisk(again)
            second.stop()
        }
    }

    private func dueUsec(of identifier: String, _ connection: RawConnection) throws -> Int? {
        let reply = try connection.call(Scheduler.listPending, ["app": "app"])
        return reply["parameters"]["pending"].array?
            .first { $0["identifier"].string == identifier }?["nextUsec"].int
    }

    private func expectRefusal(
        of identifier: String, title: String = "Title", on connection: RawConnection
    ) throws {
        let reply = try connection.call(
            Scheduler.add, Scheduler.adding([Scheduler.request(identifier, title: title)]))
        #expect(reply["error"].string == "io.schedd.Scheduler.StorageFailed", "\(reply)")
        #expect(reply["parameters"]["reason"].string?.isEmpty == false)
    }

    private func expectShown(_ title: String, by server: NotificationServer) throws {
        let notify = try #require(try server.wait(for: title))
        try server.answer(notify)
    }

    /// A call that is answered is on disk together with all that was before it.
    private func addAfterShowing(_ identifier: String, _ connection: RawConnection) throws {
        #expect(
            try Deadline.usual.waits {
                try connection.call(Scheduler.status)["parameters"]["waiting"].int == 0
            })
        try connection.add([Scheduler.request(identifier)])
    }

    private func expectHealthyDisk(_ connection: RawConnection) throws {
        let status = try connection.call(Scheduler.status)["parameters"]
        #expect(status["storage"].string == "ok")
        #expect(!status.has("storageMessage"))
    }

    /// After a restart: the firing and its showing are on record.
    private func expectRecorded(in bed: TestBed, pending: Int) throws {
        let connection = try bed.connect()
        let delivered = try connection.delivered()
        #expect(delivered.map { $0["identifier"].string } == ["due"])
        #expect(delivered.first?["presentedUsec"].int != nil)
        #expect(try connection.pending().count == pending)
        #expect(try connection.call(Scheduler.status)["parameters"]["waiting"].int == 0)
        try expectHealthyDisk(connection)
    }
}

/// A file that takes all the room there is.
private struct Filler {
    private let path: String

    init(_ path: String) throws {
        self.path = path
        try fill()
    }

    /// Takes the room that has become free since.
    func fill() throws {
        let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_APPEND)
        let block = [UInt8](repeating: 1, count: 4_096)
        do throws(Errno) {
            while true { try file.writeAll(block) }
        } catch {
            #expect(error.code == ENOSPC)
        }
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
