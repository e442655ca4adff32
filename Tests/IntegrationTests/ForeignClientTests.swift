// Varlink clients that no one here wrote, against the running schedd: PyPI's varlink, by its
// command line, and PyPI's asyncvarlink. Tests/run installs both in .build-python.

import Foundation
import SchedulerInterface
import Testing

struct ForeignClientTests {
    /// Runs `python -m varlink.cli` with the words given; `%` stands for the socket's address.
    private func varlink(_ bed: TestBed, _ arguments: String...) throws -> ChildProcess {
        let words = arguments.map { $0.replacing("%", with: "unix:" + bed.socketPath) }
        return try bed.start(
            Products.python, ["-u", "-m", "varlink.cli"] + words,
            environment: ["PYTHONUNBUFFERED": "1"])
    }

    @Test func `varlink's info and help show the service and its interfaces`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let info = try varlink(bed, "info", "%").finish()
            #expect(info.status == 0, "\(info)")
            for word in ["org.varlink.service", "io.schedd.Scheduler", "io.schedd.Manager"] {
                #expect(info.text.contains(word))
            }
            for (name, text) in [
                (SchedulerMethod.interface, SchedulerMethod.interfaceText),
                (ManagerMethod.interface, ManagerMethod.interfaceText),
            ] {
                let help = try varlink(bed, "help", "%/\(name)").finish()
                #expect(help.status == 0, "\(help)")
                #expect(
                    help.text.trimmingCharacters(in: .newlines)
                        == text.trimmingCharacters(in: .newlines))
            }
        }
    }

    @Test func `varlink's call adds, lists and is told of errors`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let add = try varlink(
                bed, "call", "%/io.schedd.Scheduler.Add",
                try JSON.text(Scheduler.adding([Scheduler.request("tea")], app: "schedctl"))
            ).finish()
            #expect(add.status == 0, "\(add)")
            #expect(try JSON(parsing: add.text)["added"][0]["identifier"].string == "tea")

            let list = try varlink(
                bed, "call", "%/io.schedd.Scheduler.ListPending", #"{"app":"schedctl"}"#
            ).finish()
            #expect(try JSON(parsing: list.text)["pending"].array?.count == 1, "\(list)")
            let own = try bed.schedctl("--json", "list")
            #expect(try JSON(parsing: own.text)[0]["identifier"].string == "tea")

            let wrong = try varlink(
                bed, "call", "%/io.schedd.Scheduler.ListPending", #"{"app":3}"#
            ).finish()
            #expect(wrong.errors.contains("InvalidParameter"), "\(wrong)")
        }
    }

    @Test func `varlink's own parser reads both interfaces and finds every method`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let script = Products.root + "/Tests/recipes/read-interfaces"
            let output = try bed.run(Products.python, [script, bed.socketPath])
            #expect(output.status == 0, "\(output)")
            let found = try JSON(parsing: output.text)
            for (name, methods) in [
                (SchedulerMethod.interface, SchedulerMethod.allCases.map(\.rawValue)),
                (ManagerMethod.interface, ManagerMethod.allCases.map(\.rawValue)),
            ] {
                let names = try #require(found[name].array).compactMap(\.string)
                #expect(names.map { "\(name).\($0)" } == methods.sorted())
            }
        }
    }

    @Test func `varlink's call with more follows the events`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let watch = try varlink(
                bed, "call", "-m", "%/io.schedd.Scheduler.Subscribe", #"{"app":"app"}"#)
            #expect(try watch.lines { $0.contains(#""ready": true"#) } != nil, "\(watch.errors)")
            try bed.schedctl("--app", "app", "add", "--id", "tea", "--in", "1s", "--title", "Tea")
            let lines = try #require(try watch.lines { $0.contains(#""kind": "fired""#) })
            #expect(lines.contains { $0.contains(#""kind": "added""#) })
        }
    }

    @Test func `asyncvarlink adds, lists, is refused, and sees its request fire`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let script = Products.root + "/Tests/recipes/asyncvarlink-client"
            let output = try bed.run(Products.python, [script, bed.socketPath])
            #expect(output.status == 0, "\(output)")
            let steps = try output.lines.map { try JSON(parsing: $0) }
            func value(_ step: String) -> JSON? {
                steps.first { $0["step"].string == step }?["value"]
            }
            #expect(value("add")?["parameters"]["added"][0]["identifier"].string == "tea")
            let pending = value("list")?["parameters"]["pending"][0]
            #expect(pending?["content"]["title"].string == "Tee äöü")
            #expect(value("refused")?["error"].string == "io.schedd.Scheduler.InvalidRequest")
            #expect(value("refused")?["parameters"]["field"].string?.contains("hour") == true)
            let kinds = steps.filter { $0["step"].string == "event" }
                .compactMap { $0["value"]["kind"].string }
            #expect(kinds.first == "added")
            #expect(kinds.last == "fired")
        }
    }
}
