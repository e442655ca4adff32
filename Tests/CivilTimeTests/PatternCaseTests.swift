// The calendar cases from public bug reports, by their numbers: what other schedulers got wrong.
// Each row asks for the next occurrence again and again, from the last one each time.

import CivilTime
import TestSupport
import Testing

/// One question and its whole answer.
private struct Row: CustomTestStringConvertible, Sendable {
    let label: String
    let zone: String
    let fields: [CalendarPattern.Field: [Int]]
    var missingDay = CalendarPattern.MissingDay.skip
    let after: String
    let expected: [String]

    var testDescription: String { "\(label): \(zone) after \(after)" }

    init(
        _ label: String, _ zone: String, _ fields: [CalendarPattern.Field: [Int]],
        missingDay: CalendarPattern.MissingDay = .skip, after: String, _ expected: [String]
    ) {
        self.label = label
        self.zone = zone
        self.fields = fields
        self.missingDay = missingDay
        self.after = after
        self.expected = expected
    }
}

private func occurrences(
    _ pattern: CalendarPattern, in zone: Zone, after start: String, count: Int
) -> [String] {
    var instant = WallInstant(start)
    var result: [String] = []
    while result.count < count, let next = pattern.next(after: instant, in: zone) {
        result.append(next.text)
        instant = next
    }
    return result
}

