// What each field means, alone and with others; what is refused and how; strides; one-shots in an
// overlap. All in UTC but where a zone is the matter, so the dates can be checked on any calendar.

import CivilTime
import TestSupport
import Testing

private typealias Fields = [CalendarPattern.Field: [Int]]

private func dates(
    _ pattern: CalendarPattern, after start: String, count: Int, in zone: Zone = .utc,
    every stride: Stride? = nil, anchor: String? = nil
) -> [String] {
    var instant = WallInstant(start)
    var result: [String] = []
    while result.count < count,
        let next = pattern.next(
            after: instant, in: zone, every: stride,
            anchor: anchor.map { .instant(WallInstant($0)) })
    {
        result.append(next.text)
        instant = next
    }
    return result
}

/// `2027-01-04` stands for its midnight.
private func midnights(_ dates: [String]) -> [String] {
    dates.map { $0.contains("T") ? $0 : $0 + "T00:00:00Z" }
}

@Suite
struct PatternFieldTests {
    /// From noon of Monday, 30 November 2026.
    @Test(arguments: [
        ("weekday=6", ["2026-12-04", "2026-12-11"]),
        ("weekday=2 weekdayOrdinal=1", ["2026-12-07", "2027-01-04", "2027-02-01"]),
        ("weekday=6 weekdayOrdinal=-1", ["2026-12-25", "2027-01-29", "2027-02-26"]),
        ("weekday=2 weekdayOrdinal=5", ["2027-03-29", "2027-05-31"]),
        ("weekday=2 weekdayOrdinal=-5", ["2027-03-01", "2027-05-03"]),
        ("weekdayOrdinal=2", ["2026-12-14", "2027-01-11"]),
        ("weekOfYear=53", ["2026-12-28", "2032-12-27", "2037-12-28"]),
        ("weekOfYear=53 weekday=6", ["2027-01-01", "2032-12-31"]),
        ("weekOfYear=-1", ["2026-12-28", "2027-12-27"]),
        ("weekOfYear=1 firstWeekday=1 minimumDaysInFirstWeek=1", ["2026-12-27", "2027-12-26"]),
        ("month=2 weekOfYear=6", ["2027-02-08", "2028-02-07"]),
        ("weekOfMonth=1", ["2026-12-01", "2027-01-04", "2027-02-01"]),
        ("weekOfMonth=0", ["2027-01-01", "2027-05-01", "2027-08-01"]),
        ("weekOfMonth=-1", ["2026-12-28", "2027-01-25", "2027-02-22"]),
        ("weekOfMonth=1 weekday=1", ["2026-12-06", "2027-01-10", "2027-02-07"]),
        ("yearForWeekOfYear=2026 weekOfYear=53 weekday=6", ["2027-01-01"]),
        ("yearForWeekOfYear=2027 weekOfYear=1 weekday=6", ["2027-01-08"]),
        ("yearForWeekOfYear=2027", ["2027-01-04"]),
        ("yearForWeekOfYear=2027 month=3", ["2027-03-01"]),
        ("quarter=2", ["2027-04-01", "2028-04-01"]),
        ("quarter=2 day=15", ["2027-04-15", "2028-04-15"]),
        ("quarter=2 weekday=2", ["2027-04-05", "2027-04-12"]),
        ("quarter=2 month=5,9", ["2027-05-01", "2028-05-01"]),
        ("dayOfYear=60", ["2027-03-01", "2028-02-29", "2029-03-01"]),
        ("dayOfYear=-1", ["2026-12-31", "2027-12-31"]),
        ("dayOfYear=-366", ["2028-01-01", "2032-01-01"]),
        ("dayOfYear=366", ["2028-12-31", "2032-12-31"]),
        ("dayOfYear=366 missingDay=lastDay", ["2026-12-31", "2027-12-31", "2028-12-31"]),
        ("month=2", ["2027-02-01", "2028-02-01"]),
        ("month=2 hour=9", ["2027-02-01T09:00:00Z"]),
        ("month=2 weekday=6", ["2027-02-05", "2027-02-12"]),
        ("year=2027", ["2027-01-01"]),
        ("year=2027 day=13", ["2027-01-13"]),
        ("year=2028 weekday=6", ["2028-01-07", "2028-01-14"]),
        ("year=2027,2029 month=5", ["2027-05-01", "2029-05-01"]),
        ("day=-1", ["2026-12-31", "2027-01-31", "2027-02-28"]),
        ("day=-31", ["2026-12-01", "2027-01-01", "2027-03-01"]),
        ("day=1,-1", ["2026-12-01", "2026-12-31", "2027-01-01"]),
        ("day=30 missingDay=lastDay", ["2026-12-30", "2027-01-30", "2027-02-28"]),
        ("month=2 day=30 missingDay=lastDay", ["2027-02-28", "2028-02-29"]),
        ("month=2 day=29", ["2028-02-29", "2032-02-29"]),
        ("month=2 day=29 weekday=1", ["2032-02-29", "2060-02-29"]),
        ("hour=9 second=30", ["2026-12-01T09:00:30Z"]),
        ("minute=30", ["2026-11-30T12:30:00Z", "2026-11-30T13:30:00Z"]),
        ("second=15", ["2026-11-30T12:00:15Z", "2026-11-30T12:01:15Z"]),
        ("weekday=2 hour=0..23 minute=30", ["2026-11-30T12:30:00Z"]),
        ("day=1 second=0,30", ["2026-12-01", "2026-12-01T00:00:30Z", "2027-01-01"]),
    ])
    func `fields mean what they say`(_ fields: String, _ expected: [String]) throws {
        let pattern = try CalendarPattern(compact: fields)
        #expect(
            dates(pattern, after: "2026-11-30T12:00:00Z", count: expected.count)
                == midnights(expected))
    }

    @Test(arguments: [
        "year=2027", "year=2027 day=13", "yearForWeekOfYear=2027", "year=2020", "year=1",
        "year=2026 month=11 day=30",
    ])
    func `a pattern whose years are over has no next time`(_ fields: String) throws {
        let pattern = try CalendarPattern(compact: fields)
        #expect(pattern.next(after: WallInstant("2027-12-31T00:00:00Z"), in: .utc) == nil)
        #expect(pattern.previous(before: WallInstant("2027-12-31T00:00:00Z"), in: .utc) != nil)
    }

    @Test(arguments: [
        "month=2 day=30", "month=2,4,6,9,11 day=31", "month=4 day=31", "year=2027 month=2 day=29",
        "year=2100 month=2 day=29", "month=2 day=-30",
        "year=2027 month=2 weekday=2 weekdayOrdinal=5",
        "yearForWeekOfYear=2027 weekOfYear=53", "yearForWeekOfYear=2027 weekOfYear=-53",
        "year=2027 dayOfYear=366", "year=2026 month=11 day=29 weekday=2", "quarter=1 month=4",
        "day=1 weekdayOrdinal=2", "month=1 dayOfYear=40", "day=10 dayOfYear=366",
        "month=1 weekOfYear=30", "year=1 yearForWeekOfYear=5", "quarter=3 dayOfYear=1..150",
        "month=2 day=29 weekOfYear=1..7", "year=2027 day=13 weekday=6",
        "weekOfMonth=6 minimumDaysInFirstWeek=7", "day=8..31 weekOfMonth=0",
    ])
    func `what no date has is refused`(_ fields: String) {
        #expect(throws: PatternError.neverFires) { try CalendarPattern(compact: fields) }
    }

    @Test(
        arguments: [
            ([:], .noFields, nil),
            ([.hour: []], .emptySet(.hour), "hour"),
            ([.hour: [24]], .outOfRange(.hour, value: 24, allowed: 0...23), "hour"),
            ([.hour: [-1]], .outOfRange(.hour, value: -1, allowed: 0...23), "hour"),
            ([.second: [60]], .outOfRange(.second, value: 60, allowed: 0...59), "second"),
            ([.day: [0]], .outOfRange(.day, value: 0, allowed: 1...31), "day"),
            ([.day: [1, -32]], .outOfRange(.day, value: -32, allowed: 1...31), "day"),
            ([.weekday: [-1]], .outOfRange(.weekday, value: -1, allowed: 1...7), "weekday"),
            ([.month: [13]], .outOfRange(.month, value: 13, allowed: 1...12), "month"),
            ([.quarter: [5]], .outOfRange(.quarter, value: 5, allowed: 1...4), "quarter"),
            ([.year: [0]], .outOfRange(.year, value: 0, allowed: 1...9999), "year"),
            (
                [.weekOfYear: [54]], .outOfRange(.weekOfYear, value: 54, allowed: 1...53),
                "weekOfYear"
            ),
            (
                [.weekdayOrdinal: [.min]],
                .outOfRange(.weekdayOrdinal, value: .min, allowed: 1...5), "weekdayOrdinal"
            ),
            ([.year: Array(1...401)], .tooManyValues(.year, limit: 400), "year"),
            ([.hour: Array(repeating: 1, count: 25)], .tooManyValues(.hour, limit: 24), "hour"),
        ] as [([CalendarPattern.Field: [Int]], PatternError, String?)])
    func `a mistake names its field`(
        _ fields: [CalendarPattern.Field: [Int]], _ expected: PatternError, _ name: String?
    ) {
        let error = #expect(throws: PatternError.self) { try CalendarPattern(fields: fields) }
        #expect(error == expected)
        #expect(error?.field == name)
        if let name { #expect(error?.description.hasPrefix(name) == true) }
    }

    @Test func `the settings of the week have ranges`() {
        #expect(throws: PatternError.firstWeekdayOutOfRange(0)) {
            try CalendarPattern(fields: [.hour: [9]], firstWeekday: 0)
        }
        #expect(throws: PatternError.minimumDaysOutOfRange(8)) {
            try CalendarPattern(fields: [.hour: [9]], minimumDaysInFirstWeek: 8)
        }
    }

    @Test func `given values are kept as they were`() throws {
        let pattern = try CalendarPattern(
            fields: [.day: [-1, 1, 15, 1], .dayOfYear: [366, -366, 1, -1], .hour: [9]])
        #expect(pattern.values(of: .day) == [-1, 1, 15])
        #expect(pattern.values(of: .dayOfYear) == [-366, -1, 1, 366])
        #expect(pattern.values(of: .minute) == nil)
        #expect(pattern.compact == "day=-1,1,15 dayOfYear=-366,-1,1,366 hour=9")
    }

    @Test(arguments: [
        ("hour=9", "hour=9 minute=0 second=0"),
        ("month=2", "month=2 day=1 hour=0"),
        ("minute=30", "hour=0..23 minute=30"),
        ("quarter=2", "month=4"),
        ("weekday=2 weekdayOrdinal=1", "weekday=2 day=1..7"),
        ("weekday=2 weekdayOrdinal=-1", "weekday=2 day=-7..-1"),
        ("day=5 missingDay=lastDay", "day=5"),
    ])
    func `patterns of one meaning are equal`(_ one: String, _ other: String) throws {
        let pair = try [CalendarPattern(compact: one), CalendarPattern(compact: other)]
        #expect(pair[0] == pair[1])
        #expect(Set(pair).count == 1)
    }
}

