// Every page of help and every kind of output as it looks. To renew them after a change, run the
// tests once with UPDATE_SNAPSHOTS=1 and read the difference.

import CivilTime
import SchedulerInterface
import TestSupport
import Testing
import Varlink
import schedctl

struct SnapshotTests {
    private static let now = WallInstant("2026-12-01T08:00:00Z").microseconds
    private static let minute: Int64 = 60_000_000

    @Test func `the overview`() throws {
        let page = HelpText.overview(of: Invocation.commands.map { $0.description })
        try expectSnapshot(page, "help")
        expectNarrow(page)
    }

    @Test(arguments: Invocation.commands.map { $0.description.name })
    func `the help of a command`(_ name: String) throws {
        guard case .help(let command) = try invocation(name, "--help") else {
            Issue.record("no help for \(name)")
            return
        }
        let page = HelpText.page(of: command)
        try expectSnapshot(page, "help-\(name)")
        expectNarrow(page)
    }

    private func expectNarrow(_ page: String) {
        for line in page.split(separator: "\n") where line.count > 80 {
            Issue.record("\(line.count) columns: \(line)")
        }
    }

    private static let pending: [Wire.PendingRequest] = [
        Wire.PendingRequest(
            app: "schedctl", identifier: "tea", content: .init(title: "Tea"),
            trigger: .init(interval: .init(seconds: 1_200)), ifMissed: .deliver, addedUsec: now,
            nextUsec: now + 20 * minute, occurrenceCount: 0),
        Wire.PendingRequest(
            app: "org.example.Clock", identifier: "お茶",
            content: .init(
                title: "お茶の時間\u{1B}[2J", subtitle: "Green", body: "First line\nsecond line",
                urgency: .critical, expireTimeoutUsec: 0,
                userInfo: .object(["cups": .int(2)])),
            trigger: .init(
                calendar: .init(expression: "Mon..Fri 09:00", timeZone: "Asia/Tokyo"),
                repeats: true, endsAtUsec: now + 100_000 * minute, maxCount: 9),
            ifMissed: .deliver, latenessLimit: 3_600, addedUsec: now - 500 * minute,
            nextUsec: now + 3_000 * minute, occurrenceCount: 1),
        Wire.PendingRequest(
            app: "a", identifier: "late", content: .init(body: "Only a body"),
            trigger: .init(date: .init(atUsec: now - 1)), ifMissed: .skip, addedUsec: now - minute,
            nextUsec: now - 1, occurrenceCount: 0),
    ]

    /// Skipped when missed, and not to wait long for the screen.
    private static var limited: Wire.PendingRequest {
        var request = pending[2]
        request.identifier = "limited"
        request.latenessLimit = 90
        return request
    }

    @Test func `the list in a pipe and on a narrow terminal`() throws {
        let table = ListingText.pending(Self.pending, .fixed)
        try expectSnapshot(table.text(width: nil, style: .plain), "list")
        try expectSnapshot(table.text(width: 80, style: .plain), "list-narrow")
        try expectSnapshot(
            table.text(width: nil, style: TextStyle(isColoured: true)), "list-coloured")
    }

    @Test func `one request in full`() throws {
        let pages = (Self.pending + [Self.limited]).map { RequestText.text($0, .fixed) }
        try expectSnapshot(pages.joined(separator: "\n"), "show")
    }

