// The client's side of a connection, alone and against our own service's side.

import TestSupport
import Testing
import Varlink

@Suite struct ClientConnectionTests {
    private func events(_ connection: inout ClientConnection) -> [ClientConnection.Event] {
        var events: [ClientConnection.Event] = []
        while let event = connection.nextEvent() { events.append(event) }
        return events
    }

    private func closeReason(
        _ connection: inout ClientConnection
    ) -> ClientConnection.CloseReason? {
        for case .closed(let reason) in events(&connection) { return reason }
        return nil
    }

    @Test func `calls are spelled without whitespace and without what is not needed`() {
        var connection = ClientConnection()
        connection.send(Add.self, .init(app: "x", requests: [Request(identifier: "a")]))
        connection.send(Watch.self, NoParameters(), mode: .more)
        connection.send(method: "a.b.C", parameters: NoParameters(), mode: .oneway)
        #expect(
            messages(connection.pendingOutput) == [
                #"{"method":"io.example.Test.Add","parameters":"#
                    + #"{"app":"x","requests":[{"identifier":"a"}]}}"#,
                #"{"method":"io.example.Test.Watch","more":true}"#,
                #"{"method":"a.b.C","oneway":true}"#,
            ])
    }

    @Test func `replies are matched by order and unknown members passed over`() throws {
        var connection = ClientConnection()
        let add = connection.send(Add.self, .init(app: "x", requests: []))
        connection.send(Watch.self, NoParameters(), mode: .oneway)
        let watch = connection.send(Watch.self, NoParameters(), mode: .more)
        for byte in wire(#"{"parameters":{"next":[1,null],"new":{"x":1}}}"#)
            + wire(#"{"parameters":{"event":1},"continues":true}"#) + wire("{}")
        {
            connection.receive([byte])
        }
        let events = events(&connection)
        guard events.count == 3, case .reply(add, let first, isLast: true) = events[0],
            case .reply(watch, let second, isLast: false) = events[1],
            case .reply(watch, let third, isLast: true) = events[2]
        else {
            Issue.record("\(events)")
            return
        }
        #expect(try first.reply(of: Add.self) == .init(next: [1, nil]))
        #expect(try second.reply(of: Watch.self) == .init(event: 1))
        #expect(try third.reply(of: Watch.self) == .init(event: nil))
        #expect(throws: ProtocolViolation.invalidReply("next")) {
            try second.reply(of: Add.self)
        }
        #expect(!connection.isWaiting)
    }

    @Test func `errors keep their name and parameters`() throws {
        var connection = ClientConnection()
        for _ in 0..<3 { connection.send(Add.self, .init(app: "x", requests: [])) }
        connection.receive(
            wire(#"{"error":"io.example.Test.QueueFull","parameters":{"limit":64,"x":1}}"#)
                + wire(#"{"error":"org.varlink.service.ExpectedMore"}"#)
                + wire(#"{"error":"other.Error","parameters":{"big":18446744073709551615}}"#))
        let errors = events(&connection).compactMap { event -> ErrorReply? in
            guard case .failure(_, let error) = event else { return nil }
            return error
        }
        #expect(errors.count == 3)
        #expect(errors[0].decode(as: QueueFull.self) == QueueFull(limit: 64))
        #expect(errors[0].parameters == .object(["limit": .int(64), "x": .int(1)]))
        #expect(errors[0].serviceError == nil)
        #expect(errors[1].serviceError == .expectedMore)
        #expect(errors[1].decode(as: QueueFull.self) == nil)
        #expect(errors[2].name == "other.Error")
        #expect(errors[2].parameters == .null)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let mode: CallMode
        let message: String
        let violation: ProtocolViolation
        var testDescription: String { "\(mode): \(message)" }

        init(_ mode: CallMode, _ message: String, _ violation: ProtocolViolation) {
            self.mode = mode
            self.message = message
            self.violation = violation
        }
    }

    @Test(arguments: [
        Row(.single, #"{"continues":true}"#, .unexpectedContinuation),
        Row(.more, #"{"continues":true,"error":"a.b.C"}"#, .unexpectedContinuation),
        Row(.oneway, "{}", .unexpectedReply),
        Row(.single, #"{"continues":1}"#, .invalidMember("continues")),
        Row(.single, #"{"error":1}"#, .invalidMember("error")),
        Row(.single, #"{"error":null}"#, .invalidMember("error")),
        Row(.single, #"{"parameters":[]}"#, .invalidMember("parameters")),
        Row(.single, #"{"method":"a.b.C"}"#, .unknownMember("method")),
        Row(.single, #"{"parameters":{},"parameters":{}}"#, .duplicateMember("parameters")),
        Row(.single, #"{"parameters":{"a":["\ud800"]}}"#, .invalidReply("a[0]")),
        Row(.single, "[]", .notAnObject),
        Row(.single, "{", .malformed(.truncated)),
    ])
    func `a service that breaks the protocol is left`(row: Row) {
        var connection = ClientConnection()
        connection.send(method: "a.b.C", parameters: NoParameters(), mode: row.mode)
        connection.receive(wire(row.message))
        #expect(closeReason(&connection) == .violation(row.violation))
        connection.receive(wire("{}"))
        #expect(events(&connection).isEmpty)
    }

    @Test func `a reply too many, an endless reply and an end are told apart`() {
        var tooMany = ClientConnection()
        tooMany.send(Watch.self, NoParameters())
        tooMany.receive(wire("{}") + wire("{}"))
        #expect(closeReason(&tooMany) == .violation(.unexpectedReply))

        var endless = ClientConnection(replyLimitBytes: 1000)
        endless.send(Watch.self, NoParameters())
        endless.receive([UInt8](repeating: 0x20, count: 1001))
        #expect(closeReason(&endless) == .violation(.messageTooLong(limitBytes: 1000)))

        var cut = ClientConnection()
        cut.send(Watch.self, NoParameters())
        cut.receive(Array("{".utf8))
        cut.inputEnded()
        #expect(closeReason(&cut) == .violation(.endedInsideMessage))

        var ended = ClientConnection()
        ended.send(Watch.self, NoParameters())
        ended.receive(wire("{}"))
        ended.inputEnded()
        #expect(closeReason(&ended) == .peerClosed)
    }

    @Test(arguments: UInt64(0)..<8)
    func `our client and our service understand each other`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var client = ClientConnection()
        var server = ServerConnection()
        var expected: [CallID: [Int64?]] = [:]
        var received: [CallID: [Int64?]] = [:]
        var open: [(call: Call, next: [Int64?])] = []
        var unsent = 150
        while unsent > 0 || client.isWaiting {
            if unsent > 0 {
                unsent -= 1
                let next = (0..<Int.random(in: 0..<4, using: &random)).map { number in
                    Bool.random(using: &random) ? Int64(number) : nil
                }
                let requests = next.map { usec in
                    Request(identifier: "é", trigger: Trigger(kind: .date, atUsec: usec))
                }
                expected[client.send(Add.self, .init(app: "x", requests: requests))] = next
            }
            let sent = client.pendingOutput.prefix(Int.random(in: 0...500, using: &random))
            if server.wantsRead {
                server.receive(sent)
                client.outputWritten(sent.count)
            }
            for call in server.calls() {
                let requests = try call.parameters(of: Add.self).requests
                open.append((call, requests.map { $0.trigger?.atUsec }))
            }
            if !open.isEmpty {
                let (call, next) = open.remove(at: Int.random(in: 0..<open.count, using: &random))
                server.reply(to: call.id, .reply(Add.Reply(next: next)))
            }
            let back = server.pendingOutput.prefix(Int.random(in: 0...500, using: &random))
            client.receive(back)
            server.outputWritten(back.count)
            for event in events(&client) {
                guard case .reply(let id, let payload, isLast: true) = event else {
                    Issue.record("\(event)")
                    return
                }
                received[id] = try payload.reply(of: Add.self).next
            }
        }
        #expect(received == expected)
    }
}
