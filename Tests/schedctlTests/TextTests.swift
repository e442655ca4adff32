// Widths, escapes, tables and instants.

import CivilTime
import TestSupport
import Testing
import schedctl

struct TextTests {
    static let widths: [(String, Int)] = [
        ("", 0), ("Tea", 3), ("Tee mit Süße", 12), ("e\u{301}", 1), ("お茶の時間", 10),
        ("한글", 4), ("ﾊﾝｶｸ", 4), ("ＡＢ", 4), ("☕", 2), ("❤", 1), ("❤\u{FE0F}", 2),
        ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("👍🏽", 2), ("a\u{200D}", 1), ("…", 1), ("𠀀", 2),
    ]

    @Test(arguments: widths)
    func `width counts columns, not characters`(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test func `cutting never splits a character and never exceeds the width`() {
        #expect(DisplayWidth.truncate("お茶の時間", to: 5) == "お茶…")
        #expect(DisplayWidth.truncate("お茶の時間", to: 6) == "お茶…")
        #expect(DisplayWidth.truncate("👩‍👩‍👧👩‍👩‍👧", to: 3) == "👩‍👩‍👧…")
        #expect(DisplayWidth.truncate("Tea", to: 3) == "Tea")
        #expect(DisplayWidth.truncate("Teatime", to: 3) == "Te…")
        #expect(DisplayWidth.truncate("Tea", to: 1) == "…")
        #expect(DisplayWidth.truncate("Tea", to: 0) == "")
    }

    static let escapes: [(String, String)] = [
        ("plain ☕ text", "plain ☕ text"), ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("\u{1B}]0;owned\u{7}", "\\x1b]0;owned\\x07"), ("\u{9B}31m", "\\x9b31m"),
        ("\u{202E}txt.exe", "\\u{202e}txt.exe"), ("a\u{2028}b", "a\\u{2028}b"),
        ("\u{FEFF}a", "\\u{feff}a"), ("👩‍👧", "👩‍👧"), ("\r\n", "\\r\\n"), ("\u{7F}", "\\x7f"),
    ]

    @Test(arguments: escapes)
    func `what could play with a terminal is shown as an escape`(text: String, safe: String) {
        #expect(EscapedText.line(text) == safe)
    }

    @Test func `a block keeps its lines`() {
        #expect(EscapedText.block("one\ntwo\u{1B}[2J") == "one\ntwo\\x1b[2J")
    }

    private let table = Table(
        columns: [.init("ID", shortest: 4), .init("N"), .init("TITLE", shortest: 5)],
        rows: [["breakfast", "1", "お茶の時間です"], ["b", "22", "Tea\nfor two"]])

    @Test func `columns are aligned by width and nothing is cut in a pipe`() {
        #expect(
            table.text(width: nil, style: .plain) == """
                ID         N   TITLE
                breakfast  1   お茶の時間です
                b          22  Tea\\nfor two

                """)
    }

    @Test(arguments: 17...40)
    func `a table fits the terminal as long as its columns may be cut`(width: Int) {
        let lines = table.text(width: width, style: .plain).split(separator: "\n")
        let widest = lines.map { DisplayWidth.of(String($0)) }.max() ?? 0
        #expect(widest <= width)
        #expect(widest >= min(width, 29) - 1)
    }

    @Test func `names are cut when nothing else is left`() {
        var named = table
        named.columns[0].isName = true
        #expect(
            named.text(width: 20, style: .plain) == """
                ID         N   TITLE
                breakfast  1   お茶…
                b          22  Tea\\…

                """)
        #expect(named.text(width: 15, style: .plain) == table.text(width: 15, style: .plain))
    }

    @Test func `the widest column is cut first, and none below its least`() {
        #expect(
            table.text(width: 20, style: .plain) == """
                ID       N   TITLE
                breakf…  1   お茶の…
                b        22  Tea\\nf…

                """)
        #expect(table.text(width: 1, style: .plain) == table.text(width: 15, style: .plain))
    }

    @Test func `colour is for terminals that want it`() {
        func style(_ isTerminal: Bool, _ variables: [String: String]) -> Bool {
            TextStyle(isTerminal: isTerminal, environment: { variables[$0] }).isColoured
        }
        #expect(style(true, ["TERM": "xterm"]))
        #expect(!style(false, ["TERM": "xterm"]))
        #expect(!style(true, ["NO_COLOR": "1"]))
        #expect(style(true, ["NO_COLOR": ""]))
        #expect(!style(true, ["TERM": "dumb"]))
        #expect(TextStyle.plain.bold("x") == "x")
        #expect(TextStyle(isColoured: true).bold("x") == "\u{1B}[1mx\u{1B}[0m")
    }

    @Test func `instants are shown in a zone with its offset`() {
        let instant = WallInstant("2026-12-01T08:00:00.999999Z").microseconds
        #expect(TimeText.local(instant, in: .berlin) == "Tue 2026-12-01 09:00:00")
        #expect(
            TimeText.localWithOffset(instant, in: .lordHowe) == "Tue 2026-12-01 19:00:00 +11:00")
        #expect(TimeText.utc(instant) == "2026-12-01 08:00:00 UTC")
        #expect(TimeText.local(-1, in: .utc) == "Wed 1969-12-31 23:59:59")
        #expect(TimeText.offset(-12_600) == "-03:30")
        #expect(TimeText.offset(-1_172) == "-00:19:32")
    }
}
