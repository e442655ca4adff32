// The reply to Add writes itself; byte for byte it is what Codable would make of it.

import SchedulerInterface
import TestSupport
import Testing
import Varlink

@Suite struct AddReplyTests {
    private typealias Reply = SchedulerMethod.Add.Reply

    /// As every other reply is made.
    private func encoded(_ parameters: some Encodable) -> ReplyMessage { .reply(parameters) }

    private func compare(_ reply: Reply) {
        let message = ReplyMessage.reply(reply)
        #expect(message == encoded(reply), "\(String(decoding: message.bytes, as: UTF8.self))")
    }

    @Test func `an empty reply is written as Codable writes it`() {
        compare(Reply(added: [], evicted: []))
    }

    @Test(arguments: [
        0, 1, -1, 9, 10, 99, 100, -10, 1_800_000_000_000_000, .max, .min, .min + 1,
    ])
    func `a number is written as Codable writes it`(number: Int64) {
        compare(Reply(added: [], evicted: [Wire.Evicted(identifier: "", nextUsec: number)]))
        #expect(encoded(["n": number]) == encoded(["n": JSONValue.int(number)]))
        #expect(JSONValue.int(number).jsonText == number.description)
    }

    @Test(arguments: UInt64(0)..<32)
    func `a random reply is written as Codable writes it`(seed: UInt64) {
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
        compare(Reply(added: added, evicted: evicted))
    }
}
