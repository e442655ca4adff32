// Imports over the socket: parts that belong together, and those of a refused import that do not.

import Foundation
import Testing

struct ImportTests {
    private static let method = "io.schedd.Manager.Import"

    private static func exported(
        _ identifier: String, app: String = "app", trigger: [String: Any]? = nil
    ) -> [String: Any] {
        var request = Scheduler.request(identifier)
        if let trigger { request["trigger"] = trigger }
        return ["app": app, "request": request]
    }

    /// The text of a call.
    private static func call(_ requests: [Any], moreFollows: Bool = false) throws -> String {
        var parameters: [String: Any] = ["requests": requests]
        if moreFollows { parameters["moreFollows"] = true }
        return try RawConnection.call(method, parameters)
    }

    /// A part of an import that is refused.
    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let error: String
    }

    private static let bad = Result {
        let part = try call([exported("bad")])
        return [
            Refused(
                testDescription: "a number for an app",
                text: try call([["app": 5, "request": Scheduler.request("x")]]),
                error: "org.varlink.service.InvalidParameter"),
            Refused(
                testDescription: "a title that is no text",
                text: part.replacing("Tea", with: #"\ud800"#),
                error: "org.varlink.service.InvalidParameter"),
            Refused(
                testDescription: "an upgrade",
                text: part.replacing(#""method""#, with: #""upgrade":true,"method""#),
                error: "org.varlink.service.MethodNotImplemented"),
            Refused(
                testDescription: "an app that is none",
                text: try call([exported("x", app: "-")]),
                error: "io.schedd.Manager.InvalidRequest"),
        ]
    }

    @Test func `parts are one import`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let connection = try bed.connect()
            for name in ["a", "b"] {
                try connection.send(message: Self.call([Self.exported(name)], moreFollows: true))
                #expect(try connection.receive()?["parameters"]["items"].array?.isEmpty == true)
            }
            #expect(try connection.pending() == [])
            try connection.send(message: Self.call([Self.exported("c")]))
            #expect(try connection.receive()?["parameters"]["items"].array?.count == 3)
            #expect(try connection.pending() == ["a", "b", "c"])
        }
    }

    /// What is wrong with the last of four requests.
    struct Faulty: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let field: String
        let text: String
    }

    private static let faulty = Result {
        let tooLong = String(repeating: "t", count: 1_025)
        let calendar = ["calendar": ["expression": "*-02-30 09:00"]]
        return [
            Faulty(
                testDescription: "an identifier twice", field: "requests[3].request.identifier",
                text: try call([exported("c", app: "other"), exported("a")])),
            Faulty(
                testDescription: "an app", field: "requests[3].app",
                text: try call([exported("c"), exported("d", app: "-")])),
            Faulty(
                testDescription: "a title", field: "requests[3].request.content.title",
                text: try call([
                    exported("c"),
                    ["app": "app", "request": Scheduler.request("d", title: tooLong)],
                ])),
            Faulty(
                testDescription: "a trigger that never fires",
                field: "requests[3].request.trigger.calendar",
                text: try call([exported("c"), exported("d", trigger: calendar)])),
        ]
    }

    @Test func `an error names the place in the whole list, past requests counted`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let connection = try bed.connect()
            let past = Self.exported("past", trigger: ["date": ["atUsec": 1]])
            for fault in try Self.faulty.get() {
                try connection.send(
                    message: Self.call([Self.exported("a"), past], moreFollows: true))
                #expect(try connection.receive()?["error"].string == nil)
                try connection.send(message: fault.text)
                let reply = try #require(try connection.receive())
                #expect(
                    reply["error"].string == "io.schedd.Manager.InvalidRequest",
                    "\(fault.testDescription): \(reply)")
                #expect(reply["parameters"]["field"].string == fault.field)
            }
            #expect(try connection.pending() == [])
        }
    }

    @Test func `requests of one instant fire in the order of the list`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let connection = try bed.connect()
            let instant = Int((Date().timeIntervalSince1970 + 1) * 1_000_000)
            let names = [("first", "zeta"), ("second", "alpha"), ("third", "zeta")]
            let requests = names.map { name, app in
                Self.exported(name, app: app, trigger: ["date": ["atUsec": instant]])
            }
            try connection.send(message: Self.call(requests))
            let items = try connection.receive()?["parameters"]["items"].array
            #expect(items?.map { $0["identifier"].string } == ["first", "second", "third"])
            let method = "io.schedd.Manager.ListDelivered"
            let isDelivered = try Deadline.usual.waits {
                try connection.call(method)["parameters"]["delivered"].array?.count == 3
            }
            #expect(isDelivered)
            let delivered = try connection.call(method)["parameters"]["delivered"].array ?? []
            let order = delivered.sorted {
                ($0["delivery"].int ?? 0) < ($1["delivery"].int ?? 0)
            }
            #expect(order.map { $0["identifier"].string } == ["first", "second", "third"])
        }
    }

    @Test func `more than 64 MiB are refused, and none of it is kept`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let connection = try bed.connect()
            let text = try Self.call([Self.exported("x")], moreFollows: true)
            let padding = String(repeating: " ", count: (1 << 20) - text.utf8.count)
            let part = RawConnection.frame(text.dropLast() + padding + "}")
            for _ in 0..<64 {
                try connection.send(part)
                #expect(try connection.receive()?["error"].string == nil)
            }
            try connection.send(part)
            let reply = try connection.receive()
            #expect(reply?["error"].string == "io.schedd.Manager.InvalidRequest")
            #expect(reply?["parameters"]["field"].string == "requests")
            let reason = reply?["parameters"]["reason"].string
            #expect(reason == "has 68157440 bytes, the limit is 67108864")
            try connection.send(message: Self.call([Self.exported("y")]))
            #expect(try connection.receive()?["parameters"]["items"].array?.count == 1)
        }
    }

    @Test func `parts of a refused import are not added with the next one`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let connection = try bed.connect()
            for (index, refused) in try Self.bad.get().enumerated() {
                try connection.send(message: Self.call([Self.exported("old")], moreFollows: true))
                #expect(try connection.receive()?["error"].string == nil)
                try connection.send(message: refused.text)
                #expect(
                    try connection.receive()?["error"].string == refused.error,
                    "\(refused.testDescription)")
                let next = Self.exported("next", app: "app\(index)")
                try connection.send(message: Self.call([next]))
                #expect(
                    try connection.receive()?["parameters"]["items"].array?.count == 1,
                    "after \(refused.testDescription)")
            }
            #expect(try connection.pending() == [])
        }
    }
}
