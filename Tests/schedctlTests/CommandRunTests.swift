// Commands run against a service that answers as the test wants: what they call, and what they
// print.

import Foundation
import Platform
import SchedulerInterface
import Synchronization
import TestSupport
import Testing
import Varlink
import schedctl

/// Runs a command line in the fixed world against a service and keeps what it prints.
final class Run: Sendable {
    private let printed = Mutex("")
    private let noted = Mutex("")

    var output: String { printed.withLock { $0 } }
    var notes: String { noted.withLock { $0 } }

    /// The failure's message; nil when the command succeeded.
    func callAsFunction(_ words: String..., service: FakeService) throws -> String? {
        try self(words, service: service)
    }

    func callAsFunction(_ words: [String], service: FakeService) throws -> String? {
        guard case .run(let command, var globals) = try Invocation(arguments: words, time: .fixed)
        else {
            Issue.record("\(words) runs nothing")
            return nil
        }
        globals.socket = service.path
        let session = Session(
            globals: globals, environment: Environment([:]), time: .fixed, style: .plain,
            width: nil, output: { [self] text in printed.withLock { $0 += text } },
            notes: { [self] text in noted.withLock { $0 += text } })
        do throws(Failure) {
            if let watch = command as? WatchCommand {
                try watch.watch(session)
            } else {
                try command.run(session)
            }
            return nil
        } catch {
            return error.message
        }
    }
}

struct CommandRunTests {
    private static func request(_ app: String, _ identifier: String) -> Wire.PendingRequest {
        Wire.PendingRequest(
            app: app, identifier: identifier, content: .init(title: "T"),
            trigger: .init(date: .init(atUsec: 1)), ifMissed: .deliver, addedUsec: 0, nextUsec: 1,
            occurrenceCount: 0)
    }

    /// Has `tea` twice and `call` once, and removes what it is told to.
    private static func queue() throws -> FakeService {
        try FakeService { call, _ in
            if call.method == ManagerMethod.ListPending.name {
                let app = try? call.parameters(of: ManagerMethod.ListPending.self).app
                let all = [request("a", "tea"), request("b", "tea"), request("b", "call")]
                return .replies([
                    .reply(
                        ManagerMethod.ListPending.Reply(
                            pending: all.filter { app == nil || $0.app == app }))
                ])
            }
            if call.method == ManagerMethod.ListBacklog.name {
                return .replies([.reply(ManagerMethod.ListBacklog.Reply(backlog: []))])
            }
            guard
                let parameters = try? call.parameters(of: ManagerMethod.RemovePending.self)
            else { return .silence }
            let removed = (parameters.identifiers ?? ["1", "2"]).map {
                Wire.RemovedItem(app: parameters.app ?? "-", identifier: $0)
            }
            return .replies([
                .reply(
                    ManagerMethod.RemovePending.Reply(
                        count: Int64(removed.count), removed: removed))
            ])
        }
    }

    @Test func `remove finds the app of an id`() throws {
        let run = Run()
        let service = try Self.queue()
        #expect(try run("remove", "call", service: service) == nil)
        #expect(run.output == "removed call of b\n")
        #expect(
            service.methods == [
                ManagerMethod.ListPending.name, ManagerMethod.ListBacklog.name,
                ManagerMethod.RemovePending.name,
            ])
    }

    @Test func `remove never guesses at an app and then removes nothing`() throws {
        let run = Run()
        let service = try Self.queue()
        let message = try run("remove", "call", "tea", service: service)
        #expect(message == "the id 'tea' is in several apps: a, b; say which with --app")
        #expect(run.output == "")
        #expect(
            service.methods == [ManagerMethod.ListPending.name, ManagerMethod.ListBacklog.name])
    }

    @Test func `remove of one app, of all, and as JSON`() throws {
        let run = Run()
        #expect(try run("remove", "tea", "--app", "a", service: try Self.queue()) == nil)
        #expect(try run("remove", "--all", service: try Self.queue()) == nil)
        #expect(try run("remove", "tea", "--app", "a", "--json", service: try Self.queue()) == nil)
        #expect(
            run.output == """
                removed tea of a
                removed 2 pending requests
                {"count":1,"removed":[{"app":"a","identifier":"tea"}]}

                """)
    }

    @Test func `what is gone between the look and the removal is named`() throws {
        let service = try FakeService { call, _ in
            switch call.method {
            case ManagerMethod.ListPending.name:
                .replies([
                    .reply(ManagerMethod.ListPending.Reply(pending: [Self.request("a", "tea")]))
                ])
            case ManagerMethod.ListBacklog.name:
                .replies([.reply(ManagerMethod.ListBacklog.Reply(backlog: []))])
            default:
                .replies([.reply(ManagerMethod.RemovePending.Reply(count: 0, removed: []))])
            }
        }
        let message = try Run()("remove", "tea", service: service)
        #expect(message == "tea: gone, it fired or was removed meanwhile")
    }

    @Test func `add sends one request of the app schedctl with an id of its own`() throws {
        let seen = Mutex<SchedulerMethod.Add.Parameters?>(nil)
        let service = try FakeService { call, _ in
            guard let parameters = try? call.parameters(of: SchedulerMethod.Add.self) else {
                return .silence
            }
            seen.withLock { $0 = parameters }
            let added = Wire.Added(
                identifier: parameters.requests[0].identifier,
                nextUsec: TimeContext.fixed.nowUsec + 60_000_000, replaced: false,
                backlogged: false)
            return .replies([.reply(SchedulerMethod.Add.Reply(added: [added], evicted: []))])
        }
        let run = Run()
        #expect(try run("add", "--in", "1m", "--title", "Tea", service: service) == nil)
        let first = try #require(seen.withLock { $0 })
        #expect(first.app == "schedctl")
        #expect(first.requests.count == 1)
        let id = first.requests[0].identifier
        #expect(id.count == 8)
        #expect(run.output == "added \(id), fires Tue 2026-12-01 09:01:00 (in 1 min)\n")
        #expect(
            try run("add", "--id", "x", "--app", "b", "--json", "--body", "y", service: service)
                == nil)
        let second = try #require(seen.withLock { $0 })
        #expect(second.app == "b")
        #expect(
            run.output.hasSuffix(
                #"{"identifier":"x","nextUsec":1796112060000000,"#
                    + #""replaced":false,"backlogged":false}"#
                    + "\n"))
    }

    @Test func `an empty list is said plainly, and is an empty array to programs`() throws {
        let service = try FakeService { _, _ in
            .replies([.reply(ManagerMethod.ListPending.Reply(pending: []))])
        }
        let run = Run()
        #expect(try run("list", service: service) == nil)
        #expect(try run("list", "--app", "a", service: service) == nil)
        #expect(try run("list", "--json", service: service) == nil)
        #expect(run.output == "no pending requests\nno pending requests of a\n[]\n")
    }

    @Test func `next prints microseconds to programs`() throws {
        let service = try FakeService { _, _ in
            let occurrences = [1, 2].map {
                Wire.Occurrence(atUsec: $0, utcOffsetSeconds: 0, abbreviation: "UTC")
            }
            return .replies([
                .reply(
                    SchedulerMethod.Preview.Reply(
                        occurrences: occurrences, expression: nil, words: "daily", timeZone: "UTC"))
            ])
        }
        let run = Run()
        #expect(try run("next", "--on", "daily", "--json", service: service) == nil)
        #expect(run.output == "[1,2]\n")
    }
}
