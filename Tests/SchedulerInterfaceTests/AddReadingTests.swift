// Add is read the quick way first and by Codable where that gives up. The quick way must take
// exactly what Codable takes, as the same value, and leave every refusal to it.

import SchedulerInterface
import TestSupport
import Testing
import Varlink

@Suite struct AddReadingTests {
    private typealias Parameters = SchedulerMethod.Add.Parameters

    private func quick(_ payload: Payload) -> Parameters? {
        try? Parameters(payload.members())
    }

    private func answer(
        _ payload: Payload, _ read: (Payload) throws(ServiceError) -> Parameters
    ) -> Result<Parameters, ServiceError> {
        do throws(ServiceError) {
            return .success(try read(payload))
        } catch {
            return .failure(error)
        }
    }

    @Test(arguments: UInt64(0)..<64)
    func `the quick way takes what Codable takes, as the same value`(seed: UInt64) throws {
        var texts = DamagedRequest(seed: seed, oddsOfDamage: 30)
        for _ in 0..<40 {
            let text = texts.text()
            let payload = try Payload(jsonText: Array(text.utf8))
            let expected = answer(payload) { payload throws(ServiceError) in
                try payload.decode(Parameters.self)
            }
            #expect(quick(payload) == (try? expected.get()), "\(text)")
            #expect(answer(payload, SchedulerMethod.Add.parameters) == expected, "\(text)")
        }
    }

    @Test func `of the damaged texts many are taken and many refused`() throws {
        var texts = DamagedRequest(seed: 1, oddsOfDamage: 30)
        let taken = try (0..<1_000).count { _ in
            quick(try Payload(jsonText: Array(texts.text().utf8))) != nil
        }
        #expect((200...800).contains(taken))
    }

    @Test(arguments: [
        (
            #"{"app":"x","requests":[{"identifier":"a","content":{"title":7}}]}"#,
            "requests[0].content.title"
        ),
        (
            #"{"app":"x","requests":[{"identifier":"a","content":{},"color":1}]}"#,
            "requests[0].color"
        ),
        (#"{"app":"x","requests":[{"identifier":"a"}]}"#, "requests[0].content"),
        (#"{"app":"x","requests":[],"app":"x"}"#, "app"),
        (#"{"app":"x","requests":[null]}"#, "requests[0]"),
    ])
    func `what the quick way leaves is refused by its path`(text: String, path: String) throws {
        let payload = try Payload(jsonText: Array(text.utf8))
        #expect(throws: ServiceError.invalidParameter(path)) {
            try SchedulerMethod.Add.parameters(in: payload)
        }
    }
}
