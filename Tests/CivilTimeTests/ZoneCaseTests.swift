// Lookups in the zones of the calendar cases: offsets, gaps and overlaps with the instants that
// Python's zoneinfo gives for the same rules.

import CivilTime
import Testing
import TestSupport

/// A zone of `CompiledZones.caseRules`.
func caseZone(_ name: String) throws -> Zone {
    try Zone(name: name, tzif: CompiledZones.cases.get().bytes(name))
}

/// `2026-03-29 01:30:00` as local seconds.
func local(_ text: String) throws -> Int64 {
    let numbers = text.split(whereSeparator: { "- :T".contains($0) }).compactMap { Int($0) }
    try #require(numbers.count == 6, "not a civil time: \(text)")
    return CivilDateTime(
        year: numbers[0], month: numbers[1], day: numbers[2],
        hour: numbers[3], minute: numbers[4], second: numbers[5]
    ).localSeconds
}

@Suite struct ZoneCaseTests {
    struct Resolution: CustomTestStringConvertible {
        let zone: String
        let local: String
        let first: String
        var second: String?
        var isGap = false

        var testDescription: String { "\(zone) \(local)" }
    }

    static let resolutions = [
        Resolution(
            zone: "America/New_York", local: "2017-03-12 01:59:59", first: "2017-03-12 06:59:59"),
        Resolution(
            zone: "America/New_York", local: "2017-03-12 02:00:00", first: "2017-03-12 07:00:00",
            isGap: true),
        Resolution(
            zone: "America/New_York", local: "2017-03-12 02:59:59", first: "2017-03-12 07:00:00",
            isGap: true),
        Resolution(
            zone: "America/New_York", local: "2017-03-12 03:00:00", first: "2017-03-12 07:00:00"),
        Resolution(
            zone: "Europe/London", local: "2024-10-27 00:59:59", first: "2024-10-26 23:59:59"),
        Resolution(
            zone: "Europe/London", local: "2024-10-27 01:00:00", first: "2024-10-27 00:00:00",
            second: "2024-10-27 01:00:00"),
        Resolution(
            zone: "Europe/London", local: "2024-10-27 01:59:59", first: "2024-10-27 00:59:59",
            second: "2024-10-27 01:59:59"),
        Resolution(
            zone: "Europe/London", local: "2024-10-27 02:00:00", first: "2024-10-27 02:00:00"),
        Resolution(
            zone: "Australia/Lord_Howe", local: "2026-04-05 01:45:00",
            first: "2026-04-04 14:45:00", second: "2026-04-04 15:15:00"),
        Resolution(
            zone: "Australia/Lord_Howe", local: "2026-10-04 02:15:00",
            first: "2026-10-03 15:30:00", isGap: true),
        Resolution(
            zone: "Antarctica/Troll", local: "2026-03-29 01:30:00",
            first: "2026-03-29 01:00:00", isGap: true),
        Resolution(
            zone: "Antarctica/Troll", local: "2026-10-25 02:30:00",
            first: "2026-10-25 00:30:00", second: "2026-10-25 02:30:00"),
        Resolution(
            zone: "America/Sao_Paulo", local: "2016-02-20 23:30:00",
            first: "2016-02-21 01:30:00", second: "2016-02-21 02:30:00"),
        Resolution(
            zone: "America/Havana", local: "2021-03-14 00:00:00",
            first: "2021-03-14 05:00:00", isGap: true),
        Resolution(
            zone: "Africa/Cairo", local: "2023-04-28 00:30:00",
            first: "2023-04-27 22:00:00", isGap: true),
        Resolution(
            zone: "Africa/Cairo", local: "2023-10-26 23:30:00",
            first: "2023-10-26 20:30:00", second: "2023-10-26 21:30:00"),
        Resolution(
            zone: "Atlantic/Azores", local: "2025-10-26 00:30:00",
            first: "2025-10-26 00:30:00", second: "2025-10-26 01:30:00"),
        Resolution(
            zone: "America/Nuuk", local: "2025-03-29 23:30:00",
            first: "2025-03-30 01:00:00", isGap: true),
        Resolution(
            zone: "Pacific/Apia", local: "2011-12-29 23:59:59", first: "2011-12-30 09:59:59"),
        Resolution(
            zone: "Pacific/Apia", local: "2011-12-30 00:00:00",
            first: "2011-12-30 10:00:00", isGap: true),
        Resolution(
            zone: "Pacific/Apia", local: "2011-12-30 23:59:59",
            first: "2011-12-30 10:00:00", isGap: true),
        Resolution(
            zone: "Pacific/Apia", local: "2011-12-31 00:00:00", first: "2011-12-30 10:00:00"),
        Resolution(
            zone: "Africa/Casablanca", local: "2025-02-23 02:30:00",
            first: "2025-02-23 01:30:00", second: "2025-02-23 02:30:00"),
        Resolution(
            zone: "Africa/Casablanca", local: "2025-04-06 02:30:00",
            first: "2025-04-06 02:00:00", isGap: true),
        Resolution(
            zone: "Pacific/Chatham", local: "2025-09-28 03:15:00",
            first: "2025-09-27 14:00:00", isGap: true),
        Resolution(
            zone: "Europe/Dublin", local: "2026-10-25 01:30:00",
            first: "2026-10-25 00:30:00", second: "2026-10-25 01:30:00"),
        Resolution(
            zone: "America/Vancouver", local: "2026-12-01 09:00:00", first: "2026-12-01 16:00:00"),
        Resolution(
            zone: "Test/Shift", local: "2026-12-31 09:00:00", first: "2026-12-31 06:00:00"),
        Resolution(
            zone: "Test/Shift", local: "2027-01-01 09:00:00", first: "2027-01-01 05:00:00"),
        Resolution(
            zone: "Test/Shift", local: "2027-01-01 00:30:00", first: "2026-12-31 21:00:00",
            isGap: true),
        // The same rules long after the table: by the calendar of 2017, 400 and 8,000 years on.
        Resolution(
            zone: "America/New_York", local: "2417-03-12 02:30:00", first: "2417-03-12 07:00:00",
            isGap: true),
        Resolution(
            zone: "America/New_York", local: "10017-03-12 02:30:00",
            first: "10017-03-12 07:00:00", isGap: true),
    ]

    @Test(arguments: resolutions)
    func `a local time means one instant, a gap or an overlap`(row: Resolution) throws {
        let zone = try caseZone(row.zone)
        let first = try local(row.first)
        let expected: Zone.LocalResolution =
            if let second = row.second {
                .overlap(first: first, second: try local(second))
            } else if row.isGap {
                .gap(transition: first)
            } else {
                .single(first)
            }
        #expect(zone.resolve(local: try local(row.local)) == expected)
    }
}