@Suite
struct PatternStrideTests {
    @Test(
        arguments: [
            (
                "weekday=3 hour=9", 2, .week, "2026-12-01T00:00:00Z",
                ["2026-12-01T09:00:00Z", "2026-12-15T09:00:00Z", "2026-12-29T09:00:00Z"]
            ),
            (
                "weekday=3,5", 2, .week, "2026-12-03T00:00:00Z",
                ["2026-12-01", "2026-12-03", "2026-12-15", "2026-12-17"]
            ),
            (
                "hour=0", 10, .day, "2026-12-02T18:00:00Z",
                ["2026-12-02", "2026-12-12", "2026-12-22", "2027-01-01"]
            ),
            ("hour=0", 1000, .day, "2026-12-02T18:00:00Z", ["2026-12-02", "2029-08-28"]),
            (
                "day=31", 3, .month, "2026-01-31T09:00:00Z",
                ["2027-01-31", "2027-07-31", "2027-10-31"]
            ),
            ("month=2 day=29", 8, .year, "2028-01-01T00:00:00Z", ["2028-02-29", "2036-02-29"]),
            ("month=6", 2, .year, "2025-01-01T00:00:00Z", ["2027-06-01", "2029-06-01"]),
            ("hour=0", 1, .day, "2025-01-01T00:00:00Z", ["2026-12-01", "2026-12-02"]),
            ("month=1", 1000, .year, "2025-01-01T00:00:00Z", ["3025-01-01", "4025-01-01"]),
        ] as [(String, Int, Stride.Unit, String, [String])])
    func `every so many are counted from the anchor`(
        _ fields: String, _ count: Int, _ unit: Stride.Unit, _ anchor: String, _ expected: [String]
    ) throws {
        let pattern = try CalendarPattern(compact: fields)
        let stride = try #require(Stride(count: count, unit: unit))
        #expect(
            dates(
                pattern, after: "2026-11-30T12:00:00Z", count: expected.count, every: stride,
                anchor: anchor) == midnights(expected))
    }

    @Test(
        arguments: [
            ("month=2 day=29", 4, .year, "2027-01-01T00:00:00Z"),
            ("weekday=3", 7, .day, "2026-11-30T00:00:00Z"),
            ("month=2", 12, .month, "2026-11-30T00:00:00Z"),
            ("day=31", 12, .month, "2026-11-30T00:00:00Z"),
            ("month=2 day=29 weekday=1", 13, .day, "1000-02-28T00:00:00Z"),
        ] as [(String, Int, Stride.Unit, String)])
    func `a stride that misses every date gives up`(
        _ fields: String, _ count: Int, _ unit: Stride.Unit, _ anchor: String
    ) throws {
        let pattern = try CalendarPattern(compact: fields)
        let stride = try #require(Stride(count: count, unit: unit))
        let now = WallInstant("2026-11-30T12:00:00Z")
        let start = WallInstant(anchor)
        let next = pattern.next(after: now, in: .utc, every: stride, anchor: .instant(start))
        let previous = pattern.previous(
            before: now, in: .utc, every: stride, anchor: .instant(start))
        if unit == .day && count == 13 {
            // Not impossible, only rare; within the horizon it comes or it does not.
            #expect(next.map { $0 > now } ?? true)
        } else {
            #expect(next == nil)
            #expect(previous == nil)
        }
    }

    @Test func `a stride takes 1 to 1,000`() {
        #expect(Stride(count: 0, unit: .day) == nil)
        #expect(Stride(count: 1001, unit: .day) == nil)
        #expect(Stride(count: 1000, unit: .day) != nil)
    }

    @Test func `days are counted in the zone's own dates`() throws {
        let zone = try caseZone("Pacific/Apia")
        let pattern = try CalendarPattern(fields: [.hour: [9]])
        let stride = try #require(Stride(count: 2, unit: .day))
        // 28 December is counted; 30 December, which is too, never was.
        #expect(
            dates(
                pattern, after: "2011-12-28T00:00:00Z", count: 2, in: zone, every: stride,
                anchor: "2011-12-28T20:00:00Z") == ["2011-12-28T19:00:00Z", "2011-12-31T19:00:00Z"])
    }
}