@Suite
struct PatternCaseTests {
    @Test(arguments: gapRows + overlapRows + otherRows)
    fileprivate func `the cases' occurrences come in order`(_ row: Row) throws {
        let pattern = try CalendarPattern(fields: row.fields, missingDay: row.missingDay)
        let zone = try caseZone(row.zone)
        #expect(
            occurrences(pattern, in: zone, after: row.after, count: row.expected.count)
                == row.expected)
        // The same sequence backwards, from the last one.
        var back = [String]()
        var instant = WallInstant(row.expected.last ?? row.after)
        for _ in row.expected.dropFirst() {
            let previous = try #require(pattern.previous(before: instant, in: zone))
            back.append(previous.text)
            instant = previous
        }
        #expect(back == row.expected.dropLast().reversed())
    }

    @Test func `B03: every minute runs through the repeated hour`() throws {
        let pattern = try CalendarPattern(fields: [.second: [0]])
        let zone = try caseZone("Europe/Berlin")
        let expected = (0..<121).map {
            WallInstant(seconds: WallInstant("2023-10-29T00:00:00Z").wholeSeconds + $0 * 60).text
        }
        let found = occurrences(pattern, in: zone, after: "2023-10-28T23:59:59Z", count: 121)
        #expect(found == expected)
    }

    @Test func `B12: every minute goes back into the day before`() throws {
        let pattern = try CalendarPattern(fields: [.second: [0]])
        let zone = try caseZone("America/Sao_Paulo")
        let next = pattern.next(after: WallInstant("2016-02-21T02:00:00Z"), in: zone)
        #expect(next?.text == "2016-02-21T02:01:00Z")
    }

    @Test func `B19: a one-shot on the day that never was has no occurrence`() throws {
        let pattern = try CalendarPattern(
            fields: [.year: [2011], .month: [12], .day: [30], .hour: [9]])
        let zone = try caseZone("Pacific/Apia")
        #expect(pattern.next(after: WallInstant("2011-12-01T00:00:00Z"), in: zone) == nil)
        #expect(pattern.previous(before: WallInstant("2012-12-01T00:00:00Z"), in: zone) == nil)
        let berlin = try caseZone("Europe/Berlin")
        #expect(
            pattern.next(after: WallInstant("2011-12-01T00:00:00Z"), in: berlin)?.text
                == "2011-12-30T08:00:00Z")
    }

    @Test func `B25: the soonest of five weekday requests is Monday`() throws {
        let zone = try caseZone("America/Chicago")
        let after = WallInstant("2021-03-12T06:00:00.000001Z")
        var soonest: [WallInstant] = []
        for weekday in 2...6 {
            let pattern = try CalendarPattern(fields: [.weekday: [weekday], .hour: [0]])
            soonest.append(try #require(pattern.next(after: after, in: zone)))
        }
        #expect(soonest.min()?.text == "2021-03-15T05:00:00Z")
        #expect(soonest.last?.text == "2021-03-19T05:00:00Z")
        let all = try CalendarPattern(fields: [.weekday: [2, 3, 4, 5, 6], .hour: [0]])
        #expect(all.next(after: after, in: zone) == soonest.min())
    }

    @Test(
        arguments: [
            ([.month: [2], .day: [30]], nil),
            ([.month: [2], .day: [31]], nil),
            ([.month: [4], .day: [31]], nil),
            ([.year: [2027], .month: [2], .day: [29]], nil),
            ([.month: [13]], "month"), ([.hour: [24]], "hour"), ([.minute: [60]], "minute"),
            ([.day: [0]], "day"), ([.weekday: [8]], "weekday"), ([.weekday: [0]], "weekday"),
            ([.second: [60]], "second"),
        ] as [([CalendarPattern.Field: [Int]], String?)])
    func `B37: what can never match is refused`(
        _ fields: [CalendarPattern.Field: [Int]], _ field: String?
    ) throws {
        let error = #expect(throws: PatternError.self) { try CalendarPattern(fields: fields) }
        #expect(error?.field == field)
        if field == nil { #expect(error == .neverFires) }
    }

    @Test func `B40: a Friday the 13th comes three times in 2026`() throws {
        let pattern = try CalendarPattern(fields: [.day: [13], .weekday: [6]])
        let found = occurrences(pattern, in: .utc, after: "2025-12-31T00:00:00Z", count: 4)
        let expected = ["2026-02-13", "2026-03-13", "2026-11-13", "2027-08-13"]
        #expect(found == expected.map { $0 + "T00:00:00Z" })
    }
}

private let gapRows: [Row] = [
    Row(
        "B01 on the hour", "America/New_York", [.hour: [2], .minute: [0]],
        after: "2017-03-11T12:00:00Z",
        ["2017-03-12T07:00:00Z", "2017-03-13T06:00:00Z", "2017-03-14T06:00:00Z"]),
    Row(
        "B01 within the gap", "America/New_York", [.hour: [2], .minute: [30]],
        after: "2017-03-11T12:00:00Z", ["2017-03-12T07:00:00Z", "2017-03-13T06:30:00Z"]),
    Row(
        "B10 1:30", "Antarctica/Troll", [.hour: [1], .minute: [30]], after: "2026-03-28T12:00:00Z",
        ["2026-03-29T01:00:00Z", "2026-03-29T23:30:00Z"]),
    Row(
        "B10 2:30", "Antarctica/Troll", [.hour: [2], .minute: [30]], after: "2026-03-28T12:00:00Z",
        ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"]),
    Row(
        "B10 both in one gap", "Antarctica/Troll", [.hour: [1, 2], .minute: [30]],
        after: "2026-03-28T12:00:00Z", ["2026-03-29T01:00:00Z", "2026-03-29T23:30:00Z"]),
    Row(
        "B13", "America/Havana", [.hour: [0]], after: "2021-03-13T12:00:00Z",
        ["2021-03-14T05:00:00Z", "2021-03-15T04:00:00Z"]),
    Row(
        "B15 spring", "Africa/Cairo", [.hour: [0], .minute: [30]], after: "2023-04-27T12:00:00Z",
        ["2023-04-27T22:00:00Z", "2023-04-28T21:30:00Z"]),
    Row(
        "B17 spring", "Atlantic/Azores", [.hour: [0], .minute: [30]],
        after: "2025-03-29T12:00:00Z", ["2025-03-30T01:00:00Z", "2025-03-31T00:30:00Z"]),
    Row(
        "B19", "Pacific/Apia", [.hour: [9]], after: "2011-12-29T00:00:00Z",
        ["2011-12-29T19:00:00Z", "2011-12-30T19:00:00Z", "2011-12-31T19:00:00Z"]),
    Row(
        "B20", "Pacific/Apia", [.weekday: [6], .hour: [9]], after: "2011-12-20T00:00:00Z",
        ["2011-12-23T19:00:00Z", "2012-01-05T19:00:00Z", "2012-01-12T19:00:00Z"]),
    Row(
        "B21 end of Ramadan", "Africa/Casablanca", [.hour: [2], .minute: [30]],
        after: "2025-04-05T12:00:00Z", ["2025-04-06T02:00:00Z", "2025-04-07T01:30:00Z"]),
    Row(
        "B23", "Pacific/Chatham", [.hour: [3], .minute: [15]], after: "2025-09-27T00:00:00Z",
        ["2025-09-27T14:00:00Z", "2025-09-28T13:30:00Z"]),
    Row(
        "B29 every minute", "America/New_York", [.second: [0]], after: "2026-03-08T06:59:00Z",
        ["2026-03-08T07:00:00Z", "2026-03-08T07:01:00Z"]),
    Row(
        "B29 every hour", "America/New_York", [.minute: [0]], after: "2026-03-08T06:30:00Z",
        ["2026-03-08T07:00:00Z", "2026-03-08T08:00:00Z"]),
    Row(
        "B30 2:30", "Europe/Rome", [.weekday: [1], .hour: [2], .minute: [30]],
        after: "2025-03-29T00:00:00Z", ["2025-03-30T01:00:00Z", "2025-04-06T00:30:00Z"]),
    Row(
        "B30 3:00", "Europe/Rome", [.weekday: [1], .hour: [3]], after: "2025-03-29T00:00:00Z",
        ["2025-03-30T01:00:00Z"]),
    Row(
        "B30 4:00", "Europe/Rome", [.weekday: [1], .hour: [4]], after: "2025-03-29T00:00:00Z",
        ["2025-03-30T02:00:00Z"]),
    Row(
        "B30 5:00", "Europe/Rome", [.weekday: [1], .hour: [5]], after: "2025-03-29T00:00:00Z",
        ["2025-03-30T03:00:00Z"]),
    // 23:00-24:00 on Saturday: the occurrence is at 00:00 on Sunday, and Sunday's comes as well.
    Row(
        "Nuuk's last hour", "America/Nuuk", [.weekday: [7], .hour: [23], .minute: [30]],
        after: "2025-03-29T12:00:00Z", ["2025-03-30T01:00:00Z", "2025-04-06T00:30:00Z"]),
    Row(
        "Lord Howe's half hour", "Australia/Lord_Howe", [.hour: [2], .minute: [15]],
        after: "2025-10-04T12:00:00Z", ["2025-10-04T15:30:00Z", "2025-10-05T15:15:00Z"]),
]

private let overlapRows: [Row] = [
    Row(
        "B09 1:45", "Australia/Lord_Howe", [.hour: [1], .minute: [45]],
        after: "2026-04-04T00:00:00Z", ["2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z"]),
    Row(
        "B09 every hour at :45", "Australia/Lord_Howe", [.minute: [45]],
        after: "2026-04-04T14:44:59Z",
        ["2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z", "2026-04-04T16:15:00Z"]),
    Row(
        "B10 autumn", "Antarctica/Troll", [.hour: [2], .minute: [30]],
        after: "2026-10-24T12:00:00Z", ["2026-10-25T00:30:00Z", "2026-10-26T02:30:00Z"]),
    Row(
        "B12 23:30", "America/Sao_Paulo", [.hour: [23], .minute: [30]],
        after: "2016-02-20T12:00:00Z", ["2016-02-21T01:30:00Z", "2016-02-22T02:30:00Z"]),
    Row(
        "B12 every hour of one date", "America/Sao_Paulo",
        [.month: [2], .day: [20], .hour: Array(0...23), .minute: [30]],
        after: "2016-02-21T00:30:00Z",
        ["2016-02-21T01:30:00Z", "2016-02-21T02:30:00Z", "2017-02-20T03:30:00Z"]),
    Row(
        "B15 autumn", "Africa/Cairo", [.hour: [23], .minute: [30]], after: "2023-10-26T12:00:00Z",
        ["2023-10-26T20:30:00Z", "2023-10-27T21:30:00Z"]),
    Row(
        "B17 autumn", "Atlantic/Azores", [.hour: [0], .minute: [30]],
        after: "2025-10-25T12:00:00Z", ["2025-10-26T00:30:00Z", "2025-10-27T01:30:00Z"]),
    Row(
        "B21 start of Ramadan", "Africa/Casablanca", [.hour: [2], .minute: [30]],
        after: "2025-02-22T12:00:00Z", ["2025-02-23T01:30:00Z", "2025-02-24T02:30:00Z"]),
    Row(
        "B27", "Europe/London", [.hour: [1], .minute: [0]], after: "2024-10-26T12:00:00Z",
        ["2024-10-27T00:00:00Z", "2024-10-28T01:00:00Z", "2024-10-29T01:00:00Z"]),
]

private let otherRows: [Row] = [
    Row(
        "B04 Sunday", "Europe/Berlin", [.weekday: [1], .hour: [16]], after: "2016-02-21T08:00:00Z",
        ["2016-02-21T15:00:00Z", "2016-02-28T15:00:00Z"]),
    Row(
        "B04 daily", "Europe/Moscow", [.hour: [8]], after: "2016-05-22T00:51:31Z",
        ["2016-05-22T05:00:00Z"]),
    Row(
        "B06", "Europe/Paris", [.hour: [20]], after: "2022-10-29T22:00:00Z",
        ["2022-10-30T19:00:00Z", "2022-10-31T19:00:00Z", "2022-11-01T19:00:00Z"]),
    Row(
        "B07", "Europe/Warsaw", [.hour: [0]], after: "2017-03-25T23:00:00Z",
        ["2017-03-26T22:00:00Z", "2017-03-27T22:00:00Z"]),
    Row(
        "B24 :30", "Asia/Kolkata", [.minute: [0]], after: "2016-01-04T04:35:00Z",
        ["2016-01-04T05:30:00Z", "2016-01-04T06:30:00Z"]),
    Row(
        "B24 :45", "Asia/Kathmandu", [.minute: [0]], after: "2026-01-01T00:00:00Z",
        ["2026-01-01T00:15:00Z", "2026-01-01T01:15:00Z"]),
    Row(
        "B24 9:30", "Australia/Adelaide", [.minute: [0]], after: "2015-08-11T00:00:00Z",
        ["2015-08-11T00:30:00Z", "2015-08-11T01:30:00Z"]),
    Row(
        "B28", "Europe/Berlin", [.weekday: [1], .hour: [12]], after: "2022-03-24T11:00:00Z",
        ["2022-03-27T10:00:00Z", "2022-04-03T10:00:00Z"]),
    Row(
        "B32 from February", "UTC", [.day: [1]], after: "2017-02-02T00:00:00Z",
        ["2017-03-01T00:00:00Z"]),
    Row(
        "B32 over a year's end", "Europe/Berlin", [.day: [1]], after: "2017-08-20T00:00:00Z",
        [
            "2017-08-31T22:00:00Z", "2017-09-30T22:00:00Z", "2017-10-31T23:00:00Z",
            "2017-11-30T23:00:00Z", "2017-12-31T23:00:00Z", "2018-01-31T23:00:00Z",
            "2018-02-28T23:00:00Z",
        ]),
    Row(
        "B33", "America/Edmonton", [.year: [2016], .month: [12], .day: [25], .hour: [5]],
        after: "2016-12-22T00:00:00Z", ["2016-12-25T12:00:00Z"]),
    Row(
        "B35 skip", "UTC", [.day: [31], .hour: [9]], after: "2026-01-31T12:00:00Z",
        [
            "2026-03-31T09:00:00Z", "2026-05-31T09:00:00Z", "2026-07-31T09:00:00Z",
            "2026-08-31T09:00:00Z",
        ]),
    Row(
        "B35 lastDay", "UTC", [.day: [31], .hour: [9]], missingDay: .lastDay,
        after: "2026-01-31T12:00:00Z",
        [
            "2026-02-28T09:00:00Z", "2026-03-31T09:00:00Z", "2026-04-30T09:00:00Z",
            "2026-05-31T09:00:00Z",
        ]),
    Row(
        "B39 Sunday", "UTC", [.weekday: [1], .hour: [9]], after: "2026-01-31T12:00:00Z",
        ["2026-02-01T09:00:00Z"]),
    Row(
        "B39 Saturday, past", "UTC", [.weekday: [7], .hour: [9]], after: "2026-01-31T12:00:00Z",
        ["2026-02-07T09:00:00Z"]),
    Row(
        "B39 Saturday, later today", "UTC", [.weekday: [7], .hour: [15]],
        after: "2026-01-31T12:00:00Z", ["2026-01-31T15:00:00Z"]),
    Row(
        "B43 Vancouver", "America/Vancouver", [.hour: [9]], after: "2026-11-30T20:00:00Z",
        ["2026-12-01T16:00:00Z"]),
    Row(
        "B43 Test/Shift", "Test/Shift", [.hour: [9]], after: "2026-12-30T12:00:00Z",
        ["2026-12-31T06:00:00Z", "2027-01-01T05:00:00Z"]),
    Row(
        "B45 floating, as Berlin", "Europe/Berlin", [.hour: [8]], after: "2026-06-01T05:00:00Z",
        ["2026-06-01T06:00:00Z", "2026-06-02T06:00:00Z"]),
    Row(
        "B45 floating, as New York", "America/New_York", [.hour: [8]],
        after: "2026-06-01T05:00:00Z", ["2026-06-01T12:00:00Z"]),
]
