// Messages as streams cut them: a call may come in any pieces, many calls in one piece, and a long
// reply is taken slowly. Nothing is lost, parsed early, or answered out of order.

import Glibc
import Testing

struct FramingTests {
    @Test func `B81: a call sent byte by byte is answered once it is complete`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let connection = try bed.connect()
            let text = try RawConnection.call(
                Scheduler.add, Scheduler.adding([Scheduler.request("slow", title: "Teezeit 🫖")]))
            for byte in RawConnection.frame(text) { try connection.send([byte]) }
            #expect(try connection.receive()?["parameters"]["added"].array?.count == 1)
            #expect(try connection.pending() == ["slow"])
        }
    }

    @Test func `B81: a message may be cut anywhere, inside a character of 4 bytes too`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let connection = try bed.connect()
            let text = try RawConnection.call(
                Scheduler.add, Scheduler.adding([Scheduler.request("pot", title: "🫖")]))
            let bytes = RawConnection.frame(text)
            let character = try #require(bytes.firstIndex(of: 0xF0))
            for cut in character...(character + 4) {
                try connection.send(Array(bytes[..<cut]))
                // An answered call on another connection: schedd has read the first part by then.
                #expect(try bed.connect().call(Scheduler.status)["error"].string == nil)
                try connection.send(Array(bytes[cut...]))
                #expect(try connection.receive()?["parameters"]["added"].array?.count == 1)
            }
            let reply = try connection.call(Scheduler.listPending, ["app": "app"])
            #expect(reply["parameters"]["pending"][0]["content"]["title"].string == "🫖")
        }
    }

    @Test(arguments: [2, 50])
    func `B81: calls in one write are answered in their order`(_ count: Int) throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let connection = try bed.connect()
            var bytes: [UInt8] = []
            for index in 0..<count {
                let requests = [Scheduler.request("r\(index)", seconds: Double(3_600 + index))]
                let text = try RawConnection.call(Scheduler.add, Scheduler.adding(requests))
                bytes += RawConnection.frame(text)
            }
            try connection.send(bytes)
            for index in 0..<count {
                let reply = try connection.receive()
                #expect(reply?["parameters"]["added"][0]["identifier"].string == "r\(index)")
            }
            #expect(try connection.pending() == (0..<count).map { "r\($0)" })
        }
    }

    @Test(arguments: [4_096, 8_000, 65_536, 1 << 20])
    func `B81: a call of exactly so many bytes is taken`(_ size: Int) throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let connection = try bed.connect()
            let call = try RawConnection.call(
                Scheduler.add, Scheduler.adding([Scheduler.request("big")]))
            // Space between the members counts as part of the message, and is no part of a value.
            let padding = String(repeating: " ", count: size - call.utf8.count)
            let text = call.dropLast() + padding + "}"
            #expect(text.utf8.count == size)
            try connection.send(message: String(text))
            #expect(try connection.receive()?["parameters"]["added"].array?.count == 1)
        }
    }

    @Test func `B81: a reply of over 256 KiB arrives whole at a slow reader`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let connection = try bed.connect()
            let body = String(repeating: "0123456789abcdef", count: 512)
            try connection.add(
                (0..<40).map { Scheduler.request("r\($0)", body: body, seconds: Double(60 + $0)) })
            try connection.send(
                message: RawConnection.call(Scheduler.listPending, ["app": "app"]))
            // What does not fit into the socket waits in schedd, while others are served.
            for index in 0..<20 {
                try bed.connect().add([Scheduler.request("other\(index)")], app: "other")
            }
            let reply = try #require(try connection.receiveBytes())
            #expect(reply.count > 256 << 10)
            let pending = try JSON(parsing: reply)["parameters"]["pending"].array ?? []
            #expect(pending.count == 40)
            #expect(pending.allSatisfy { $0["content"]["body"].string == body })
        }
    }

    @Test func `calls held back behind a large reply go on when it has been taken`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let connection = try bed.connect()
            let body = String(repeating: "x", count: 16_000)
            try connection.add((0..<40).map { Scheduler.request("r\($0)", body: body) })
            let call = try RawConnection.call(Scheduler.listPending, ["app": "app"])
            try connection.send((0..<5).flatMap { _ in RawConnection.frame(call) })
            for _ in 0..<5 {
                let reply = try connection.receive()
                #expect(reply?["parameters"]["pending"].array?.count == 40)
            }
        }
    }

    /// A reply that is made at once, and one that waits for the disk.
    @Test(arguments: ["GetStatus", "Add"])
    func `a reply of over 4 MiB arrives whole behind a pipelined call`(first: String) throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let connection = try bed.connect()
            let body = String(repeating: "x", count: 12_000)
            for part in 0..<7 {
                var adding = Scheduler.adding(
                    (0..<60).map { Scheduler.request("r\(part)-\($0)", body: body) })
                adding["whenFull"] = "queue"
                let reply = try connection.call(Scheduler.add, adding)
                #expect(reply["parameters"]["added"].array?.count == 60)
            }
            let ahead =
                first == "Add"
                ? try RawConnection.call(
                    Scheduler.add, Scheduler.adding([Scheduler.request("x")], app: "other"))
                : try RawConnection.call(Scheduler.status)
            let list = try RawConnection.call("io.schedd.Scheduler.ListBacklog", ["app": "app"])
            try connection.send(RawConnection.frame(ahead) + RawConnection.frame(list))
            #expect(try connection.receive()?["error"].string == nil)
            let reply = try #require(try connection.receiveBytes())
            #expect(reply.count > 4 << 20)
            #expect(try JSON(parsing: reply)["parameters"]["backlog"].array?.count == 356)
        }
    }

    @Test func `B84: half a message stores nothing, a whole one is stored once, unread`() throws {
        try TestBed.run { bed in
            let daemon = try bed.daemon()
            let connection = try bed.connect()
            // A first change opens what the store needs.
            try connection.add([Scheduler.request("first")], app: "other")
            let descriptors = daemon.openDescriptors
            let half = try RawConnection.call(
                Scheduler.add, Scheduler.adding([Scheduler.request("half")]))
            let whole = try RawConnection.call(
                Scheduler.add, Scheduler.adding([Scheduler.request("whole")]))
            for _ in 0..<20 {
                // The connection closes at the end of each statement.
                try bed.connect().send(Array(half.utf8))
                try bed.connect().send(message: whole)
            }
            #expect(try Deadline.usual.waits { try connection.pending() == ["whole"] })
            #expect(Deadline.usual.waits { daemon.openDescriptors <= descriptors })
            #expect(try connection.pending() == ["whole"])
            #expect(daemon.process.isRunning)
        }
    }

    @Test func `B84: a client that goes during a large reply harms no one`() throws {
        try TestBed.run { bed in
            let daemon = try bed.daemon()
            let connection = try bed.connect()
            let body = String(repeating: "x", count: 16_000)
            try connection.add((0..<50).map { Scheduler.request("r\($0)", body: body) })
            let descriptors = daemon.openDescriptors
            for _ in 0..<20 {
                // Unread data at close is a reset for the other side.
                try bed.connect().send(
                    message: RawConnection.call(Scheduler.listPending, ["app": "app"]))
            }
            #expect(Deadline.usual.waits { daemon.openDescriptors <= descriptors })
            #expect(try connection.pending().count == 50)
            daemon.stop()
        }
    }
}
