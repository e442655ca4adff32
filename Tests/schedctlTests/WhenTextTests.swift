// Points in time as people type them, in zones with gaps and overlaps.

import CivilTime
import TestSupport
import Testing
import schedctl

struct WhenTextTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let text: String
        let now: String
        let zone: Zone
        let expected: String

        init(
            _ text: String, _ expected: String, now: String = "2026-11-30T12:00:00Z",
            _ zone: Zone = .berlin
        ) {
            self.text = text
            self.now = now
            self.zone = zone
            self.expected = expected
        }

        var testDescription: String { "\(text) in \(zone.name) at \(now)" }
    }

    static let cases: [Case] = [
        // Absolute forms need no zone.
        Case("@1796115600", "2026-12-01T09:00:00Z"),
        Case("@1796115600.25", "2026-12-01T09:00:00.250000Z"),
        Case("@0", "1970-01-01T00:00:00Z"),
        Case("@-1.5", "1969-12-31T23:59:58.500000Z"),
        Case("2026-12-01T09:00:00Z", "2026-12-01T09:00:00Z"),
        Case("2026-12-01t09:00:00z", "2026-12-01T09:00:00Z"),
        Case("2026-12-01T09:00:00+05:45", "2026-12-01T03:15:00Z"),
        Case("2026-12-01 09:00-03:30", "2026-12-01T12:30:00Z"),
        Case("2026-12-01 09:00:00.123456789 +01:00", "2026-12-01T08:00:00.123456Z"),
        // Local ones.
        Case("2026-12-01 09:00", "2026-12-01T08:00:00Z"),
        Case("2026-12-01 09:00:30", "2026-12-01T08:00:30Z"),
        Case("2026-12-01T09:00:30.5", "2026-12-01T08:00:30.500000Z"),
        Case("2026-07-01 09:00", "2026-07-01T07:00:00Z"),
        Case("2028-02-29 00:00", "2028-02-28T23:00:00Z"),
        Case("2026-12-01 09:00", "2026-11-30T22:00:00Z", .lordHowe),
        // The gap: the first instant after it, whatever the time within it.
        Case("2027-03-28 02:30", "2027-03-28T01:00:00Z"),
        Case("2027-03-28 02:59:59.9", "2027-03-28T01:00:00Z"),
        Case("2027-03-28 03:00", "2027-03-28T01:00:00Z"),
        Case("2027-10-03 02:15", "2027-10-02T15:30:00Z", .lordHowe),
        Case("2027-03-14 00:30", "2027-03-14T05:00:00Z", .havana),
        // The overlap: the first pass, unless it has gone by and the second has not.
        Case("2027-10-31 02:30", "2027-10-31T00:30:00Z"),
        Case("2027-10-31 02:30", "2027-10-31T01:30:00Z", now: "2027-10-31T00:45:00Z"),
        Case("2027-10-31 02:30", "2027-10-31T01:30:00Z", now: "2027-10-31T00:30:00Z"),
        Case("2027-10-31 02:30", "2027-10-31T00:30:00Z", now: "2027-10-31T02:00:00Z"),
        // A time of day: today, or tomorrow when it has gone by.
        Case("13:30", "2026-11-30T12:30:00Z"),
        Case("13:00", "2026-12-01T12:00:00Z"),
        Case("9:00", "2026-12-01T08:00:00Z"),
        Case("09:00:30", "2026-12-01T08:00:30Z"),
        Case("23:59", "2026-11-30T22:59:00Z"),
        Case("00:00", "2026-11-30T23:00:00Z"),
        Case("02:30", "2027-03-28T01:00:00Z", now: "2027-03-27T20:00:00Z"),
        Case("02:30", "2027-10-31T01:30:00Z", now: "2027-10-31T00:40:00Z"),
        Case("02:30", "2027-11-01T01:30:00Z", now: "2027-10-31T01:40:00Z"),
        Case("00:30", "2027-03-14T05:00:00Z", now: "2027-03-13T12:00:00Z", .havana),
    ]

    @Test(arguments: cases)
    func `a point in time is read`(_ row: Case) throws {
        let instant = try WhenText(text: row.text)
            .instant(in: row.zone, after: WallInstant(row.now))
        #expect(instant.text == row.expected)
    }

    @Test func `a day that the zone never had has no times of day`() throws {
        // A made-up zone that jumps over a whole day, as Samoa did: 24 hours at a transition.
        let zone = Zone.made("Jump", "AAA12BBB-12,J364/0,J60/0")
        let now = WallInstant("2026-12-30T11:00:00Z")
        let instant = try WhenText(text: "09:00").instant(in: zone, after: now)
        #expect(instant.text == "2026-12-30T21:00:00Z")
    }

    static let refused: [(String, String)] = [
        ("", "not a point in time"), ("tomorrow", "not a point in time"),
        ("2026-12-01", "time of day"),
        ("2026-13-01 09:00", "month 13"), ("2026-02-30 09:00", "that month has 28 days"),
        ("2026-12-00 09:00", "day 0"), ("0000-01-01 00:00", "year 0"), ("24:00", "hour 24"),
        ("09:60", "minute 60"), ("2026-12-01 09:00:60", "second 60"), ("9", "not a point in time"),
        ("09:00x", "not a point in time"), ("09:00:00.5", "not a point in time"),
        ("2026-12-01 09:00 PM", "not a point in time"), ("2026-1-1 09:00", "not a point in time"),
        ("12026-12-01 09:00", "not a point in time"), ("@", "not a point in time"),
        ("@12x", "not a point in time"), ("@1.", "not a point in time"),
        ("2026-12-01T09:00:00+0100", "not a point in time"),
        ("2026-12-01T09:00:00+24:00", "not a point in time"),
        ("@9999999999999", "not a point in time"),
        ("2026-12-01  09:00", "not a point in time"), ("\u{1B}[2J", "\\x1b[2J"),
    ]

    @Test(arguments: refused)
    func `what is not a point in time is refused with the reason`(text: String, reason: String) {
        do throws(UsageError) {
            Issue.record("'\(text)' is read as \(try WhenText(text: text))")
        } catch {
            #expect(error.message.contains(reason), "\(error.message)")
        }
    }
}
