// Parameters: what is wrong in them is answered with the path, and the connection goes on.

import TestSupport
import Testing
import Varlink

@Suite struct PayloadTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let parameters: [UInt8]
        let path: String
        var testDescription: String { "\(text(parameters)) -> \(path)" }

        init(_ parameters: String, _ path: String) {
            self.init(Array(parameters.utf8), path)
        }

        init(_ parameters: [UInt8], _ path: String) {
            self.parameters = parameters
            self.path = path
        }
    }

    private static let wrong = [
        Row(#"{}"#, "app"),
        Row(#"{"app":"x"}"#, "requests"),
        Row(#"{"app":null,"requests":[]}"#, "app"),
        Row(#"{"app":1,"requests":[]}"#, "app"),
        Row(#"{"app":"x","requests":{}}"#, "requests"),
        Row(#"{"app":"x","requests":[],"color":1}"#, "color"),
        Row(#"{"app":"x","requests":[],"app":"x"}"#, "app"),
        Row(#"{"app":"x","requests":[],"\u0061pp":"x"}"#, "app"),
        Row(#"{"app":"x","requests":[{}]}"#, "requests[0].identifier"),
        Row(#"{"app":"x","requests":[{"identifier":"a"},7]}"#, "requests[1]"),
        Row(#"{"app":"x","requests":[{"identifier":"a"},null]}"#, "requests[1]"),
        Row(#"{"app":"x","requests":[{"identifier":"a","x":{"y":[]}}]}"#, "requests[0].x"),
        Row(
            #"{"app":"x","requests":[{"identifier":"a","trigger":{"kind":"date","colour":1}}]}"#,
            "requests[0].trigger.colour"),
        Row(
            #"{"app":"x","requests":[{"identifier":"a","trigger":{}}]}"#,
            "requests[0].trigger.kind"),
        Row(
            #"{"app":"x","requests":[{"identifier":"a","trigger":{"kind":"moon"}}]}"#,
            "requests[0].trigger.kind"),
        Row(trigger(#""atUsec":1.0"#), "requests[0].trigger.atUsec"),
        Row(trigger(#""atUsec":1e3"#), "requests[0].trigger.atUsec"),
        Row(trigger(#""atUsec":"1""#), "requests[0].trigger.atUsec"),
        Row(trigger(#""atUsec":true"#), "requests[0].trigger.atUsec"),
        Row(trigger(#""atUsec":9223372036854775808"#), "requests[0].trigger.atUsec"),
        Row(trigger(#""atUsec":-9223372036854775809"#), "requests[0].trigger.atUsec"),
        Row(trigger(#""atUsec":99999999999999999999"#), "requests[0].trigger.atUsec"),
        Row(trigger(#""hour":[1,2,"3"]"#), "requests[0].trigger.hour[2]"),
        Row(trigger(#""hour":[1,null]"#), "requests[0].trigger.hour[1]"),
        Row(trigger(#""hour":3"#), "requests[0].trigger.hour"),
        Row(
            #"{"app":"x","requests":[{"identifier":"a","urgent":0}]}"#, "requests[0].urgent"),
        Row(userInfo(#"{"a":{"b":1,"b":2}}"#), "requests[0].userInfo.a.b"),
        Row(userInfo("[1,1e999]"), "requests[0].userInfo[1]"),
        Row(userInfo("18446744073709551615"), "requests[0].userInfo"),
        Row(title(#"\u0000"#), "requests[0].title"),
        Row(title(#"\ud800"#), "requests[0].title"),
        Row(title(#"\udc00"#), "requests[0].title"),
        Row(title(#"\ud83d\ud83d"#), "requests[0].title"),
        Row(title(#"\ud83d\u0041"#), "requests[0].title"),
        Row(title(#"\udf89\ud83c"#), "requests[0].title"),
        Row(title([0xFF]), "requests[0].title"),
        Row(title([0x80]), "requests[0].title"),
        Row(title([0xC0, 0x80]), "requests[0].title"),
        Row(title([0xC3]), "requests[0].title"),
        Row(title([0xE0, 0x9F, 0xBF]), "requests[0].title"),
        Row(title([0xED, 0xA0, 0x80]), "requests[0].title"),
        Row(title([0xF0, 0x8F, 0xBF, 0xBF]), "requests[0].title"),
        Row(title([0xF0, 0x9F, 0x8E]), "requests[0].title"),
        Row(title([0xF4, 0x90, 0x80, 0x80]), "requests[0].title"),
        Row(title([0xF5, 0x80, 0x80, 0x80]), "requests[0].title"),
        Row(userInfo(#"{"a":["\u0000"]}"#), "requests[0].userInfo.a[0]"),
        Row(userInfo(#"{"a":1,"b\ud800":2}"#), "requests[0].userInfo"),
        Row(#"{"app":"x","requests":[],"\u0000":1}"#, "parameters"),
    ]

    private static func trigger(_ member: String) -> String {
        #"{"app":"x","requests":[{"identifier":"a","trigger":{"kind":"date",\#(member)}}]}"#
    }

    private static func userInfo(_ value: String) -> String {
        #"{"app":"x","requests":[{"identifier":"a","userInfo":\#(value)}]}"#
    }

    private static func title(_ text: String) -> String {
        #"{"app":"x","requests":[{"identifier":"a","title":"\#(text)"}]}"#
    }

    private static func title(_ text: [UInt8]) -> [UInt8] {
        Array(#"{"app":"x","requests":[{"identifier":"a","title":"a"#.utf8) + text
            + Array(#"z"}]}"#.utf8)
    }

    /// Sends the parameters as a service sees them, answering as one does.
    private func answer(_ parameters: [UInt8]) throws -> (Add.Parameters?, [String]) {
        var connection = ServerConnection()
        let head = Array(#"{"method":"io.example.Test.Add","parameters":"#.utf8)
        connection.receive(head + parameters + [UInt8(ascii: "}"), 0])
        var received: Add.Parameters?
        for call in connection.calls() {
            do {
                received = try call.parameters(of: Add.self)
                connection.reply(to: call.id, .reply(NoParameters()))
            } catch {
                connection.reply(to: call.id, .failure(error))
            }
        }
        let replies = connection.written()
        // Whatever was wrong, the next call is answered.
        connection.receive(wire(#"{"method":"a.b.C"}"#))
        #expect(connection.calls().count == 1)
        return (received, replies)
    }

    @Test(arguments: wrong)
    func `B76: a wrong parameter is named and the connection stays`(row: Row) throws {
        let (received, replies) = try answer(row.parameters)
        #expect(received == nil)
        let error = #"{"error":"org.varlink.service.InvalidParameter","#
        #expect(replies == [error + #""parameters":{"parameter":"\#(row.path)"}}"#])
    }

    @Test func `all kinds of values arrive`() throws {
        let (received, _) = try answer(
            Array(
                #"""
                { "requests": [ {"identifier":"a", "title":"\"\\\/\b\f\n\r\t\u00e9\ud83c\uDF89é🎉",
                 "urgent":true, "trigger":{"kind":"calendar","hour":[-1,0,23], "atUsec":null},
                 "userInfo":{"n":null,"t":true,"f":false,"i":-9223372036854775808,"d":-1.5e3,
                 "s":"","a":[[],{}]}}, {"identifier":""} ], "app":"x" }
                """#.utf8))
        let userInfo: [String: JSONValue] = [
            "n": .null, "t": .bool(true), "f": .bool(false), "i": .int(.min),
            "d": .double(-1500), "s": .string(""), "a": .array([.array([]), .object([:])]),
        ]
        let first = Request(
            identifier: "a", title: "\"\\/\u{8}\u{C}\n\r\té🎉é🎉", urgent: true,
            trigger: Trigger(kind: .calendar, atUsec: nil, hour: [-1, 0, 23]),
            userInfo: .object(userInfo))
        #expect(
            received == Add.Parameters(app: "x", requests: [first, Request(identifier: "")]))
    }

    @Test func `members beyond the small ones are found and told apart`() throws {
        let members = (0..<40).map { #""key\#($0)":\#($0)"# }
        let whole = try JSONValue(jsonText: "{\(members.joined(separator: ","))}")
        guard case .object(let object) = whole else { return }
        #expect(object.count == 40)
        #expect(object["key39"] == .int(39))
        var connection = ServerConnection()
        let twice = (members + [members[3]]).joined(separator: ",")
        connection.receive(wire(#"{"method":"a.b.C","parameters":{\#(twice)}}"#))
        let call = try #require(connection.calls().first)
        #expect(throws: ServiceError.invalidParameter("key3")) {
            try call.payload.decode(JSONValue.self)
        }
    }

    @Test func `a call that must ask for more is told so`() throws {
        var connection = ServerConnection()
        connection.receive(wire(#"{"method":"io.example.Test.Watch"}"#))
        let call = try #require(connection.calls().first)
        #expect(throws: ServiceError.expectedMore) { try call.parameters(of: Watch.self) }
    }
}
