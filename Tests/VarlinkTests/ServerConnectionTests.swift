// The service's side of a connection, driven by calls alone: order, limits and ends.

import TestSupport
import Testing
import Varlink

@Suite struct ServerConnectionTests {
    @Test func `a call is handed out and its reply sent without whitespace`() throws {
        var connection = ServerConnection()
        connection.receive(
            wire(#"{"method": "a.b.C", "more": false, "parameters": {"ping": "\u00e9"}}"#))
        let calls = connection.calls()
        #expect(calls.map(\.method) == ["a.b.C"])
        let call = try #require(calls.first)
        #expect(call.mode == .single)
        #expect(try call.payload.decode([String: String].self) == ["ping": "é"])
        connection.reply(to: call.id, .reply(["pong": "é"]))
        #expect(connection.written() == [#"{"parameters":{"pong":"é"}}"#])
    }

    @Test func `replies leave in the order of their calls`() {
        var connection = ServerConnection()
        for number in 0..<3 { connection.receive(wire(#"{"method":"a.b.M\#(number)"}"#)) }
        let calls = connection.calls()
        #expect(calls.map(\.method) == ["a.b.M0", "a.b.M1", "a.b.M2"])
        connection.reply(to: calls[2].id, .reply(["n": 2]))
        connection.reply(to: calls[1].id, .failure(.permissionDenied))
        #expect(connection.written() == [])
        connection.reply(to: calls[0].id, .reply(NoParameters()))
        #expect(
            connection.written() == [
                "{}", #"{"error":"org.varlink.service.PermissionDenied"}"#,
                #"{"parameters":{"n":2}}"#,
            ])
    }
}
