// The service's side of a connection, driven by calls alone: order, limits and ends.

import TestSupport
import Testing
import Varlink

@Suite struct ServerConnectionTests {
    private func call(_ number: Int, _ flags: String = "") -> [UInt8] {
        wire(#"{"method":"a.b.M\#(number)"\#(flags)}"#)
    }

    private func reply(_ number: Int) -> String { #"{"parameters":{"n":\#(number)}}"# }

    @Test func `PyPI's spelling of a call is understood, and ours has no whitespace`() throws {
        var connection = ServerConnection()
        connection.receive(
            wire(#"{"method": "a.b.C", "more": false, "parameters": {"ping": "\u00e9"}}"#))
        let call = try #require(connection.calls().first)
        #expect(call.mode == .single)
        #expect(try call.payload.decode(JSONValue.self) == .object(["ping": .string("é")]))
        connection.reply(to: call.id, .reply(["pong": "é"]))
        #expect(connection.written() == [#"{"parameters":{"pong":"é"}}"#])
    }

    @Test func `B81: nothing is parsed early when bytes come one by one`() {
        var connection = ServerConnection()
        let bytes = call(0) + call(1)
        for byte in bytes.dropLast() { connection.receive([byte]) }
        #expect(connection.calls().map(\.method) == ["a.b.M0"])
        connection.receive([0])
        #expect(connection.calls().map(\.method) == ["a.b.M1"])
    }

    @Test func `B81: 50 calls in one write are answered in order`() {
        var connection = ServerConnection()
        connection.receive((0..<50).map { call($0) }.joined())
        let calls = connection.calls()
        #expect(calls.map(\.method) == (0..<50).map { "a.b.M\($0)" })
        for (number, call) in calls.enumerated().reversed() {
            connection.reply(to: call.id, .reply(["n": number]))
        }
        #expect(connection.written() == (0..<50).map(reply))
    }

    /// Single, oneway and more calls, completed in random order, against the list that they
    /// should give.
    @Test(arguments: UInt64(0)..<32)
    func `replies leave in the order of calls whatever order they are made in`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var connection = ServerConnection()
        var expected: [String] = []
        var input: [UInt8] = []
        for number in 0..<100 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: input += call(number, #","oneway":true"#)
            case 1:
                input += call(number, #","more":true"#)
                expected += [#"{"parameters":{"n":\#(number)},"continues":true}"#, reply(number)]
            case 2:
                input += call(number, #","upgrade":true"#)
                expected.append(
                    #"{"error":"org.varlink.service.MethodNotImplemented","#
                        + #""parameters":{"method":"a.b.M\#(number)"}}"#)
            default:
                input += call(number)
                expected.append(reply(number))
            }
        }
        var written: [String] = []
        var open: [Call] = []
        while !input.isEmpty || !open.isEmpty {
            if connection.wantsRead, !input.isEmpty {
                let count = min(input.count, Int.random(in: 1...400, using: &random))
                connection.receive(input.prefix(count))
                input.removeFirst(count)
            }
            open += connection.calls()
            #expect(open.count { $0.mode == .more } <= 1)
            if let call = open.randomElement(using: &random) {
                open.removeAll { $0.id == call.id }
                let number = Int(call.method.dropFirst(5)) ?? -1
                if call.mode == .more { connection.reply(to: call.id, .update(["n": number])) }
                let isSent = connection.reply(to: call.id, .reply(["n": number]))
                let isSentAgain = connection.reply(to: call.id, .reply(["n": -1]))
                #expect(isSent && !isSentAgain)
                open += connection.calls()
            }
            if Bool.random(using: &random) { written += connection.written() }
        }
        written += connection.written()
        #expect(written == expected)
        #expect(connection.pendingOutputBytes == 0)
    }

    @Test(arguments: [#","upgrade":true"#, #","parameters":{"a":"\ud800"}"#])
    func `a call that is refused here is told of in its place`(_ flags: String) {
        var connection = ServerConnection()
        connection.receive(call(0) + call(1, flags) + call(2))
        let methods = connection.events().map { event in
            switch event {
            case .call(let call): call.method
            case .refused(let method): "refused \(method)"
            case .abandoned, .close: "an end"
            }
        }
        #expect(methods == ["a.b.M0", "refused a.b.M1", "a.b.M2"])
    }

    @Test func `what follows a more call waits until it is over`() throws {
        var connection = ServerConnection()
        connection.receive(call(0) + call(1, #","more":true"#) + call(2))
        let calls = connection.calls()
        #expect(calls.map(\.method) == ["a.b.M0", "a.b.M1"])
        connection.reply(to: calls[1].id, .update(["n": 1]))
        #expect(connection.written() == [])
        #expect(connection.pendingOutputBytes > 0)
        connection.reply(to: calls[0].id, .reply(["n": 0]))
        #expect(
            connection.written() == [reply(0), #"{"parameters":{"n":1},"continues":true}"#])
        #expect(connection.calls().isEmpty)
        connection.reply(to: calls[1].id, .failure(QueueFull(limit: 64)))
        #expect(
            connection.written() == [
                #"{"error":"io.example.Test.QueueFull","parameters":{"limit":64}}"#
            ])
        #expect(connection.calls().map(\.method) == ["a.b.M2"])
    }

    @Test func `a oneway call gets no byte whatever happens`() {
        var connection = ServerConnection()
        connection.receive(
            call(0, #","oneway":true"#)
                + wire(#"{"method":"a.b.C","oneway":true,"parameters":{"x":"\u0000"}}"#)
                + call(1, #","oneway":true"#) + call(2, #","oneway":true"#))
        let calls = connection.calls()
        #expect(calls.map(\.method) == ["a.b.M0", "a.b.M1", "a.b.M2"])
        connection.reply(to: calls[0].id, .reply(["n": 0]))
        connection.reply(to: calls[1].id, .failure(.methodNotFound("a.b.M1")))
        connection.reply(to: calls[2].id, .update(["n": 0]))
        connection.reply(to: calls[2].id, .failure(QueueFull(limit: 1)))
        #expect(connection.pendingOutputBytes == 0)
    }

    @Test func `to continue a call without more traps`() async {
        await #expect(processExitsWith: .failure) {
            var connection = ServerConnection()
            connection.receive(Array(#"{"method":"a.b.C"}"#.utf8) + [0])
            guard case .call(let call)? = connection.nextEvent() else { return }
            connection.reply(to: call.id, .update(["n": 1]))
        }
    }

    // MARK: Limits

    @Test func `beyond the outstanding calls nothing more is read`() {
        var limits = ConnectionLimits()
        limits.outstandingCalls = 3
        limits.heldInputBytes = 100
        var connection = ServerConnection(limits: limits)
        connection.receive((0..<5).map { call($0) }.joined())
        var calls = connection.calls()
        #expect(calls.count == 3)
        #expect(connection.wantsRead)
        connection.receive((5..<20).map { call($0) }.joined())
        #expect(connection.calls().isEmpty)
        #expect(!connection.wantsRead)
        var methods: [String] = []
        while let call = calls.first {
            methods.append(call.method)
            connection.reply(to: call.id, .reply(NoParameters()))
            calls = calls.dropFirst() + connection.calls()
        }
        #expect(methods == (0..<20).map { "a.b.M\($0)" })
        #expect(connection.wantsRead)
    }

    @Test func `B83: calls of a client that does not read are held back`() {
        var limits = ConnectionLimits()
        limits.outputHighWaterBytes = 25 << 10
        var connection = ServerConnection(limits: limits)
        let large = ReplyMessage.reply(["text": String(repeating: "x", count: 10 << 10)])
        var handedOut = 0
        connection.receive((0..<50).map { call($0) }.joined())
        while let event = connection.nextEvent() {
            guard case .call(let call) = event else { break }
            handedOut += 1
            connection.reply(to: call.id, large)
        }
        #expect(handedOut == 3)
        connection.outputWritten(connection.pendingOutput.count)
        guard case .call? = connection.nextEvent() else {
            Issue.record("reading again lets calls go on")
            return
        }
    }

    @Test func `B83: a subscriber that does not read is dropped at the limit`() throws {
        var limits = ConnectionLimits()
        limits.outputBytes = 100_000
        var connection = ServerConnection(limits: limits)
        connection.receive(call(0, #","more":true"#))
        let call = try #require(connection.calls().first)
        let update = ReplyMessage.update(["text": String(repeating: "x", count: 1000)])
        var sent = 0
        while connection.reply(to: call.id, update) { sent += 1 }
        // What waits is over the limit only with the last one that was taken.
        #expect(sent == 100_000 / update.bytes.count + 1)
        #expect(connection.pendingOutputBytes == 0)
        #expect(connection.closeReason() == .doesNotRead)
        let isSent = connection.reply(to: call.id, update)
        #expect(!isSent)
    }

    @Test func `one reply larger than the output limit is sent`() throws {
        var limits = ConnectionLimits()
        limits.outputBytes = 100_000
        var connection = ServerConnection(limits: limits)
        connection.receive(call(0))
        let call = try #require(connection.calls().first)
        let large = ReplyMessage.reply(["text": String(repeating: "x", count: 500_000)])
        let isSent = connection.reply(to: call.id, large)
        #expect(isSent)
        #expect(connection.pendingOutputBytes == large.bytes.count)
        // Taken slowly, in pieces of a socket's choice.
        var written: [UInt8] = []
        while !connection.pendingOutput.isEmpty {
            let piece = connection.pendingOutput.prefix(60_000)
            written += piece
            connection.outputWritten(piece.count)
        }
        #expect(written == large.bytes)
        #expect(connection.closeReason() == nil)
    }

    /// The second reply is large, and there is output before it or a reply that it waits for.
    @Test(arguments: [[0, 1], [1, 0]])
    func `a reply larger than the output limit is sent behind another one`(
        order: [Int]
    ) throws {
        var limits = ConnectionLimits()
        limits.outputBytes = 100_000
        var connection = ServerConnection(limits: limits)
        connection.receive(call(0) + call(1))
        let calls = connection.calls()
        let replies = [
            ReplyMessage.reply(["n": 0]),
            ReplyMessage.reply(["text": String(repeating: "x", count: 500_000)]),
        ]
        for index in order {
            let isSent = connection.reply(to: calls[index].id, replies[index])
            #expect(isSent)
        }
        #expect(Array(connection.pendingOutput) == replies.flatMap(\.bytes))
        #expect(connection.closeReason() == nil)
    }

    @Test func `a client that takes none of its replies is dropped at the limit`() throws {
        var limits = ConnectionLimits()
        limits.outputBytes = 100_000
        var connection = ServerConnection(limits: limits)
        connection.receive((0..<20).map { call($0) }.joined())
        let large = ReplyMessage.reply(["text": String(repeating: "x", count: 30_000)])
        var sent = 0
        for call in connection.calls() where connection.reply(to: call.id, large) { sent += 1 }
        #expect(sent == 100_000 / large.bytes.count + 1)
        #expect(connection.pendingOutputBytes == 0)
        #expect(connection.closeReason() == .doesNotRead)
    }

    // MARK: Ends

    @Test func `B84: half a message and a close is no call`() {
        var connection = ServerConnection()
        connection.receive(call(0).dropLast())
        connection.inputEnded()
        #expect(connection.closeReason() == .violation(.endedInsideMessage))
    }

    @Test func `B84: a whole call right before the close is handed out`() throws {
        var connection = ServerConnection()
        connection.receive(call(0) + call(1))
        connection.inputEnded()
        let calls = connection.calls()
        #expect(calls.map(\.method) == ["a.b.M0", "a.b.M1"])
        #expect(!connection.wantsRead)
        connection.reply(to: calls[1].id, .reply(["n": 1]))
        #expect(connection.closeReason() == nil)
        connection.reply(to: calls[0].id, .reply(["n": 0]))
        #expect(connection.closeReason() == .peerClosed)
        #expect(connection.written() == [reply(0), reply(1)])
        #expect(connection.nextEvent() == nil)
    }

    @Test func `a close ends a subscription, and lets calls behind it go on`() throws {
        var connection = ServerConnection()
        connection.receive(call(0, #","more":true"#) + call(1))
        let watch = try #require(connection.calls().first)
        connection.reply(to: watch.id, .update(["n": 0]))
        connection.inputEnded()
        let events = connection.events()
        guard events.count == 2, case .abandoned(watch.id) = events[0],
            case .call(let call) = events[1]
        else {
            Issue.record("\(events)")
            return
        }
        let isSent = connection.reply(to: watch.id, .update(["n": 1]))
        #expect(!isSent)
        connection.reply(to: call.id, .reply(["n": 1]))
        #expect(connection.closeReason() == .peerClosed)
        #expect(
            connection.written() == [#"{"parameters":{"n":0},"continues":true}"#, reply(1)])
    }

    @Test func `B84: calls count though nobody takes the replies`() throws {
        var connection = ServerConnection()
        connection.receive(call(0) + call(1) + call(2, #","more":true"#))
        let calls = connection.calls()
        connection.reply(to: calls[1].id, .reply(["n": 1]))
        connection.outputFailed()
        #expect(connection.pendingOutputBytes == 0)
        guard case .abandoned(calls[2].id)? = connection.nextEvent() else {
            Issue.record("the subscription goes on")
            return
        }
        connection.reply(to: calls[0].id, .reply(["n": 0]))
        #expect(connection.pendingOutputBytes == 0)
        #expect(connection.wantsRead)
        connection.receive(call(3))
        connection.inputEnded()
        let last = try #require(connection.calls().first)
        #expect(last.method == "a.b.M3")
        connection.reply(to: last.id, .reply(["n": 3]))
        #expect(connection.closeReason() == .peerClosed)
        #expect(connection.written() == [])
    }

    @Test func `calls before an offence are answered before the close`() throws {
        var connection = ServerConnection()
        connection.receive(call(0) + wire("nonsense") + call(1))
        let calls = connection.calls()
        #expect(calls.map(\.method) == ["a.b.M0"])
        #expect(!connection.wantsRead)
        #expect(connection.nextEvent() == nil)
        connection.reply(to: calls[0].id, .reply(["n": 0]))
        #expect(connection.closeReason() != nil)
        #expect(connection.written() == [reply(0)])
    }

    @Test func `a close without any call is the peer's`() {
        var connection = ServerConnection()
        connection.inputEnded()
        #expect(connection.closeReason() == .peerClosed)
    }
}