@Suite
struct PatternPassTests {
    /// 02:30 comes at 00:30 and 01:30 UTC on 29 October 2023.
    @Test(arguments: [
        ("2023-10-28T12:00:00Z", "2023-10-29T00:30:00Z", "2023-10-29T00:30:00Z"),
        ("2023-10-29T00:29:59Z", "2023-10-29T00:30:00Z", "2023-10-29T00:30:00Z"),
        ("2023-10-29T00:30:00Z", "2023-10-30T01:30:00Z", "2023-10-29T01:30:00Z"),
        ("2023-10-29T00:59:59Z", "2023-10-30T01:30:00Z", "2023-10-29T01:30:00Z"),
        ("2023-10-29T01:00:00Z", "2023-10-30T01:30:00Z", "2023-10-29T01:30:00Z"),
        ("2023-10-29T01:30:00Z", "2023-10-30T01:30:00Z", "2023-10-30T01:30:00Z"),
    ])
    func `a one-shot made between the passes takes the second`(
        _ after: String, _ firstPass: String, _ nextPass: String
    ) throws {
        let zone = try caseZone("Europe/Berlin")
        let pattern = try CalendarPattern(fields: [.hour: [2], .minute: [30]])
        let start = WallInstant(after)
        #expect(pattern.next(after: start, in: zone)?.text == firstPass)
        #expect(pattern.next(after: start, in: zone, overlap: .nextPass)?.text == nextPass)
    }

