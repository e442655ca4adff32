// What is said of a wrong command line: what is wrong, and where to read more.

import Testing
import schedctl

struct UsageErrorTests {
    static let refused: [(String, String)] = [
        ("", "a command is missing"),
        ("lst", "there is no command 'lst'; there are add, next, list"),
        ("help lst", "there is no command 'lst'"),
        ("help add list", "unexpected argument 'list'"),
        ("list --frobnicate", "unknown option --frobnicate"),
        ("list -x", "unknown option -x"),
        ("list extra", "unexpected argument 'extra'"),
        ("list --json=yes", "option --json takes no value"),
        ("list --app", "option --app needs a value: --app ID"),
        ("list --app=", "--app needs the id of an app"),
        ("list --socket=", "--socket needs a path"),
        ("add", "nothing to say: give --title, --subtitle or --body"),
        ("add --title=", "nothing to say"),
        ("add Tea", "for a title write --title 'Tea'"),
        ("add --title T --id=", "an id is not empty"),
        ("add --title T --at 09:00 --in 5m", "--at and --in exclude each other"),
        ("add --title T --on daily --every 1d", "--every and --on exclude each other"),
        ("add --title T --in 5", "--in: 5 has no unit; write 5s, 5m, 5h or 5d"),
        ("add --title T --in 0s", "--in: a span must be more than 0"),
        ("add --title T --at 25:00", "--at: '25:00' is not a point in time: hour 25"),
        ("add --title T --at 09:00 --once", "--once goes with --on or --calendar only"),
        ("add --title T --in 5m --zone UTC", "--zone goes with"),
        ("add --title T --at 09:00 --zone Mars/Base", "--zone: there is no zone 'Mars/Base'"),
        ("add --title T --on daily --zone Mars/Base", "--zone: there is no zone 'Mars/Base'"),
        (
            "add --title T --calendar {\"hour\":[9],\"timeZone\":\"Mars/Base\"}",
            "--calendar: there is no zone 'Mars/Base'"
        ),
        ("add --title T --in 5m --count 3", "--count goes with a repeating trigger only"),
        ("add --title T --on daily --once --ends @9", "--ends goes with a repeating trigger only"),
        ("add --title T --every 1h --count 0", "--count: '0' is no whole number of at least 1"),
        ("add --title T --every 1h --count x", "--count: 'x' is no whole number"),
        ("add --title T --every 1h --starts @9 --ends @8", "--ends is before --starts"),
        ("add --title T --urgency high", "--urgency: 'high' is none of low, normal, critical"),
        ("add --title T --if-missed no", "--if-missed: 'no' is none of deliver, skip"),
        ("add --title T --when-full x", "none of fail, keepSoonest, keepLatestAdded"),
        ("add --title T --expire 5", "--expire: 5 has no unit"),
        ("add --title T --lateness-limit x", "--lateness-limit: 'x' is no span"),
        ("add --title T --calendar x", "--calendar: 'x' is no JSON"),
        ("add --title T --calendar [9]", "--calendar: an object is expected"),
        ("add --title T --calendar {\"hours\":[9]}", "there is no member 'hours'; there are year"),
        ("add --title T --calendar {\"hour\":9}", "'hour' is a set of whole numbers"),
        ("add --title T --calendar {\"hour\":[9.5]}", "'hour' takes whole numbers"),
        ("add --title T --calendar {\"timeZone\":1}", "'timeZone' is a text"),
        ("add --title T --calendar {\"missingDay\":\"x\"}", "\"skip\" or \"lastDay\""),
        ("add --title T --calendar {\"every\":2}", "'every' is an object such as"),
        (
            "add --title T --calendar {\"timeZone\":\"UTC\"} --zone UTC",
            "the calendar names the zone 'UTC' itself"
        ),
        ("next -n 0 --on daily", "--number: '0' is no whole number"),
        ("next --after x --on daily", "--after: 'x' is not a point in time"),
        ("show", "an ID is missing; 'schedctl list' shows them"),
        ("show a b", "unexpected argument 'b'"),
        ("remove", "an ID is missing; give one or more, or --all"),
        ("remove a --all", "--all and an ID exclude each other"),
        ("dismiss", "an ID is missing"),
        ("watch --for x", "--for: 'x' is none of added, rescheduled, removed"),
        ("watch --count 0", "--count: '0' is no whole number"),
    ]

    @Test(arguments: refused)
    func `a wrong command line is told what is wrong`(line: String, reason: String) throws {
        let words = line.split(separator: " ").map(String.init)
        let error = try #require(refusal(of: words), "\(line) is taken")
        #expect(error.message.contains(reason), "\(error.message)")
    }

    @Test func `what is not UTF-8 is refused by the name of its option, whatever the command`() {
        func refusal(_ words: String...) -> String? {
            let bytes = words.map { $0.utf8.map { $0 == UInt8(ascii: "?") ? 0xFE : $0 } }
            do throws(UsageError) {
                _ = try Invocation(words: bytes, time: .fixed)
                return nil
            } catch {
                return error.message
            }
        }
        #expect(refusal("add", "--title", "T", "--id", "?") == "--id is not UTF-8")
        #expect(refusal("--app=?", "list") == "--app is not UTF-8")
        #expect(refusal("next", "-n", "?") == "-n is not UTF-8")
        #expect(refusal("remove", "tea", "?") == "argument 3 is not UTF-8")
        #expect(refusal("add", "--title", "T", "--id", "\u{FFFD}") == nil)
    }

    @Test func `a mistake in an expression is marked`() throws {
        let error = try #require(refusal(of: ["next", "--on", "Mon..お茶 09:00"]))
        let lines = error.message.split(separator: "\n")
        #expect(lines.suffix(2) == ["  Mon..お茶 09:00", "       ^"], "\(error.message)")
    }

    @Test func `a zone in an expression is looked at like one of its own`() throws {
        let unknown = try #require(refusal(of: ["next", "--on", "Mon 09:00 Mars/Base"]))
        #expect(unknown.message == "--on: there is no zone 'Mars/Base'")
        #expect(refusal(of: ["next", "--on", "Mon 09:00 Europe/Berlin"]) == nil)
        let words = ["next", "--on", "daily UTC", "--zone", "UTC"]
        #expect(refusal(of: words)?.message.contains("names the zone 'UTC' itself") == true)
    }

    @Test func `the error points to the help of the command and is short`() throws {
        let error = try #require(refusal(of: ["add", "--title", "T", "--in", "5"]))
        #expect(
            error.text == """
                schedctl: --in: 5 has no unit; write 5s, 5m, 5h or 5d
                Try 'schedctl add --help'.

                """)
        let general = try #require(refusal(of: ["lst"]))
        #expect(general.text.hasSuffix("\nTry 'schedctl --help'.\n"))
    }

    @Test func `what the user typed cannot play with the terminal`() throws {
        let error = try #require(refusal(of: ["list", "\u{1B}[2J"]))
        #expect(error.text.contains("\\x1b[2J"))
        #expect(!error.text.contains("\u{1B}"))
        let option = try #require(refusal(of: ["list", "--\u{1B}[2J"]))
        #expect(!option.text.contains("\u{1B}"))
    }
}