    @Test func `what was delivered and what was missed`() throws {
        let delivered = [
            Wire.DeliveredNotification(
                app: "schedctl", identifier: "tea", delivery: 7, content: .init(title: "Tea"),
                dueUsec: Self.now - 5 * Self.minute, firedUsec: Self.now - 5 * Self.minute,
                presentedUsec: Self.now - 5 * Self.minute, late: false, missedCount: 0),
            Wire.DeliveredNotification(
                app: "a", identifier: "b", delivery: 8, content: .init(subtitle: "Sub"),
                dueUsec: Self.now - 500 * Self.minute, firedUsec: Self.now, presentedUsec: nil,
                late: true,
                missedCount: 3),
        ]
        try expectSnapshot(
            ListingText.delivered(delivered, .fixed).text(width: nil, style: .plain), "delivered")
        let missed = Wire.MissedReason.allCases.enumerated().map { index, reason in
            Wire.MissedNotification(
                app: "a", identifier: "id\(index)", title: index == 0 ? nil : "Title",
                dueUsec: Self.now - Int64(index + 1) * 700 * Self.minute,
                recordedUsec: Self.now, count: Int64(index + 1), reason: reason)
        }
        try expectSnapshot(
            ListingText.missed(missed, .fixed).text(width: nil, style: .plain), "missed")
    }

    @Test func `what add says`() throws {
        let added = Wire.Added(
            identifier: "tea", nextUsec: Self.now + 20 * Self.minute, replaced: false,
            backlogged: false)
        let replaced = Wire.Added(
            identifier: "tea", nextUsec: Self.now + 20 * Self.minute, replaced: true,
            backlogged: true)
        let evicted = [Wire.Evicted(identifier: "x", nextUsec: Self.now + 9_000 * Self.minute)]
        try expectSnapshot(
            AddedText.text(added, isNow: false, evicted: [], .fixed)
                + AddedText.text(replaced, isNow: false, evicted: evicted, .fixed)
                + AddedText.text(added, isNow: true, evicted: [], .fixed), "add")
    }

    @Test func `the next times`() throws {
        let reply = SchedulerMethod.Preview.Reply(
            occurrences: [
                .init(
                    atUsec: Self.now + 60 * Self.minute, utcOffsetSeconds: 3_600,
                    abbreviation: "CET"),
                .init(
                    atUsec: Self.now + 180_000 * Self.minute, utcOffsetSeconds: 7_200,
                    abbreviation: "CEST"),
            ], expression: "Mon..Fri *-*-* 10:00:00", words: "every Monday to Friday at 10:00",
            timeZone: "Europe/Berlin")
        var none = reply
        none.occurrences = []
        none.expression = nil
        try expectSnapshot(
            PreviewText.text(reply, .fixed, width: nil, style: .plain) + "\n"
                + PreviewText.text(none, .fixed, width: nil, style: .plain), "next")
    }

    @Test func `events, one a line`() throws {
        let events = Wire.EventKind.allCases.map { kind in
            Wire.Event(
                kind: kind, app: "a", identifier: "tea", atUsec: Self.now,
                nextUsec: kind == .added || kind == .fired ? Self.now + Self.minute : nil,
                dueUsec: Self.now - Self.minute, delivery: nil, late: kind == .fired ? true : nil,
                missedCount: kind == .fired || kind == .missed ? 2 : nil,
                title: kind == .added || kind == .fired ? "Tea\nfor two" : nil,
                removal: kind == .removed ? .replaced : nil,
                missed: kind == .missed ? .latenessLimit : nil)
        }
        let lines = events.map { EventText.line($0, in: .berlin, style: .plain) + "\n" }
        try expectSnapshot(lines.joined(), "events")
    }

    @Test func `the status when all is well and when nothing is`() throws {
        let well = ManagerMethod.GetStatus.Reply.made(now: Self.now) {
            $0.notificationServer = "dunst 1.9.0"
        }
        let ill = ManagerMethod.GetStatus.Reply.made(now: Self.now) {
            $0.nextUsec = nil
            $0.pending = 0
            $0.waiting = 2
            $0.storage = .failing
            $0.storageMessage = "disk I/O error\nat write"
            $0.presentation = .noServer
            $0.presentationMessage = "org.freedesktop.DBus.Error.ServiceUnknown"
        }
        try expectSnapshot(
            StatusText.text(well, .fixed, style: .plain) + "\n"
                + StatusText.text(ill, .fixed, style: .plain), "status")
    }
}
