// A backup is what would have to be added elsewhere so that everything fires when it would have
// here, and it reads back as it was written.

import Foundation
import SchedulerInterface
import Synchronization
import TestSupport
import Testing
import Varlink
import schedctl

struct ExportTests {
    private static func pending(
        _ trigger: Wire.Trigger, next: Int64 = 9_000_000, count: Int64 = 0
    ) -> Wire.PendingRequest {
        Wire.PendingRequest(
            app: "a", identifier: "x",
            content: .init(title: "T", userInfo: .object(["n": .int(1)])),
            trigger: trigger, ifMissed: .skip, latenessLimit: 60, addedUsec: 1_000, nextUsec: next,
            occurrenceCount: count)
    }

    struct TriggerCase: CustomTestStringConvertible, Sendable {
        var name: String
        var pending: Wire.PendingRequest
        var exported: Wire.Trigger
        var testDescription: String { name }
    }

    @Test(arguments: [
        TriggerCase(
            name: "a date as it is", pending: pending(.init(date: .init(atUsec: 5))),
            exported: .init(date: .init(atUsec: 5))),
        TriggerCase(
            name: "a span of time as the date at which it ends",
            pending: pending(.init(interval: .init(seconds: 1))),
            exported: .init(date: .init(atUsec: 9_000_000))),
        TriggerCase(
            name: "a repeating interval in its phase",
            pending: pending(
                .init(interval: .init(seconds: 2), repeats: true, maxCount: 5), count: 3),
            exported: .init(
                interval: .init(seconds: 2), repeats: true, startsAtUsec: 7_000_000, maxCount: 2)),
        TriggerCase(
            name: "a calendar as it is",
            pending: pending(.init(calendar: .init(hour: [9]), repeats: true)),
            exported: .init(calendar: .init(hour: [9]), repeats: true)),
        TriggerCase(
            name: "every second day from the day of adding",
            pending: pending(
                .init(
                    calendar: .init(hour: [9], every: .init(count: 2, unit: .day)), repeats: true)),
            exported: .init(
                calendar: .init(hour: [9], every: .init(count: 2, unit: .day)), repeats: true,
                startsAtUsec: 1_000)),
    ])
    func `a trigger is exported so that it fires when it would have here`(_ row: TriggerCase) {
        let exported = ExportFile.exported(row.pending)
        #expect(exported.request.trigger == row.exported)
        #expect(exported.app == "a")
        #expect(exported.request.content == row.pending.content)
        #expect(exported.request.ifMissed == .skip)
        #expect(exported.request.latenessLimit == 60)
    }

    private static let service: @Sendable (Call, Int) -> FakeService.Answer = { call, _ in
        switch call.method {
        case ManagerMethod.ListPending.name:
            .replies([
                .reply(
                    ManagerMethod.ListPending.Reply(pending: [
                        pending(.init(date: .init(atUsec: 5)))
                    ]))
            ])
        case ManagerMethod.ListBacklog.name:
            .replies([
                .reply(
                    ManagerMethod.ListBacklog.Reply(backlog: [
                        pending(.init(date: .init(atUsec: 6)))
                    ]))
            ])
        default:
            .silence
        }
    }

    @Test func `what export prints is what import reads`() throws {
        let run = Run()
        #expect(try run("export", service: try FakeService(Self.service)) == nil)
        let requests = try ImportCommand.requests(in: Array(run.output.utf8), name: "f")
        #expect(requests.map(\.request.trigger?.date?.atUsec) == [5, 6])
        #expect(requests[0].request.content.userInfo == .object(["n": .int(1)]))
    }

    @Test(arguments: [
        ("", "it is no JSON object"), ("[1]", "look at"), ("{}", "look at scheddExport"),
        (#"{"scheddExport":2,"requests":[]}"#, "is an export of version 2"),
        (#"{"scheddExport":1,"requests":[{"app":"a"}]}"#, "look at requests[0].request"),
        (#"{"scheddExport":1,"requests":[],"x":1}"#, "look at x"),
    ])
    func `a file that is no export is refused with the place to look at`(
        text: String, part: String
    ) {
        do throws(Failure) {
            _ = try ImportCommand.requests(in: Array(text.utf8), name: "f.json")
            Issue.record("it was read")
        } catch {
            #expect(error.message.contains(part), "\(error.message)")
            #expect(error.message.hasPrefix("f.json"))
        }
    }

    @Test func `import sends parts below the limit of a message and says what was done`() throws {
        let folder = try TemporaryFolder()
        let large = String(repeating: "x", count: 15_000)
        let requests = (0..<100).map { number in
            Wire.ExportedRequest(
                app: "a",
                request: .init(identifier: "n\(number)", content: .init(title: "T", body: large)))
        }
        let file = folder.url.appending(path: "export.json")
        try Data(ExportFile(requests: requests).jsonText.utf8).write(to: file)
        let parts = Mutex<[ManagerMethod.Import.Parameters]>([])
        let service = try FakeService { call, _ in
            guard let part = try? call.parameters(of: ManagerMethod.Import.self) else {
                return .silence
            }
            parts.withLock { $0.append(part) }
            let items =
                part.moreFollows == true
                ? []
                : [
                    Wire.ImportedItem(app: "a", identifier: "n0", outcome: .added),
                    Wire.ImportedItem(app: "a", identifier: "n1", outcome: .past),
                ]
            return .replies([.reply(ManagerMethod.Import.Reply(items: items))])
        }
        let run = Run()
        #expect(try run("import", "--dry-run", file.path, service: service) == nil)
        #expect(run.output == "would add 1, replaced 0, passed over 1\npast: n1 of a\n")
        let sent = parts.withLock { $0 }
        #expect(sent.count > 2)
        #expect(sent.flatMap(\.requests) == requests)
        #expect(sent.dropLast().allSatisfy { $0.moreFollows == true })
        #expect(sent.last?.moreFollows == nil)
        #expect(sent.allSatisfy { $0.dryRun == true })
    }
}
