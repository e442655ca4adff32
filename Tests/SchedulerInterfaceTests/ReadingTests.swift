// What the generated types read and write: the calls of clients to the letter, the replies of a
// newer schedd with a blind eye for what is new.

import SchedulerInterface
import TestSupport
import Testing
import Varlink

@Suite struct ReadingTests {
    private typealias Parameters = SchedulerMethod.Add.Parameters

    private func payload(_ text: String) throws -> Payload {
        try Payload(jsonText: Array(text.utf8))
    }

    // MARK: Calls

    @Test(arguments: UInt64(0)..<64)
    func `what is read of a damaged call is written and read again as the same`(
        seed: UInt64
    ) throws {
        var texts = DamagedRequest(seed: seed, oddsOfDamage: 30)
        for _ in 0..<40 {
            guard let read = try? payload(texts.text()).decode(Parameters.self) else { continue }
            #expect(try payload(read.jsonText).decode(Parameters.self) == read)
        }
    }

    @Test func `of the damaged texts many are taken and many refused`() throws {
        var texts = DamagedRequest(seed: 1, oddsOfDamage: 30)
        let taken = try (0..<1_000).count { _ in
            let payload = try payload(texts.text())
            return (try? payload.decode(Parameters.self)) != nil
        }
        #expect((200...800).contains(taken))
    }

    /// A call with one request of these members.
    private static func call(_ members: String) -> String {
        #"{"app":"x","requests":[{"identifier":"a",\#(members)}]}"#
    }

    @Test(arguments: [
        (call(#""content":{"title":7}"#), "requests[0].content.title"),
        (call(#""content":{},"color":1"#), "requests[0].color"),
        (call(#""ifMissed":"skip""#), "requests[0].content"),
        (call(#""content":{"urgency":"loud"}"#), "requests[0].content.urgency"),
        (
            call(#""content":{"userInfo":{"a":{"b":1,"b":2}}}"#),
            "requests[0].content.userInfo.a.b"
        ),
        (
            call(#""content":{},"trigger":{"calendar":{"hour":[1,1.5]}}"#),
            "requests[0].trigger.calendar.hour[1]"
        ),
        (#"{"app":"x","requests":[],"app":"x"}"#, "app"),
        (#"{"app":"x","requests":[null]}"#, "requests[0]"),
        (#"{"app":"x","requests":{}}"#, "requests"),
        (#"{"app":null,"requests":[]}"#, "app"),
        (#"{"requests":[],"app":"x","whenFull":"explode"}"#, "whenFull"),
        // Of several mistakes the first unknown member is named, then the first duplicate.
        (#"{"app":1,"app":2,"b":1,"a":1}"#, "b"),
        (#"{"app":1,"requests":1,"app":2}"#, "app"),
        (#"{"requests":1}"#, "app"),
        ("[]", "parameters"),
    ])
    func `a mistake in a call is named by its path`(text: String, path: String) throws {
        let payload = try payload(text)
        #expect(throws: ServiceError.invalidParameter(path)) {
            try payload.decode(Parameters.self)
        }
    }

    // MARK: Replies of a newer schedd

    @Test func `an unknown value of an enum leaves the rest of a reply`() throws {
        let row = #"{"app":"x","identifier":"a","title":"t","dueUsec":1,"recordedUsec":2,"#
        let rows = #"\#(row)"count":1,"reason":"abducted"},\#(row)"count":2,"reason":"skipped"}"#
        let reply = try payload(#"{"missed":[\#(rows)]}"#)
            .decodeTolerantly(ManagerMethod.ListMissed.Reply.self)
        #expect(reply.missed.map(\.count) == [1, 2])
        #expect(reply.missed.map(\.reason) == [nil, .skipped])
    }

    @Test func `an event of an unknown kind is passed over`() throws {
        let reply = try payload(
            """
            {"cursor":"c","events":[{"kind":"eaten","app":"x","identifier":"a","atUsec":1},
            {"kind":"removed","app":"x","identifier":"b","atUsec":2,"removal":"recycled"}]}
            """
        ).decodeTolerantly(SchedulerMethod.Subscribe.Reply.self)
        #expect(reply.cursor == "c")
        #expect(reply.events?.map(\.identifier) == ["b"])
        #expect(reply.events?.first?.removal == nil)
    }

    @Test func `what holds an unknown value is left out where it may be`() throws {
        let reply = try payload(
            """
            {"pending":[{"app":"x","identifier":"a","content":{"title":"t","urgency":"loud"},
            "trigger":{"calendar":{"hour":[9],"every":{"count":2,"unit":"moon"}}},
            "ifMissed":"ponder","addedUsec":1,"nextUsec":2,"occurrenceCount":0}]}
            """
        ).decodeTolerantly(SchedulerMethod.ListPending.Reply.self)
        let request = try #require(reply.pending.first)
        #expect(request.content == Wire.Content(title: "t"))
        #expect(request.trigger.calendar == Wire.CalendarTrigger(hour: [9]))
        #expect(request.ifMissed == nil)
    }

    @Test func `unknown members are passed over, and duplicates are not`() throws {
        let reply = SchedulerMethod.RemovePending.Reply.self
        #expect(
            try payload(#"{"count":0,"mood":{"a":[1]},"identifiers":[]}"#).decodeTolerantly(reply)
                == .init(count: 0, identifiers: []))
        #expect(throws: ServiceError.invalidParameter("count")) {
            try payload(#"{"count":0,"count":1,"identifiers":[]}"#).decodeTolerantly(reply)
        }
        #expect(throws: ServiceError.invalidParameter("mood")) {
            try payload(#"{"mood":0,"count":1,"mood":1,"identifiers":[]}"#)
                .decodeTolerantly(reply)
        }
    }

    // MARK: Writing

    @Test(arguments: UInt64(0)..<32)
    func `a random reply is read as what was written`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pieces = ["a", "{", "[", ":", ",", "\"", "\\", "\n", "\u{1}", "é", "🎉", "0123456789"]
        func count() -> Range<Int> { 0..<Int.random(in: 0..<6, using: &random) }
        func text() -> String {
            count().map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }
        let added = count().map { _ in
            Wire.Added(
                identifier: text(), nextUsec: .random(in: .min ... .max, using: &random),
                replaced: .random(using: &random), backlogged: .random(using: &random))
        }
        let evicted = count().map { _ in
            Wire.Evicted(
                identifier: text(), nextUsec: .random(in: .min ... .max, using: &random))
        }
        let reply = SchedulerMethod.Add.Reply(added: added, evicted: evicted)
        #expect(try payload(reply.jsonText).decode(SchedulerMethod.Add.Reply.self) == reply)
    }

    @Test func `members are written in the order of the text, and absent ones not at all`() {
        let request = Wire.Request(
            identifier: "a", content: Wire.Content(title: "t", urgency: .low),
            trigger: Wire.Trigger(calendar: Wire.CalendarTrigger(hour: [9, 10])),
            latenessLimit: 1.5)
        #expect(
            request.jsonText
                == #"{"identifier":"a","content":{"title":"t","urgency":"low"},"#
                + #""trigger":{"calendar":{"hour":[9,10]}},"latenessLimit":1.5}"#)
    }
}
