// From words to typed commands, and what is said of words that make none.

import CivilTime
import Platform
import SchedulerInterface
import TestSupport
import Testing
import schedctl

struct CommandLineTests {
    static let triggers: [([String], Wire.Trigger?)] = [
        ([], nil),
        (["--at", "2026-12-02 09:00"], .init(date: .init(atUsec: 1_796_198_400_000_000))),
        (
            ["--at", "2026-12-02 09:00", "--zone", "Australia/Lord_Howe"],
            .init(date: .init(atUsec: 1_796_162_400_000_000))
        ),
        (["--at=@1796198400"], .init(date: .init(atUsec: 1_796_198_400_000_000))),
        (["--in", "1h30m"], .init(interval: .init(seconds: 5_400))),
        (["--every", "90s"], .init(interval: .init(seconds: 90), repeats: true)),
        (
            ["--every", "1d", "--starts", "@1796198400", "--ends", "2026-12-03 09:00"],
            .init(
                interval: .init(seconds: 86_400), repeats: true,
                startsAtUsec: 1_796_198_400_000_000, endsAtUsec: 1_796_284_800_000_000)
        ),
        (
            ["--on", "Mon..Fri 09:00"],
            .init(calendar: .init(expression: "Mon..Fri 09:00"), repeats: true)
        ),
        (["--on", "daily", "--once"], .init(calendar: .init(expression: "daily"))),
        (
            ["--on", "daily", "--zone", "America/Havana", "--count", "3"],
            .init(
                calendar: .init(expression: "daily", timeZone: "America/Havana"), repeats: true,
                maxCount: 3)
        ),
        (
            ["--calendar", #"{"hour":[9],"weekday":[2,6]}"#],
            .init(calendar: .init(weekday: [2, 6], hour: [9]), repeats: true)
        ),
        (
            ["--calendar", #"{"hour":[9],"timeZone":"UTC","every":{"count":2,"unit":"week"}}"#],
            .init(
                calendar: .init(hour: [9], timeZone: "UTC", every: .init(count: 2, unit: .week)),
                repeats: true)
        ),
        (
            ["--calendar", #"{"day":[31],"missingDay":"lastDay","minute":null}"#, "--once"],
            .init(calendar: .init(day: [31], missingDay: .lastDay))
        ),
    ]

    @Test(arguments: triggers)
    func `the options say when`(words: [String], trigger: Wire.Trigger?) throws {
        let add = try command(AddCommand.self, ["add", "--title", "Tea"] + words)
        #expect(add.request.trigger == trigger)
        let next = try command(NextCommand.self, ["next"] + words)
        #expect(next.trigger == trigger)
    }

    @Test func `add takes all that a request has`() throws {
        let add = try command(
            AddCommand.self,
            [
                "add", "--id", "tea", "--title", "Tea", "--subtitle", "Green", "--body", "Now",
                "--urgency", "critical", "--expire", "10s", "--if-missed", "skip",
                "--lateness-limit", "5m", "--when-full", "keepSoonest", "--app", "org.example.A",
            ])
        #expect(
            add.request
                == Wire.Request(
                    identifier: "tea",
                    content: .init(
                        title: "Tea", subtitle: "Green", body: "Now", urgency: .critical,
                        expireTimeoutUsec: 10_000_000), ifMissed: .skip, latenessLimit: 300))
        #expect(add.whenFull == .keepSoonest)
        #expect(add.globals == GlobalOptions(app: "org.example.A"))
        let forever = try command(AddCommand.self, ["add", "--body", "x", "--expire", "never"])
        #expect(forever.request.content.expireTimeoutUsec == 0)
        #expect(forever.request.identifier.isEmpty)
    }

    @Test(arguments: [
        ["--socket", "/s", "--app", "a", "--json", "list"],
        ["list", "--socket", "/s", "--app", "a", "--json"],
        ["--json", "--app=a", "list", "--socket=/s"], ["--soc", "/s", "--js", "list", "--ap", "a"],
        ["--socket", "list", "list", "--socket", "/s", "--app", "a", "--json"],
    ])
    func `global options stand before or after the command`(_ words: [String]) throws {
        guard case .run(let command, let globals) = try Invocation(arguments: words, time: .fixed)
        else {
            Issue.record("nothing to run")
            return
        }
        #expect(command is ListCommand)
        #expect(globals == GlobalOptions(socket: "/s", app: "a", json: true))
    }

    @Test func `help and version are asked for in every usual way`() throws {
        for words in [["--help"], ["-h"], ["help"], ["help", "help"], ["--json", "--help"]] {
            guard case .overview = try Invocation(arguments: words, time: .fixed) else {
                Issue.record("\(words) is no overview")
                continue
            }
        }
        for words in [["help", "add"], ["add", "--help"], ["add", "-h"], ["-h", "add"]] {
            guard case .help(let page) = try Invocation(arguments: words, time: .fixed) else {
                Issue.record("\(words) is no help")
                continue
            }
            #expect(page.name == "add")
        }
        for words in [["--version"], ["list", "--version"]] {
            guard case .version = try Invocation(arguments: words, time: .fixed) else {
                Issue.record("\(words) is no version")
                continue
            }
        }
    }

    @Test func `next counts and starts where it is told`() throws {
        let usual = try command(NextCommand.self, ["next", "--on", "daily"])
        #expect(usual.count == 5)
        #expect(usual.afterUsec == nil)
        let told = try command(
            NextCommand.self,
            ["next", "--on", "daily", "-n", "3", "--after", "2026-12-02 09:00"])
        #expect(told.count == 3)
        #expect(told.afterUsec == 1_796_198_400_000_000)
    }

    @Test func `watch and the removals take their words`() throws {
        let watch = try command(WatchCommand.self, ["watch", "--for", "fired", "--count", "2"])
        #expect(watch.kind == .fired)
        #expect(watch.count == 2)
        let remove = try command(RemoveCommand.self, ["remove", "a", "b", "a", "--", "--all"])
        #expect(remove.selection == .identifiers(["a", "b", "--all"]))
        #expect(try command(DismissCommand.self, ["dismiss", "--all"]).selection == .all)
        #expect(try command(ShowCommand.self, ["show", "a"]).identifier == "a")
    }
}
