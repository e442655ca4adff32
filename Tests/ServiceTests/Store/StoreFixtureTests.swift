// A database of every format that schedd ever wrote is kept here, and has to be read for ever: its
// rows are those of `content`, whatever the present format is. To keep the database of a new
// format, run this test once with SCHEDD_WRITE_FIXTURE=1.

import CivilTime
import Foundation
import Scheduling
import SchedulerInterface
import Service
import TestSupport
import Testing
import Varlink

struct StoreFixtureTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures")

    private static func pending(
        _ sequence: Int64, _ trigger: Trigger, next: Occurrence,
        fired: FiredRanges = FiredRanges(), strideDay: Int? = nil
    ) -> PendingRequest {
        PendingRequest(
            app: "org.example.Diary",
            request: Request(
                identifier: "n\(sequence)",
                content: Content(
                    Wire.Content(
                        title: "Title \(sequence)", subtitle: "お茶", body: "Line\nline",
                        urgency: .critical, expireTimeoutUsec: 0,
                        userInfo: .object(["n": .int(1)]))),
                trigger: trigger, ifMissed: .skip, latenessLimit: 60_000_000),
            sequence: sequence, added: WallInstant("2026-06-01T09:00:00Z"), strideDay: strideDay,
            next: next,
            occurrenceCount: Int(sequence), fired: fired)
    }

    /// One row of each kind, every column of the format used.
    static func content(of version: Int) throws -> StoredState {
        let due = WallInstant("2026-12-01T09:00:00Z")
        let fired = WallInstant("2026-11-30T09:00:00Z")
        let pattern = try CalendarPattern(
            fields: [.weekday: [2, 3], .hour: [9, 18], .day: [-1]], firstWeekday: 1,
            minimumDaysInFirstWeek: 1, missingDay: .lastDay)
        let bounds = Bounds(startsAt: fired, endsAt: due, maxCount: 12)
        let calendar = CalendarTrigger(
            pattern: pattern, zone: "Europe/Berlin", repeats: true,
            stride: Stride(count: 2, unit: .week), bounds: bounds)
        let last = pending(3, .date(due), next: .wall(due))
        let calendarContent = last.request.content
        return StoredState(
            pending: [
                pending(1, .date(due), next: .wall(due)),
                pending(
                    2,
                    .interval(IntervalTrigger(period: 90_000_000, repeats: true, bounds: bounds)),
                    next: .boot(BootInstant(microseconds: 5_000_000))),
                pending(
                    3, .calendar(calendar), next: .wall(due),
                    fired: FiredRanges(ranges: [fired...fired]),
                    strideDay: version < 2 ? nil : 20_000),
            ],
            deliveries: [
                // Formats 1 and 2 have no numbers of the requests: new ones are given out.
                Delivery(
                    number: 1, app: "a", identifier: "x", sequence: version < 3 ? 4 : 3,
                    content: version < 3 ? Content(title: "T") : calendarContent, due: fired,
                    fired: fired, presented: due, late: true, missedCount: 3,
                    latenessLimit: 1_000_000),
                Delivery(
                    number: 2, app: "a", identifier: "y", sequence: version < 3 ? 5 : 4,
                    content: Content(title: "T"), due: fired, fired: fired, presented: nil,
                    late: false, missedCount: 0, latenessLimit: nil),
            ],
            missed: [
                Missed(
                    number: 1, app: "a", identifier: "z", title: "T", due: fired, recorded: due,
                    count: 2, reason: .zoneChanged)
            ],
            clock: ClockRecord(bootID: "0b7e", offset: 1_700_000_000_000_000),
            lastSequence: version < 3 ? 5 : 4, lastDelivery: 2, lastMissed: 1)
    }

    private static func changes(_ state: StoredState) -> [Change] {
        state.pending.map { .pending(before: nil, after: $0) }
            + state.deliveries.map { .delivery(before: nil, after: $0) }
            + state.missed.map { .missed(before: nil, after: $0) }
            + [.clock(before: nil, after: state.clock)]
    }

    /// The database as the schedd of that format wrote it.
    static func fixture(_ version: Int) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: "schedd-\(version).db")))
    }

    @Test func `a database of every format is read as it was written`() throws {
        if ProcessInfo.processInfo.environment["SCHEDD_WRITE_FIXTURE"] != nil {
            let folder = try StoreFolder()
            let (store, _, _) = try folder.open()
            try store.save(Self.changes(Self.content(of: Schema.version)))
            store.shut()
            let name = "schedd-\(Schema.version).db"
            try Data(contentsOf: URL(fileURLWithPath: folder.database))
                .write(to: Self.folder.appending(path: name))
        }
        for version in 1...Schema.version {
            let folder = try StoreFolder()
            try Files.write(Self.fixture(version), to: folder.database)
            let (store, state, notices) = try folder.open()
            store.shut()
            #expect(notices == [], "version \(version)")
            #expect(try state == Self.content(of: version), "version \(version)")
        }
    }
}
