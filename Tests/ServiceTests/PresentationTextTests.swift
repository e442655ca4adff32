// What text becomes on its way to a notification server: literal, whole characters, within limits.

import SchedulerInterface
import Service
import Testing

@Suite struct `Presentation text` {
    struct Escaping: Sendable, CustomTestStringConvertible {
        let text: String
        let escaped: String
        var testDescription: String { text }
    }

    static let escapings = [
        Escaping(
            text: "Tom & Jerry <tom@example.com> 1 < 2",
            escaped: "Tom &amp; Jerry &lt;tom@example.com&gt; 1 &lt; 2"),
        Escaping(text: "&amp;", escaped: "&amp;amp;"),
        Escaping(text: "\"quoted\" and 'so'", escaped: "&quot;quoted&quot; and &#39;so&#39;"),
        Escaping(text: "nothing to do", escaped: "nothing to do"),
        Escaping(text: "", escaped: ""),
    ]

    @Test(arguments: escapings)
    func `B69: body text is escaped exactly when the server reads markup`(_ row: Escaping) {
        let presentation = Presentation(deliveryID: 1, app: "app", title: row.text, body: row.text)
        let markup = NotificationCall(
            presentation, replacesID: 0, capabilities: ["body", "body-markup"])
        #expect(markup.body == row.escaped)
        #expect(markup.summary == row.text)
        let plain = NotificationCall(presentation, replacesID: 0, capabilities: ["body"])
        #expect(plain.body == row.text)
        #expect(plain.summary == row.text)
    }

    @Test
    func `B70: markup in a body or subtitle stays literal, also at a server that would not tell`() {
        let attack =
            #"<font color="red"><b>SYSTEM</b></font> <a href="http://evil.test">log in</a>"#
            + #"<img src="file:///etc/passwd">"#
        let presentation = Presentation(
            deliveryID: 1, app: "app", title: "t", subtitle: attack, body: attack)
        let known: Set<String> = ["body-markup", "body-hyperlinks", "body-images"]
        for capabilities in [known, nil] {
            let call = NotificationCall(presentation, replacesID: 0, capabilities: capabilities)
            #expect(!call.body.contains("<") && !call.body.contains(">"))
            #expect(call.body.contains("&lt;img src=&quot;file:///etc/passwd&quot;&gt;"))
        }
    }

    @Test(
        arguments: [
            (nil, -1), (0, 0), (20_000_000, 20_000), (500, 1), (1, 1), (1000, 1), (1001, 2),
            (30 * 86_400 * 1_000_000, 2_147_483_647), (Int64.max, Int32.max), (-5, -1),
        ] as [(Int64?, Int32)])
    func `B71: expire timeouts are milliseconds rounded up and clamped`(
        usec: Int64?, milliseconds: Int32
    ) {
        let presentation = Presentation(
            deliveryID: 1, app: "a", title: "t", expireTimeoutUsec: usec)
        let call = NotificationCall(presentation, replacesID: 0, capabilities: [])
        #expect(call.expireTimeout == milliseconds)
    }

    @Test func `B73: without the capability no actions are sent`() {
        let actions = [
            PresentationAction(key: "default", label: "Open"),
            PresentationAction(key: "later", label: "Later"),
        ]
        let presentation = Presentation(deliveryID: 1, app: "a", title: "t", actions: actions)
        for capabilities in [["body"], nil] as [Set<String>?] {
            let call = NotificationCall(presentation, replacesID: 0, capabilities: capabilities)
            #expect(call.actions == [])
        }
        let call = NotificationCall(presentation, replacesID: 0, capabilities: ["actions"])
        #expect(call.actions == ["default", "Open", "later", "Later"])
    }

