// What a broken or hostile client may send over the raw socket. Each gets what the specification
// says, an answer or a closed connection, and another client never notices.

import Glibc
import Testing

struct BadInputTests {
    /// Input after which the connection is closed, without an answer.
    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]

        init(_ name: String, _ text: String) {
            testDescription = name
            bytes = RawConnection.frame(text)
        }

        init(_ name: String, bytes: [UInt8]) {
            testDescription = name
            self.bytes = bytes
        }
    }

    static let refused: [Refused] = [
        Refused("no JSON", "hello"),
        Refused("an empty message", ""),
        Refused("cut JSON", #"{"method":"io.schedd.Manager.GetStatus""#),
        Refused("two values", #"{"method":"io.schedd.Manager.GetStatus"}{}"#),
        Refused("an array", #"["io.schedd.Manager.GetStatus"]"#),
        Refused("no method", #"{"parameters":{}}"#),
        Refused("a method that is a number", #"{"method":1}"#),
        Refused("an unknown member", #"{"method":"io.schedd.Manager.GetStatus","id":1}"#),
        Refused("more that is no bool", #"{"method":"io.schedd.Manager.GetStatus","more":1}"#),
        Refused(
            "more and oneway",
            #"{"method":"io.schedd.Manager.GetStatus","more":true,"oneway":true}"#),
        Refused("bytes that are no UTF-8", bytes: Array("{\"method\":\"".utf8) + [0xFF, 0xFE, 0]),
        Refused(
            "B86: a nesting of 100000",
            #"{"method":"io.schedd.Manager.GetStatus","parameters":{"a":"#
                + String(repeating: "[", count: 100_000)),
        Refused(
            "B86: a number of 10000 digits",
            #"{"method":"io.schedd.Manager.GetStatus","parameters":{"a":"#
                + String(repeating: "9", count: 10_000) + "}}"),
        Refused("2 MiB without a NUL", bytes: [UInt8](repeating: 0x20, count: 2 << 20)),
    ]

    @Test(arguments: refused)
    func `what is no call closes the connection, and only that one`(_ input: Refused) throws {
        try TestBed.run { bed in
            let daemon = try bed.daemon()
            let other = try bed.connect()
            try other.add([Scheduler.request("kept")])
            let bad = try bed.connect()
            _ = try bad.sendIgnoringHangUp(input.bytes)
            #expect(try bad.isClosed())
            #expect(try other.pending() == ["kept"])
            #expect(try bed.connect().pending() == ["kept"])
            daemon.stop()
        }
    }

    /// A call that is answered with an error; the connection goes on.
    struct Answered: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let error: String
        let parameter: (name: String, value: String)

        init(_ name: String, _ text: String, _ error: String, _ field: String, _ value: String) {
            testDescription = name
            self.text = text
            self.error = "org.varlink.service." + error
            parameter = (field, value)
        }
    }

    static let answered: [Answered] = [
        Answered(
            "an unknown method", #"{"method":"io.schedd.Scheduler.Explode"}"#,
            "MethodNotFound", "method", "io.schedd.Scheduler.Explode"),
        Answered(
            "an unknown interface", #"{"method":"org.example.Nothing.Do"}"#,
            "InterfaceNotFound", "interface", "org.example.Nothing"),
        Answered(
            "a number for a string",
            #"{"method":"io.schedd.Scheduler.ListPending","parameters":{"app":7}}"#,
            "InvalidParameter", "parameter", "app"),
        Answered(
            "a missing parameter", #"{"method":"io.schedd.Scheduler.ListPending"}"#,
            "InvalidParameter", "parameter", "app"),
        Answered(
            "a string for a list",
            #"{"method":"io.schedd.Scheduler.Add","parameters":{"app":"a","requests":"x"}}"#,
            "InvalidParameter", "parameter", "requests"),
        Answered(
            "an unknown parameter",
            #"{"method":"io.schedd.Scheduler.ListPending","parameters":{"app":"a","colour":1}}"#,
            "InvalidParameter", "parameter", "colour"),
    ]

    @Test(arguments: answered)
    func `a wrong call is answered with an error that names the fault`(_ call: Answered) throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let connection = try bed.connect()
            try connection.send(message: call.text)
            let reply = try connection.receive()
            #expect(reply?["error"].string == call.error, "\(String(describing: reply))")
            #expect(reply?["parameters"][call.parameter.name].string == call.parameter.value)
            #expect(try connection.pending() == [])
        }
    }

    @Test func `a subscription without more is answered with ExpectedMore`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let reply = try bed.connect().call(Scheduler.subscribe, ["app": "app"])
            #expect(reply["error"].string == "org.varlink.service.ExpectedMore")
        }
    }

    @Test func `a oneway call has no answer, not even an error`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let connection = try bed.connect()
            let requests = [Scheduler.request("quiet")]
            var text = try RawConnection.call(Scheduler.add, Scheduler.adding(requests))
            text = text.replacing(#""method""#, with: #""oneway":true,"method""#)
            try connection.send(message: text)
            try connection.send(message: #"{"method":"no.such.Method","oneway":true}"#)
            #expect(try connection.pending() == ["quiet"])
        }
    }

    @Test func `B86: 64 MiB without a NUL are cut at the limit in bounded memory`() throws {
        try TestBed.run { bed in
            let daemon = try bed.daemon()
            let other = try bed.connect()
            try other.add([Scheduler.request("kept")])
            let before = try daemon.memory("VmHWM")
            let bad = try bed.connect()
            let block = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
            var count = 0
            while count < 64, try bad.sendIgnoringHangUp(block) { count += 1 }
            #expect(count < 64)
            #expect(try bad.isClosed())
            #expect(try daemon.memory("VmHWM") - before < 16 << 10)
            #expect(try other.pending() == ["kept"])
        }
    }

    @Test func `the connection over the limit of 64 is closed, the others go on`() throws {
        try TestBed.run { bed in
            let daemon = try bed.daemon()
            try bed.connect().add([Scheduler.request("first")], app: "other")
            let descriptors = daemon.openDescriptors
            var connections = try (0..<64).map { _ in try bed.connect() }
            for connection in connections { #expect(try connection.pending() == []) }
            #expect(try bed.connect().isClosed())
            try connections[0].add([Scheduler.request("x")])
            for connection in connections { #expect(try connection.pending() == ["x"]) }

            connections.removeLast()
            let freed = Deadline.usual.waits { (try? bed.connect().pending()) == ["x"] }
            #expect(freed, "a closed connection makes room")
            connections = []
            #expect(Deadline.usual.waits { daemon.openDescriptors <= descriptors })
        }
    }
}