    @Test func `with both passes the one before is the second`() throws {
        let zone = try caseZone("Europe/Berlin")
        let pattern = try CalendarPattern(fields: [.hour: [2], .minute: [30]])
        let end = WallInstant("2023-10-29T12:00:00Z")
        #expect(pattern.previous(before: end, in: zone)?.text == "2023-10-29T00:30:00Z")
        let second = try #require(pattern.previous(before: end, in: zone, overlap: .nextPass))
        #expect(second.text == "2023-10-29T01:30:00Z")
        let first = try #require(pattern.previous(before: second, in: zone, overlap: .nextPass))
        #expect(first.text == "2023-10-29T00:30:00Z")
    }

    @Test func `fractions of a second are strictly before and after`() throws {
        let pattern = try CalendarPattern(fields: [.second: [0]])
        let due = WallInstant("2026-01-01T00:01:00Z")
        let before = WallInstant("2026-01-01T00:00:59.999999Z")
        let after = WallInstant("2026-01-01T00:01:00.000001Z")
        #expect(pattern.next(after: before, in: .utc) == due)
        #expect(pattern.next(after: due, in: .utc)?.text == "2026-01-01T00:02:00Z")
        #expect(pattern.previous(before: after, in: .utc) == due)
        #expect(pattern.previous(before: due, in: .utc)?.text == "2026-01-01T00:00:00Z")
    }

    @Test(arguments: [Int64.min, -62_135_596_800_000_001, 0, 253_402_300_799_000_000, .max])
    func `the ends of time are answered`(_ microseconds: Int64) throws {
        let instant = WallInstant(microseconds: microseconds)
        for text in ["hour=9", "minute=30", "month=2 day=29", "year=1,9999", "weekOfYear=53"] {
            let pattern = try CalendarPattern(compact: text)
            for overlap in [OverlapPolicy.firstPass, .nextPass] {
                let next = pattern.next(after: instant, in: .utc, overlap: overlap)
                let previous = pattern.previous(before: instant, in: .utc, overlap: overlap)
                #expect(next.map { $0 > instant } ?? true)
                #expect(previous.map { $0 < instant } ?? true)
                #expect(next != nil || previous != nil)
            }
        }
    }
}
