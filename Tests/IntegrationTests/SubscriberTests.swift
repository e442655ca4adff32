// Subscribers and their speed: one that does not read costs bounded memory and no one else's time.

import Foundation
import Glibc
import Testing

struct SubscriberTests {
    @Test func `B83: a stopped subscriber delays no one, and is told what it lost`() throws {
        try TestBed.run { bed in
            let daemon = try bed.daemon()
            // Into a file: a pipe that we do not read would stop it as well.
            let seen = bed.root + "/seen"
            let program = Products.path(of: "schedctl")
            let watch = try bed.start(
                "/bin/bash", ["-c", "exec '\(program)' --json watch >'\(seen)'"])
            let connection = try bed.connect()
            let isWatching = try Deadline.usual.waits {
                try connection.call(Scheduler.status)["parameters"]["connections"].int == 2
            }
            #expect(isWatching)
            watch.signal(SIGSTOP)
            let before = try daemon.memory("VmRSS")
            let timely = try bed.connect()
            try timely.subscribe("timely")

            // Each batch replaces the one before: 64 added and 64 removed, with titles.
            let title = String(repeating: "t", count: 1_000)
            let batch = (0..<64).map { Scheduler.request("r\($0)", title: title) }
            let call = try RawConnection.call(Scheduler.add, Scheduler.adding(batch))
            for round in 0..<160 {
                try connection.send(message: call)
                #expect(try connection.receive()?["parameters"]["added"].array?.count == 64)
                if round == 80 {
                    try bed.connect().add(
                        [Scheduler.request("on time", seconds: 0.001)], app: "timely")
                    let fired = try timely.event { $0["kind"].string == "fired" }
                    #expect(fired["identifier"].string == "on time")
                }
            }
            #expect(try daemon.memory("VmRSS") - before < 48 << 10)
            #expect(try connection.pending().count == 64)

            // It reads what had been sent, is dropped for what it missed, and connects again.
            watch.signal(SIGCONT)
            #expect(Deadline.usual.waits { watch.errors.contains("connected again; ") })
            try connection.add([Scheduler.request("after")], app: "later")
            let isSeen = Deadline.usual.waits {
                (try? String(contentsOfFile: seen, encoding: .utf8))?.contains("after") == true
            }
            #expect(isSeen)
        }
    }

    @Test func `a subscription that ends before ready has no cursor to go on from`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let body = String(repeating: "x", count: 16_000)
            try bed.connect().add((0..<40).map { Scheduler.request("r\($0)", body: body) })
            let subscriber = try bed.connect()
            try subscriber.send(
                message: RawConnection.call(Scheduler.subscribe, ["app": "app"], more: true))
            var parts: [JSON] = []
            while let reply = try subscriber.receive()?["parameters"] {
                parts.append(reply)
                if reply["ready"].bool == true { break }
            }
            #expect(parts.count > 2)
            #expect(parts.dropLast().allSatisfy { $0["cursor"].string == "" })
            #expect(parts.last?["cursor"].string?.isEmpty == false)

            let again = try bed.connect()
            try again.send(
                message: RawConnection.call(
                    Scheduler.subscribe, ["app": "app", "cursor": ""], more: true))
            var pending = 0
            while let reply = try again.receive()?["parameters"] {
                pending += reply["pending"].array?.count ?? 0
                #expect(reply["resumed"].bool != true)
                guard reply["ready"].bool == true else { continue }
                #expect(reply["resumed"].bool == false)
                break
            }
            #expect(pending == 40)
        }
    }

    @Test func `a subscription goes on from its cursor, without a gap`() throws {
        try TestBed.run { bed in
            let daemon = try bed.daemon()
            let subscriber = try bed.connect()
            let parameters = ["app": "app"]
            try subscriber.send(
                message: RawConnection.call(Scheduler.subscribe, parameters, more: true))
            var cursor: String?
            while let reply = try subscriber.receive() {
                cursor = reply["parameters"]["cursor"].string
                if reply["parameters"]["ready"].bool == true { break }
            }
            try bed.connect().add([Scheduler.request("one")])
            let again = try bed.connect()
            try again.send(
                message: RawConnection.call(
                    Scheduler.subscribe, ["app": "app", "cursor": cursor ?? ""], more: true))
            let event = try again.event { _ in true }
            #expect(event["kind"].string == "added")
            #expect(event["identifier"].string == "one")
            daemon.stop()
            #expect(try subscriber.isClosed())
        }
    }
}
