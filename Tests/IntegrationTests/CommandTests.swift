// schedctl as a process against a real schedd: exit codes, what goes to which stream, JSON, and a
// watch that outlives the daemon.

import Foundation
import Glibc
import Testing

struct CommandTests {
    @Test func `a request is added, listed, shown and removed`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let added = try bed.schedctl(
                "add", "--in", "1h", "--title", "Tea \u{1B}[2J", "--id", "tea")
            #expect(added.text.hasPrefix("added tea, fires "))
            #expect(added.text.hasSuffix("(in 1 h)\n"))
            let entry = try JSON(parsing: bed.schedctl("list", "--json").text)[0]
            #expect(entry["app"].string == "schedctl")
            #expect(entry["identifier"].string == "tea")
            #expect(entry["content"]["title"].string == "Tea \u{1B}[2J")
            #expect(entry["trigger"]["interval"]["seconds"].int == 3_600)
            let next = try #require(entry["nextUsec"].int)
            #expect(next - (entry["addedUsec"].int ?? 0) <= 3_600_000_000)
            let table = try bed.schedctl("list")
            #expect(table.lines.count == 2)
            #expect(table.text.contains("once, after 1 h"))
            #expect(!table.text.contains("\u{1B}"), "neither the title nor a colour in a pipe")
            #expect(try bed.schedctl("show", "tea").text.contains("Title:      Tea \\x1b[2J"))
            #expect(try bed.schedctl("remove", "tea").text == "removed tea of schedctl\n")
            #expect(try bed.schedctl("list").text == "no pending requests\n")
        }
    }

    @Test func `exit codes tell a refusal from a wrong command line`() throws {
        try TestBed.run { bed in
            let lost = try bed.run("schedctl", ["list"])
            #expect(lost.status == 1)
            #expect(lost.text.isEmpty)
            #expect(lost.errors.contains("systemctl --user start schedd.socket"))
            let wrong = try bed.run("schedctl", ["add", "--title", "T", "--in", "5"])
            #expect(wrong.status == 2)
            #expect(wrong.errors.hasSuffix("Try 'schedctl add --help'.\n"))
            #expect(try bed.run("schedctl", ["list", "--help"]).status == 0)
            _ = try bed.daemon()
            for words in [
                ["add", "--title", "T", "--at", "2026-01-01 09:00"],
                ["add", "--title", "T", "--calendar", #"{"month":[2],"day":[30]}"#],
                ["add", "--title", "T", "--every", "59s"], ["remove", "nothing"],
                ["dismiss", "nothing"], ["show", "nothing"],
            ] {
                let refused = try bed.run("schedctl", words)
                #expect(refused.status == 1, "\(words): \(refused)")
                #expect(refused.text.isEmpty)
                #expect(refused.errors.hasPrefix("schedctl: "))
            }
        }
    }

    @Test func `arguments that are not UTF-8 are refused, and not made into others`() throws {
        try TestBed.run { bed in
            // A String cannot hold the byte; printf makes it.
            func run(_ program: String, _ line: String) throws -> Output {
                let script = "exec \"$0\" " + line.replacing("?", with: #"$(printf '\377')"#)
                return try bed.run("/bin/sh", ["-c", script, Products.path(of: program)])
            }
            let id = try run("schedctl", "add --in 1h --title T --id ?")
            #expect(id.status == 2)
            #expect(id.errors == "schedctl: --id is not UTF-8\nTry 'schedctl --help'.\n")
            #expect(try run("schedctl", "remove ?").status == 2)
            let path = try run("schedd", "--state-dir=?")
            #expect(path.status == 2)
            #expect(path.errors.contains("schedd: --state-dir is not UTF-8; see schedd --help"))
            #expect(try run("schedd", "?").status == 2)
        }
    }

    @Test func `a refusal names the options that were given`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let title = ["add", "--title", "x"]
            let never = "it matches no civil time after now"
            let cases: [(words: [String], error: String)] = [
                (title + ["--on", "2020-01-01", "--once"], "--on: \(never)\n"),
                (
                    title + ["--on", "Mon 09:00", "--ends", "@0"],
                    "--on: \(never) up to the end of its bounds\n"
                ),
                (["next", "--every", "60s", "-n", "1001"], "--number: takes 1 to 1000\n"),
            ]
            for (words, error) in cases {
                let refused = try bed.run("schedctl", words)
                #expect(refused.status == 1)
                #expect(refused.errors == "schedctl: " + error)
            }
            let zone = try bed.run("schedctl", ["next", "--on", "Mon 09:00 Europe/Nope"])
            #expect(zone.status == 2)
            #expect(zone.errors.hasPrefix("schedctl: --on: no time zone \"Europe/Nope\""))
            #expect(zone.errors.contains("'timedatectl list-timezones' shows them"))
        }
    }

    @Test func `the next times follow the zone over its changes`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let sundays = try bed.schedctl(
                "next", "--json", "--on", "Sun 02:30", "--zone", "Europe/Berlin", "-n", "2",
                "--after", "2027-10-25 00:00")
            // In the overlap at its first pass, 00:30 UTC; a week later at 01:30 UTC.
            #expect(sundays.text == "[1824942600000000,1825551000000000]\n")
            let gap = try bed.schedctl("next", "--json", "--at", "2027-03-28 02:30")
            #expect(gap.text == "[1806195600000000]\n")
            let words = try bed.schedctl("next", "--on", "0 9 * * 1-5", "-n", "3")
            #expect(words.lines.first == "every Monday to Friday at 09:00")
            #expect(words.lines.count == 7)
        }
    }

    @Test func `next says of a trigger what list says of it`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let trigger = [
                "--calendar", #"{"hour":[9],"every":{"count":2,"unit":"day"}}"#, "--starts",
                "2030-01-01 00:00", "--ends", "2030-02-01 00:00", "--count", "3",
            ]
            let words =
                "every day at 09:00, every 2 days, from Tue 2030-01-01 00:00:00, "
                + "until Fri 2030-02-01 00:00:00, 3 times"
            let next = try bed.run("schedctl", ["next"] + trigger)
            #expect(next.lines.first == words)
            #expect(!next.text.contains("written as"), "it would mean every day")
            let added = try bed.run("schedctl", ["add", "--title", "T"] + trigger)
            #expect(added.status == 0, "\(added)")
            #expect(try bed.schedctl("list").text.contains("  \(words)  "))
        }
    }

    @Test func `an id in two apps is asked about, and all means what list shows`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            for app in ["a", "b"] {
                try bed.schedctl("add", "--app", app, "--id", "x", "--in", "1h", "--title", "T")
            }
            let unclear = try bed.run("schedctl", ["remove", "x"])
            #expect(unclear.status == 1)
            #expect(unclear.errors.contains("a, b; say which with --app"))
            #expect(try bed.schedctl("remove", "--all", "--app", "a").text.contains("removed 1 "))
            let rest = try JSON(parsing: bed.schedctl("--json", "list").text)
            #expect(rest.array?.map { $0["app"].string } == ["b"])
            let all = try JSON(parsing: bed.schedctl("remove", "--all", "--json").text)
            #expect(all["count"].int == 1)
            #expect(all["removed"][0]["identifier"].string == "x")
        }
    }

    @Test func `the deepest userInfo that is taken survives export and import`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let deepest =
                String(repeating: #"{"k":"#, count: 32) + "1" + String(repeating: "}", count: 32)
            let connection = try bed.connect()
            func add(_ userInfo: String) throws -> JSON {
                var request = Scheduler.request("deep")
                request["content"] = ["title": "T", "userInfo": try JSON(parsing: userInfo).value]
                return try connection.call(Scheduler.add, Scheduler.adding([request]))
            }
            #expect(try add(deepest)["parameters"]["added"].array?.count == 1)
            let refused = try add(#"{"k":\#(deepest)}"#)
            #expect(refused["error"].string == "io.schedd.Scheduler.InvalidRequest")
            #expect(refused["parameters"]["field"].string == "requests[0].content.userInfo")
            let file = bed.root + "/export.json"
            let export = try bed.schedctl("export").text
            try export.write(toFile: file, atomically: false, encoding: .utf8)
            #expect(export.contains(#""userInfo":\#(deepest)"#))
            try bed.schedctl("remove", "--all")
            #expect(try bed.schedctl("import", file).text == "added 1, replaced 0, passed over 0\n")
            #expect(try bed.schedctl("export").text == export)
        }
    }

    @Test func `a full queue refuses, or makes room and says for what`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            for index in 0..<64 {
                try bed.schedctl(
                    "add", "--id", "r\(index)", "--in", "\(index + 10)h", "--title", "T")
            }
            let full = try bed.run(
                "schedctl", ["add", "--id", "more", "--in", "1h", "--title", "T"])
            #expect(full.status == 1)
            #expect(full.errors.contains("64 of 64 are pending"))
            #expect(full.errors.contains("--when-full queue"))
            let room = try bed.schedctl(
                "add", "--id", "more", "--in", "1h", "--title", "T", "--when-full", "keepSoonest")
            #expect(room.text.contains("\nevicted r63, which was due "))
            #expect(try JSON(parsing: bed.schedctl("list", "--json").text).array?.count == 64)
        }
    }

    @Test func `a watch goes on over kill -9 and sees the firing`() throws {
        try TestBed.run { bed in
            let first = try bed.daemon()
            let watch = try bed.start("schedctl", ["watch", "--for", "fired", "--count", "2"])
            try #require(Deadline.usual.waits { watch.errors.contains("waiting for events") })
            try bed.schedctl("add", "--title", "One", "--id", "one")
            let line = try #require(try watch.nextLine())
            #expect(line.hasSuffix("fired             schedctl  one  One"))
            try bed.schedctl("add", "--title", "Two", "--id", "two", "--in", "1s")
            first.crash()
            _ = try bed.daemon()
            let output = try watch.finish()
            #expect(output.status == 0, "\(output)")
            #expect(output.text.contains("two  Two"), "\(output)")
            #expect(output.errors.contains("connected again"))
        }
    }

    @Test(arguments: [([], 0), (["--count", "1"], 1)] as [([String], Int32)])
    func `Ctrl-C ends a watch`(words: [String], status: Int32) throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let watch = try bed.start("schedctl", ["watch"] + words)
            try #require(Deadline.usual.waits { watch.errors.contains("waiting for events") })
            watch.signal(SIGINT)
            #expect(watch.waitForExit() == status)
        }
    }

    @Test func `what was delivered is listed until it is dismissed`() throws {
        try TestBed.run { bed in
            _ = try bed.daemon()
            let added = try JSON(
                parsing: bed.schedctl("add", "--json", "--title", "Now", "--body", "B").text)
            let id = try #require(added["identifier"].string)
            #expect(id.utf8.count == 8)
            let delivered = try JSON(parsing: bed.schedctl("delivered", "--json").text)
            #expect(delivered[0]["identifier"].string == id)
            #expect(try bed.schedctl("delivered").text.contains("waiting"))
            #expect(try bed.schedctl("missed", "--json").text == "[]\n")
            let status = try JSON(parsing: bed.schedctl("status", "--json").text)
            #expect(status["delivered"].int == 1)
            #expect(status["waiting"].int == 1)
            #expect(try bed.schedctl("dismiss", id).text == "dismissed \(id) of schedctl\n")
            #expect(
                try bed.schedctl("delivered").text == "no delivered notifications\n")
        }
    }
}