    struct Cut: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let character: Character
    }

    static let cuts = [
        Cut(testDescription: "3-byte character", character: "€"),
        Cut(testDescription: "flag", character: "🇳🇴"),
        Cut(testDescription: "base and combining mark", character: "e\u{301}"),
        Cut(testDescription: "family", character: "👨‍👩‍👧‍👦"),
        Cut(testDescription: "ASCII", character: "x"),
        Cut(testDescription: "CR LF", character: "\r\n"),
    ]

    @Test(arguments: cuts)
    func `B76: a text is cut between characters wherever the limit falls`(_ row: Cut) {
        let width = String(row.character).utf8.count
        // Each start shifts where the limit falls inside the character.
        for shift in 0...width {
            let start = String(repeating: "a", count: shift)
            let text = start + String(repeating: row.character, count: 2000)
            let cut = NotificationText.cut(text, limitBytes: 1024)
            #expect(cut.utf8.count <= 1024)
            #expect(cut.utf8.count > 1024 - 3 - width - shift)
            #expect(cut.hasSuffix(NotificationText.cutMark))
            let kept = cut.dropLast()
            #expect(text.hasPrefix(kept))
            #expect(kept.dropFirst(shift).allSatisfy { $0 == row.character })
        }
    }

    @Test func `B76: a text that fits is not touched, one byte more is cut`() {
        let whole = String(repeating: "x", count: 1024)
        #expect(NotificationText.cut(whole, limitBytes: 1024) == whole)
        let cut = NotificationText.cut(whole + "x", limitBytes: 1024)
        #expect(cut == String(repeating: "x", count: 1021) + "…")
    }

    @Test func `B76: one character longer than the limit leaves the cut mark alone`() {
        let tower = "a" + String(repeating: "\u{301}", count: 1000)
        #expect(tower.count == 1)
        #expect(NotificationText.cut(tower, limitBytes: 1024) == "…")
    }

    @Test func `B76: what D-Bus and renderers refuse is left out or replaced`() {
        var text = "a\u{0}b\u{1B}c"
        for (scalar, letter) in [(0xFFFE, "d"), (0xFDD0, "e"), (0x1FFFF, "f")] as [(UInt32, String)]
        {
            text.unicodeScalars.append(contentsOf: [Unicode.Scalar(scalar)].compactMap { $0 })
            text += letter
        }
        text += "\tg\u{86}h"
        #expect(
            NotificationText.paragraph(text, limitBytes: 1024)
                == "abc\u{FFFD}d\u{FFFD}e\u{FFFD}f\tgh")
    }

    @Test func `B76: invalid bytes that became replacement characters pass`() {
        let text = String(decoding: [0x61, 0xFF, 0x62], as: UTF8.self)
        #expect(NotificationText.paragraph(text, limitBytes: 1024) == "a\u{FFFD}b")
    }

    @Test(arguments: [
        ("one\ntwo", "one two"), ("one\r\ntwo", "one two"), ("a\tb", "a b"),
        ("a\u{2028}b", "a b"), ("plain", "plain"),
    ])
    func `a title is one line`(title: String, summary: String) {
        let presentation = Presentation(deliveryID: 1, app: title, title: title)
        let call = NotificationCall(presentation, replacesID: 0, capabilities: [])
        #expect(call.summary == summary)
        #expect(call.appName == summary)
    }

    @Test(arguments: [
        "a\nb", "a\rb", "a\r\nb", "a\u{B}b", "a\u{C}b", "a\u{85}b", "a\u{2028}b", "a\u{2029}b",
    ])
    func `a line break of any kind in a body is one line break`(body: String) {
        let presentation = Presentation(deliveryID: 1, app: "a", title: "t", body: body)
        let call = NotificationCall(presentation, replacesID: 0, capabilities: ["body"])
        #expect(call.body == "a\nb")
        let twice = Presentation(deliveryID: 1, app: "a", title: "t", body: body + body)
        #expect(NotificationCall(twice, replacesID: 0, capabilities: nil).body == "a\nba\nb")
    }

    @Test(
        arguments: [
            ("sub", "body", "sub\nbody"), ("sub", nil, "sub"), (nil, "body", "body"),
            (nil, nil, ""),
            ("", "body", "body"), ("two\nlines", "b1\nb2", "two lines\nb1\nb2"),
        ] as [(String?, String?, String)])
    func `the subtitle is the first line of the body`(
        subtitle: String?, body: String?, sent: String
    ) {
        let presentation = Presentation(
            deliveryID: 1, app: "a", title: "t", subtitle: subtitle, body: body)
        let call = NotificationCall(presentation, replacesID: 0, capabilities: [])
        #expect(call.body == sent)
    }

    @Test(arguments: [5000, 2_000_000])
    func `B77: huge text is shortened to the documented sizes`(count: Int) {
        let huge = String(repeating: "\"", count: count)
        let presentation = Presentation(
            deliveryID: 1, app: huge, title: huge, subtitle: huge, body: huge, desktopEntry: huge)
        let call = NotificationCall(presentation, replacesID: 0, capabilities: ["body-markup"])
        #expect(call.appName.utf8.count <= NotificationText.nameLimitBytes)
        #expect(call.summary.utf8.count <= NotificationText.summaryLimitBytes)
        let plain = NotificationText.subtitleLimitBytes + 1 + NotificationText.bodyLimitBytes
        #expect(call.body.utf8.count <= 6 * plain)
        guard case .string(let entry)? = call.hints.last?.value else {
            Issue.record("no desktop entry in \(call.hints)")
            return
        }
        #expect(entry.utf8.count <= NotificationText.nameLimitBytes)
    }

    @Test(arguments: Wire.Urgency.allCases)
    func `urgency is the byte of the specification`(urgency: Wire.Urgency) throws {
        let presentation = Presentation(deliveryID: 1, app: "a", title: "t", urgency: urgency)
        let call = NotificationCall(presentation, replacesID: 7, capabilities: [])
        let byte: UInt8 = try #require([.low: 0, .normal: 1, .critical: 2][urgency])
        #expect(call.hints == [NotificationHint(name: "urgency", value: .byte(byte))])
        #expect(call.replacesID == 7)
    }

    @Test(
        arguments: [
            (1, .expired), (2, .dismissed), (3, .closedByCall), (4, .undefined), (99, .undefined),
            (0, .undefined),
        ] as [(UInt32, CloseReason)])
    func `B73: close reasons by number, only 2 is the user`(number: UInt32, reason: CloseReason) {
        #expect(CloseReason(number: number) == reason)
    }
}
