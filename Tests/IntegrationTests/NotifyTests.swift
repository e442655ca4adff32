// What schedd tells the service manager: that it is ready when it is, that it lives while its loop
// turns, that it stops; and how it takes a socket that the manager opened.

import Foundation
import Glibc
import Platform
import Testing

struct NotifyTests {
    @Test func `B88: without NOTIFY_SOCKET it starts and says nothing`() throws {
        try TestBed.run { bed in
            _ = try bed.start("schedd")
            #expect(Deadline.usual.waits { (try? bed.connect().pending()) == [] })
        }
    }

    @Test(arguments: ["path", "abstract"])
    func `B88: READY arrives in one datagram at a path and at an abstract name`(
        _ kind: String
    ) throws {
        try TestBed.run { bed in
            let address = kind == "path" ? "\(bed.root)/n" : "@\(bed.root)/notify"
            let notify = try NotifySocket(address)
            let child = try bed.start("schedd", environment: ["NOTIFY_SOCKET": address])
            let message = try notify.wait(for: "READY=1")
            #expect(message.split(separator: "\n").contains { $0.hasPrefix("STATUS=") })
            #expect(try bed.connect().pending() == [])
            child.signal(SIGTERM)
            try notify.wait(for: "STOPPING=1")
            #expect(child.waitForExit() == 0)
        }
    }

    @Test(arguments: ["4", "vsock:2:1234", "/" + String(repeating: "n", count: 199), "/refused"])
    func `B88: an address that cannot be used is told once, and the start goes on`(
        _ address: String
    ) throws {
        try TestBed.run { bed in
            var address = address
            if address == "/refused" {
                // A socket that nobody has open any more.
                address = bed.root + "/refused"
                _ = try NotifySocket(address)
            }
            let child = try bed.start("schedd", environment: ["NOTIFY_SOCKET": address])
            #expect(Deadline.usual.waits { (try? bed.connect().pending()) == [] })
            try bed.connect().add([Scheduler.request("tea")])
            child.signal(SIGTERM)
            #expect(child.waitForExit() == 0)
            let mentions = child.errors.split(separator: "\n").filter {
                $0.contains("NOTIFY_SOCKET") || $0.contains("service manager")
            }
            #expect(mentions.count == 1, "\(child.errors)")
        }
    }

    @Test func `B89: at READY the whole list is there, and what is overdue comes after`() throws {
        try TestBed.run { bed in
            let first = try bed.daemon()
            let connection = try bed.connect()
            for app in 0..<200 {
                try connection.add(
                    (0..<64).map { Scheduler.request("r\($0)", seconds: Double(3_600 + $0)) },
                    app: "app\(app)")
            }
            let overdue = Scheduler.adding([Scheduler.request("r", seconds: 0.3)], app: "late")
            let added = try connection.call(Scheduler.add, overdue)["parameters"]["added"][0]
            first.crash()
            let due = try #require(added["nextUsec"].int)
            // Up to a second is not called late.
            #expect(Deadline.usual.waits { Clock.wallMicroseconds() > due + 1_500_000 })

            let second = try bed.daemon()
            let reply = try bed.connect().call(Scheduler.status)
            #expect((reply["parameters"]["pending"].int ?? 0) >= 200 * 64)
            let again = try bed.connect()
            for app in [0, 99, 199] { #expect(try again.pending("app\(app)").count == 64) }
            #expect(try Deadline.usual.waits { try again.delivered("late").count == 1 })
            #expect(try again.delivered("late").first?["late"].bool == true)
            second.process.signal(SIGTERM)
            try second.notify.wait(for: "STOPPING=1")
            #expect(second.process.waitForExit() == 0)
        }
    }

    @Test(arguments: ["right", "missing"])
    func `B92: a healthy loop pings at least twice in each watchdog interval`(
        _ identifier: String
    ) throws {
        try TestBed.run { bed in
            let notify = try NotifySocket(bed.root + "/n")
            let prefix = identifier == "right" ? "WATCHDOG_PID=$$ " : ""
            _ = try bed.start(
                "/bin/bash", ["-c", prefix + "exec " + Products.path(of: "schedd")],
                environment: ["NOTIFY_SOCKET": notify.address, "WATCHDOG_USEC": "2000000"])
            try notify.wait(for: "READY=1")
            try notify.wait(for: "WATCHDOG=1")
            for _ in 0..<3 {
                // The manager would kill it after 2 s; 1 s is what schedd aims at.
                try notify.wait(for: "WATCHDOG=1", .after(seconds: 2))
            }
        }
    }

    @Test func `B92: with another process's WATCHDOG_PID no ping is sent`() throws {
        try TestBed.run { bed in
            let daemon = try bed.daemon(
                environment: ["WATCHDOG_USEC": "200000", "WATCHDOG_PID": "1"])
            while let message = try daemon.notify.next(.after(seconds: 1)) {
                #expect(!message.contains("WATCHDOG"))
            }
            #expect(daemon.process.isRunning)
        }
    }

    @Test func `B92: a process that was stopped pings at once when it goes on`() throws {
        try TestBed.run { bed in
            let daemon = try bed.daemon(environment: ["WATCHDOG_USEC": "2000000"])
            try daemon.notify.wait(for: "WATCHDOG=1")
            daemon.process.signal(SIGSTOP)
            // What was sent before the stop is taken first; then nothing comes.
            while try daemon.notify.next(.after(seconds: 3)) != nil {}
            daemon.process.signal(SIGCONT)
            try daemon.notify.wait(for: "WATCHDOG=1", .after(seconds: 1))
        }
    }

    @Test func `B89, B92: a disk that hangs for 5 s delays READY and replies, no ping`() throws {
        try TestBed.run { bed in
            let first = try bed.daemon()
            try bed.connect().add([Scheduler.request("kept")])
            first.stop()
            let notify = try NotifySocket(bed.root + "/n")
            // From each thread's second sync on: the start has two, a commit one.
            _ = try bed.start(
                "/usr/bin/strace",
                [
                    // As our grandchild, so that schedd is our child and ends with the bed.
                    "--daemonize", "--follow-forks", "--output=/dev/null",
                    "--trace=fdatasync,fsync",
                    "--inject=fdatasync,fsync:delay_enter=5000000:when=2+",
                    Products.path(of: "schedd"),
                ],
                environment: ["NOTIFY_SOCKET": notify.address, "WATCHDOG_USEC": "1000000"])
            try notify.wait(for: "READY=1")
            let writer = try bed.connect()
            #expect(try writer.pending() == ["kept"])
            for index in 0..<10 {
                let call = Scheduler.adding([Scheduler.request("r\(index)")])
                try writer.send(message: RawConnection.call(Scheduler.add, call))
                if try writer.receive(.after(seconds: 2)) == nil { break }
                #expect(index < 9, "no sync was delayed")
            }
            for _ in 0..<3 { try notify.wait(for: "WATCHDOG=1", .after(seconds: 1)) }
            #expect(try bed.connect().call(Scheduler.status)["parameters"].has("version"))
            #expect(try writer.receive()?["parameters"]["added"].array?.count == 1)
        }
    }
}
