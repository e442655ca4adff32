// An import's parts, up to each limit and one beyond.

import Scheduling
import SchedulerInterface
import Service
import Testing

@Suite struct GatheredImportTests {
    private func part(_ count: Int) -> [Wire.ExportedRequest] {
        let request = Wire.Request(identifier: "x", content: Wire.Content(title: "t"))
        return Array(repeating: Wire.ExportedRequest(app: "a", request: request), count: count)
    }

    @Test func `20000 requests are taken, one more is not`() throws {
        var gathered = GatheredImport()
        for _ in 0..<20 { try gathered.add(part(1_000), callBytes: 1) }
        #expect(
            throws: RequestError.invalid(
                field: "requests", reason: "has 20001 elements, the limit is 20000")
        ) { try gathered.add(part(1), callBytes: 1) }
        #expect(gathered.requests.count == 20_000)
    }

    @Test func `64 MiB are taken, one byte more is not`() throws {
        var gathered = GatheredImport()
        for _ in 0..<64 { try gathered.add(part(1), callBytes: 1 << 20) }
        #expect(
            throws: RequestError.tooLarge(field: "requests", size: 67_108_865, limit: 67_108_864)
        ) { try gathered.add(part(1), callBytes: 1) }
        #expect(gathered.requests.count == 64)
    }
}
