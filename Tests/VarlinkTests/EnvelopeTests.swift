// What a client may say around the parameters, and how each offence ends the connection.

import TestSupport
import Testing
import Varlink

@Suite struct EnvelopeTests {
    struct Refused: CustomTestStringConvertible, Sendable {
        let message: String
        let reason: ProtocolViolation
        var testDescription: String { message }

        init(_ message: String, _ reason: ProtocolViolation) {
            self.message = message
            self.reason = reason
        }
    }

    private static let refused = [
        Refused("", .malformed(.truncated)),
        Refused("{", .malformed(.truncated)),
        Refused("nonsense", .malformed(.unexpectedByte(UInt8(ascii: "o"), offset: 1))),
        Refused("[]", .notAnObject),
        Refused("7", .notAnObject),
        Refused(#""a.b.C""#, .notAnObject),
        Refused("null", .notAnObject),
        Refused("{}", .missingMethod),
        Refused(#"{"parameters":{}}"#, .missingMethod),
        Refused(#"{"method":null}"#, .invalidMember("method")),
        Refused(#"{"method":7}"#, .invalidMember("method")),
        Refused(#"{"method":["a.b.C"]}"#, .invalidMember("method")),
        Refused(#"{"method":"a.b.C","parameters":[]}"#, .invalidMember("parameters")),
        Refused(#"{"method":"a.b.C","parameters":"x"}"#, .invalidMember("parameters")),
        Refused(#"{"method":"a.b.C","parameters":false}"#, .invalidMember("parameters")),
        Refused(#"{"method":"a.b.C","more":null}"#, .invalidMember("more")),
        Refused(#"{"method":"a.b.C","more":1}"#, .invalidMember("more")),
        Refused(#"{"method":"a.b.C","oneway":"true"}"#, .invalidMember("oneway")),
        Refused(#"{"method":"a.b.C","upgrade":{}}"#, .invalidMember("upgrade")),
        Refused(#"{"method":"a.b.C","more":true,"oneway":true}"#, .conflictingFlags),
        Refused(#"{"method":"a.b.C","more":true,"upgrade":true}"#, .conflictingFlags),
        Refused(#"{"method":"a.b.C","oneway":true,"upgrade":true}"#, .conflictingFlags),
        Refused(#"{"method":"a.b.C","id":1}"#, .unknownMember("id")),
        Refused(#"{"method":"a.b.C","error":"a.b.D"}"#, .unknownMember("error")),
        Refused(#"{"method":"a.b.C","continues":true}"#, .unknownMember("continues")),
        Refused(#"{"method":"a.b.C","":true}"#, .unknownMember("")),
        Refused(#"{"method":"a.b.C","method":"a.b.C"}"#, .duplicateMember("method")),
        Refused(#"{"method":"a.b.C","m\u0065thod":"a.b.C"}"#, .duplicateMember("method")),
        Refused(#"{"method":"a.b.\ud800"}"#, .notText),
        Refused(#"{"method":"a.b.C","\ud800.x":1}"#, .notText),
        Refused(#"{"method":"a.b.C","org.x":"\u0000"}"#, .notText),
        Refused(#"{"method":"a.b.C"}{"#, .malformed(.trailingBytes(offset: 18))),
        Refused(#"{"method":"a.b.C",}"#, .malformed(.unexpectedByte(0x7D, offset: 18))),
    ]

    @Test(arguments: refused)
    func `an offence against the envelope closes`(row: Refused) {
        var connection = ServerConnection()
        connection.receive(wire(row.message))
        #expect(connection.closeReason() == .violation(row.reason))
        #expect(connection.written() == [])
        #expect(!connection.wantsRead)
        connection.receive(wire(#"{"method":"a.b.C"}"#))
        #expect(connection.events().isEmpty)
    }

    struct Accepted: CustomTestStringConvertible, Sendable {
        let message: String
        let mode: CallMode
        var testDescription: String { message }

        init(_ message: String, _ mode: CallMode = .single) {
            self.message = message
            self.mode = mode
        }
    }

    private static let accepted = [
        Accepted(#"{"method":"a.b.C"}"#),
        Accepted(#" { "method" : "a.b.C" } "#),
        Accepted("\n{\t\"method\":\r\"a.b.C\"}\n"),
        Accepted(#"{"m\u0065thod":"a.b.\u0043"}"#),
        Accepted(#"{"method":"a.b.C","parameters":{}}"#),
        Accepted(#"{"method":"a.b.C","parameters":null}"#),
        Accepted(#"{"parameters":{},"method":"a.b.C"}"#),
        Accepted(#"{"method":"a.b.C","more":false,"oneway":false,"upgrade":false}"#),
        Accepted(#"{"method":"a.b.C","more":true,"oneway":false}"#, .more),
        Accepted(#"{"method":"a.b.C","parameters":{},"more":true}"#, .more),
        Accepted(#"{"method":"a.b.C","oneway":true}"#, .oneway),
        Accepted(#"{"method":"a.b.C","org.example":{"x":[1,{"y":null}]}}"#),
        Accepted(#"{"org.example":1,"method":"a.b.C","org.example.two":[]}"#),
    ]

    @Test(arguments: accepted)
    func `what the specification allows is a call without parameters`(row: Accepted) throws {
        var connection = ServerConnection()
        connection.receive(wire(row.message))
        let events = connection.events()
        guard case .call(let call) = try #require(events.first), events.count == 1 else {
            Issue.record("not a call: \(events)")
            return
        }
        #expect(call.method == "a.b.C")
        #expect(call.mode == row.mode)
        #expect(throws: Never.self) { try call.payload.decode(NoParameters.self) }
    }

    @Test func `B86: 100000 open arrays are refused at the depth limit`() {
        let deep = #"{"method":"a.b.C","parameters":{"x":"# + String(repeating: "[", count: 100_000)
        var connection = ServerConnection()
        connection.receive(wire(deep))
        // 36 bytes and two containers come before the first of the arrays.
        #expect(connection.closeReason() == .violation(.malformed(.tooDeep(offset: 36 + 62))))
    }

    @Test(arguments: [(62, true), (63, false)])
    func `nesting of 64 passes and of 65 does not`(arrays: Int, passes: Bool) {
        let open = String(repeating: "[", count: arrays)
        let close = String(repeating: "]", count: arrays)
        var connection = ServerConnection()
        connection.receive(wire(#"{"method":"a.b.C","parameters":{"x":\#(open)\#(close)}}"#))
        #expect(connection.calls().count == (passes ? 1 : 0))
    }

    @Test(arguments: ["", "-", "0.", "1e"])
    func `B86: a number of 10000 digits is refused`(prefix: String) {
        let number = prefix + String(repeating: "1", count: 10_000)
        var connection = ServerConnection()
        connection.receive(wire(#"{"method":"a.b.C","parameters":{"x":\#(number)}}"#))
        #expect(
            connection.closeReason() == .violation(.malformed(.numberTooLong(offset: 36))))
    }

    @Test func `B86: an endless message closes with its limit`() {
        var connection = ServerConnection()
        var pieces = 0
        while connection.wantsRead, pieces < 1024 {
            connection.receive([UInt8](repeating: UInt8(ascii: " "), count: 64 << 10))
            pieces += 1
            if let reason = connection.closeReason() {
                #expect(reason == .violation(.messageTooLong(limitBytes: 1 << 20)))
            }
        }
        #expect(pieces == 17)
    }
}
