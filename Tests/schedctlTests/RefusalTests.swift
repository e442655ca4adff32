// What schedd refuses, told in the words of who asked: of a command line the option that was given,
// of an import the place in its list.

import Foundation
import SchedulerInterface
import TestSupport
import Testing
import Varlink
import schedctl

struct RefusalTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let words: [String]
        let reply: ReplyMessage
        let text: String
        var testDescription: String { text }

        init(_ words: [String], _ error: some VarlinkError, _ text: String) {
            self.words = words
            reply = .failure(error)
            self.text = text
        }

        static func invalid(_ words: [String], _ field: String, _ text: String) -> Case {
            Case(words, SchedulerFailure.InvalidRequest(field: field, reason: "no"), text)
        }
    }

    private static let day = #"{"hour":[9]}"#
    private static let pattern = "requests[0].trigger.calendar"

    static let added: [Case] = [
        Case(
            [],
            SchedulerFailure.QueueFull(
                app: "schedctl", limit: 64, pending: 64, identifiers: ["x"]),
            "the queue of the app 'schedctl' is full: 64 of 64 are pending, and nothing was added"),
        Case(
            ["--at", "@1796112000"],
            SchedulerFailure.InPast(
                field: "requests[0].trigger.date.atUsec", atUsec: 1_796_112_000_000_000,
                nowUsec: 1_796_115_600_000_000),
            "--at: Tue 2026-12-01 09:00:00 +01:00 is not later than now"),
        Case(
            [],
            SchedulerFailure.TooLarge(
                field: "requests[0].content.title", size: 2_000, limit: 1_024),
            "--title: 2000 is more than the limit of 1024"),
        Case(
            ["--on", "2020-01-01", "--once"],
            SchedulerFailure.NeverFires(field: pattern, reason: "no"), "--on: no"),
        Case(
            ["--calendar", day], SchedulerFailure.NeverFires(field: pattern, reason: "no"),
            "--calendar: no"),
        .invalid(["--calendar", day], pattern + ".hour", "--calendar hour: no"),
        .invalid(["--calendar", day], pattern + ".timeZone", "--calendar timeZone: no"),
        .invalid(["--on", "daily UTC"], pattern + ".timeZone", "--on: no"),
        .invalid(["--on", "daily", "--zone", "UTC"], pattern + ".timeZone", "--zone: no"),
        .invalid(["--on", "daily"], pattern + ".expression", "--on: no"),
        .invalid(["--in", "1s"], "requests[0].trigger.interval.seconds", "--in: no"),
        .invalid(["--every", "1s"], "requests[0].trigger.interval.seconds", "--every: no"),
        .invalid(["--on", "daily", "--count", "9"], "requests[0].trigger.maxCount", "--count: no"),
        .invalid(["--urgency", "low"], "requests[0].content.urgency", "--urgency: no"),
        .invalid(
            ["--expire", "1s"], "requests[0].content.expireTimeoutUsec", "--expire: no"),
        .invalid([], "requests[0].content.userInfo", "userInfo: no"),
    ]

    @Test(arguments: added)
    func `a refusal of add names the option that was given`(_ row: Case) throws {
        let service = try FakeService { _, _ in .replies([row.reply]) }
        let words = ["add", "--id", "x", "--title", "T"] + row.words
        let failure = try #require(try Run()(words, service: service))
        #expect(failure.hasPrefix(row.text), "\(failure)")
    }

    static let previewed: [Case] = [
        .invalid(["--every", "60s", "-n", "1001"], "count", "--number: no"),
        .invalid(["--every", "60s", "--count", "9"], "trigger.maxCount", "--count: no"),
        .invalid(["--on", "daily", "--after", "@9"], "afterUsec", "--after: no"),
        .invalid(["--on", "daily UTC"], "trigger.calendar.timeZone", "--on: no"),
    ]

    @Test(arguments: previewed)
    func `a refusal of next names the option that was given`(_ row: Case) throws {
        let service = try FakeService { _, _ in .replies([row.reply]) }
        #expect(try Run()(["next"] + row.words, service: service) == row.text)
    }

    private static func exportFile(in folder: TemporaryFolder) throws -> URL {
        let file = folder.url.appending(path: "export.json")
        let request = Wire.Request(identifier: "x", content: .init(title: "T"))
        let export = ExportFile(requests: [Wire.ExportedRequest(app: "a", request: request)])
        try Data(export.jsonText.utf8).write(to: file)
        return file
    }

    static let imported: [(field: String, text: String)] = [
        ("requests[3].identifier", "requests[3].identifier: no"),
        ("requests[0].identifier", "requests[0].identifier: no"),
        ("requests[0].request.content.title", "requests[0].request.content.title: no"),
        ("requests[1].request.trigger.calendar", "requests[1].request.trigger.calendar: no"),
        ("requests", "requests: no"), ("app", "app: no"),
    ]

    @Test(arguments: imported)
    func `a refusal of import names the place in the list`(field: String, text: String) throws {
        let folder = try TemporaryFolder()
        let file = try Self.exportFile(in: folder)
        let service = try FakeService { _, _ in
            .replies([.failure(ManagerFailure.InvalidRequest(field: field, reason: "no"))])
        }
        #expect(try Run()("import", file.path, service: service) == text)
    }

    @Test func `a full queue is told of --when-full where that helps`() throws {
        let full = SchedulerFailure.QueueFull(
            app: "a", limit: 10_064, pending: 10_064, identifiers: ["x"])
        let service = try FakeService { _, _ in .replies([.failure(full)]) }
        let add = ["add", "--id", "x", "--title", "T"]
        let told = try #require(try Run()(add, service: service))
        #expect(told.hasSuffix("('schedctl list --app a' shows them), or add --when-full queue"))
        let queued = try #require(try Run()(add + ["--when-full", "queue"], service: service))
        #expect(queued.hasSuffix("('schedctl list --app a' shows them)"))
        let folder = try TemporaryFolder()
        let file = try Self.exportFile(in: folder)
        let imported = try #require(try Run()("import", file.path, service: service))
        #expect(imported == queued)
    }
}
