// TZ strings: what each form means, checked against zoneinfo and libc, and what is refused where.

import CivilTime
import Foundation
import Testing
import TestSupport

@Suite struct PosixRuleTests {
    struct Accepted: CustomTestStringConvertible {
        let text: String
        /// The transitions of one year in UTC.
        var year = 2_026
        var start = ""
        var end = ""
        /// False where zoneinfo is wrong, or has no answer: a day and more from UTC.
        var pythonAgrees = true

        var testDescription: String { text }
    }

    static let accepted = [
        Accepted(text: "UTC0"),
        Accepted(text: "<+0545>-5:45"),
        Accepted(text: "<-00>0"),
        Accepted(text: "ABC24:59:59", pythonAgrees: false),
        Accepted(text: "ABC-24:59:59", pythonAgrees: false),
        Accepted(
            text: "EST5EDT,M3.2.0,M11.1.0", start: "2026-03-08 07:00:00",
            end: "2026-11-01 06:00:00"),
        Accepted(
            text: "EST+5EDT+4,M3.2.0/+02:00:00,M11.1.0/02", start: "2026-03-08 07:00:00",
            end: "2026-11-01 06:00:00"),
        Accepted(
            text: "CET-1CEST,M3.5.0,M10.5.0/3", start: "2026-03-29 01:00:00",
            end: "2026-10-25 01:00:00"),
        // Nuuk: hours below 0 are the evening before.
        Accepted(
            text: "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", start: "2026-03-29 01:00:00",
            end: "2026-10-25 01:00:00"),
        // Gaza: hours beyond 24 are the days after.
        Accepted(
            text: "EET-2EEST,M3.4.4/50,M10.4.4/50", start: "2026-03-28 00:00:00",
            end: "2026-10-23 23:00:00"),
        // The end lies before the start: a southern summer.
        Accepted(
            text: "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", start: "2026-10-03 15:30:00",
            end: "2026-04-04 15:00:00"),
        // An hour of daylight time in the whole year.
        Accepted(
            text: "<-02>2<-01>,M1.5.0/5,M1.5.0/7", start: "2026-01-25 07:00:00",
            end: "2026-01-25 08:00:00"),
        // Dublin: daylight time is the winter, and west of standard time.
        Accepted(
            text: "IST-1GMT0,M10.5.0,M3.5.0/1", start: "2026-10-25 01:00:00",
            end: "2026-03-29 01:00:00"),
        // Days by number: J60 is 1 March always, 59 is 29 February in a leap year. zoneinfo takes
        // `n` as the day before, and J59 of a leap year as 29 February.
        Accepted(
            text: "AAA0BBB,J60/0,J300/0", year: 2_028, start: "2028-03-01 00:00:00",
            end: "2028-10-26 23:00:00"),
        Accepted(
            text: "AAA0BBB,J59/0,J300/0", year: 2_028, start: "2028-02-28 00:00:00",
            end: "2028-10-26 23:00:00", pythonAgrees: false),
        Accepted(
            text: "AAA0BBB,59/0,299/0", year: 2_028, start: "2028-02-29 00:00:00",
            end: "2028-10-25 23:00:00", pythonAgrees: false),
        Accepted(
            text: "AAA0BBB,59/0,299/0", year: 2_027, start: "2027-03-01 00:00:00",
            end: "2027-10-26 23:00:00", pythonAgrees: false),
        Accepted(
            text: "AAA3BBB,M2.5.0/0,M9.1.6/24", year: 2_032, start: "2032-02-29 03:00:00",
            end: "2032-09-05 02:00:00"),
        Accepted(
            text: "AAA0BBB,M3.1.0/-167,M10.1.0/167", start: "2026-02-22 01:00:00",
            end: "2026-10-10 22:00:00"),
    ]

    @Test(arguments: accepted)
    func `a rule says when its year changes`(row: Accepted) throws {
        let zone = try Zone(name: row.text, posixRule: row.text)
        let newYear = CivilDateTime(year: row.year, month: 1, day: 1).localSeconds
        let starts = try [row.start, row.end].filter { !$0.isEmpty }.map { try local($0) }.sorted()
        var found: [Int64] = []
        while let next = zone.nextTransition(after: found.last ?? newYear),
            next < newYear + 365 * 86_400
        {
            found.append(next)
        }
        #expect(found == starts)
        if !row.start.isEmpty {
            #expect(zone.description(at: try local(row.start)).isDST)
            #expect(!zone.description(at: try local(row.end)).isDST)
        }
    }

    @Test func `rules agree with zoneinfo and libc from 1850 to 2400`() throws {
        let folder = try TemporaryFolder()
        var random = SplitMix64(seed: 2)
        var questions: [ZoneOracle.Question] = []
        for (index, row) in Self.accepted.enumerated() {
            let url = folder.url.appending(path: "\(index)")
            try Data(TZifBytes(footer: row.text).bytes).write(to: url)
            let zone = try Zone(name: row.text, posixRule: row.text)
            let drawn = (0..<500).map { _ in
                Int64.random(in: -3_786_912_000..<13_569_465_600, using: &random)
            }
            let instants = drawn + ZoneOracleTests.ruleTransitions(of: zone)
            questions.append(
                ZoneOracle.Question(path: url.path, instants: instants, rule: row.text))
        }
        for (row, answers) in zip(Self.accepted, try ZoneOracle.ask(questions)) {
            let zone = try Zone(name: row.text, posixRule: row.text)
            let fromFile = try Zone(name: row.text, tzif: TZifBytes(footer: row.text).bytes)
            #expect(zone == fromFile)
            let differences = answers.filter { answer in
                let ours = zone.description(at: answer.instant)
                // glibc takes 1970 as the first year of every rule: all before is wrong there.
                let asksLibrary = answer.instant >= 0
                return ours.seconds != answer.pythonSeconds && row.pythonAgrees
                    || ours.seconds != answer.librarySeconds && asksLibrary
                    || ours.isDST != answer.libraryIsDST && asksLibrary
            }
            if let first = differences.first {
                Issue.record("\(row.text): \(differences.count) differences, first \(first)")
            }
        }
    }

    /// Ends and starts that meet: zoneinfo and libc look at each year by itself and lose hours at
    /// the turn of the year, so these are held against RFC 9636, section 3.3.1, alone.
    @Test(arguments: [
        "EST5EDT,0/0,J365/25", "XXX3EDT4,0/0,J365/23", "AAA0BBB,J100/0,J100/1",
    ])
    func `daylight time whose end meets its start never ends`(rule: String) throws {
        let zone = try Zone(name: rule, posixRule: rule)
        #expect(zone.nextTransition(after: 0) == nil)
        #expect(zone.previousTransition(before: 0) == nil)
        for year in [-9_999, 1_700, 2_026, 2_599, 9_999] {
            let newYear = CivilDateTime(year: year, month: 1, day: 1).localSeconds
            for hour in -30...30 {
                #expect(zone.description(at: newYear + Int64(hour) * 3_600).isDST)
            }
        }
    }

    static let refused: [(String, PosixRuleError)] = [
        ("", .ended(at: 0)),
        ("5", .unexpected(UInt8(ascii: "5"), at: 0)),
        (":UTC0", .unexpected(UInt8(ascii: ":"), at: 0)),
        ("ES5", .badAbbreviation(at: 0)),
        ("<+1>5", .badAbbreviation(at: 1)),
        ("<+01", .ended(at: 4)),
        ("<>5", .unexpected(UInt8(ascii: ">"), at: 1)),
        ("EST", .ended(at: 3)),
        ("EST-", .ended(at: 4)),
        ("EST25", .outOfRange(allowed: 0...24, at: 3)),
        ("EST99999999999999999999", .outOfRange(allowed: 0...24, at: 3)),
        ("EST5:60", .outOfRange(allowed: 0...59, at: 5)),
        ("EST5:30:61", .outOfRange(allowed: 0...59, at: 8)),
        ("EST5 ", .unexpected(UInt8(ascii: " "), at: 4)),
        ("EST5EDT", .missingRule(at: 7)),
        ("EST5EDT4", .missingRule(at: 8)),
        ("EST5EDT,", .ended(at: 8)),
        ("EST5EDT,M3.2.0", .ended(at: 14)),
        ("EST5EDT,M0.2.0,M11.1.0", .outOfRange(allowed: 1...12, at: 9)),
        ("EST5EDT,M13.2.0,M11.1.0", .outOfRange(allowed: 1...12, at: 9)),
        ("EST5EDT,M3.6.0,M11.1.0", .outOfRange(allowed: 1...5, at: 11)),
        ("EST5EDT,M3.2.7,M11.1.0", .outOfRange(allowed: 0...6, at: 13)),
        ("EST5EDT,J0,J365", .outOfRange(allowed: 1...365, at: 9)),
        ("EST5EDT,J366,J365", .outOfRange(allowed: 1...365, at: 9)),
        ("EST5EDT,366,J365", .outOfRange(allowed: 0...365, at: 8)),
        ("EST5EDT,M3.2.0/168,M11.1.0", .outOfRange(allowed: 0...167, at: 15)),
        ("EST5EDT,M3.2.0/-168,M11.1.0", .outOfRange(allowed: 0...167, at: 16)),
        ("EST5EDT,M3.2.0,M11.1.0,", .unexpected(UInt8(ascii: ","), at: 22)),
        ("EST5EDT,M3.2.0;M11.1.0", .unexpected(UInt8(ascii: ";"), at: 14)),
        ("EST5EDT,M5.", .ended(at: 11)),
        ("AAA0BBB,J6", .ended(at: 10)),
        ("AAA0BBB,/0", .unexpected(UInt8(ascii: "/"), at: 8)),
        ("<-02>2<-01>,M2.4.0/-1,1/-", .ended(at: 25)),
        ("<-02>2<-01>,M1.5.0/5,M1.5.0/7-", .unexpected(UInt8(ascii: "-"), at: 29)),
        ("Ä12", .unexpected(0xC3, at: 0)),
        (String(repeating: "A", count: 32) + "5", .badAbbreviation(at: 0)),
        (String(repeating: "A", count: 300), .tooLong(limit: 256)),
    ]

    @Test(arguments: refused)
    func `a bad rule is refused with its position`(text: String, expected: PosixRuleError) {
        #expect(throws: expected) { try Zone(name: "x", posixRule: text) }
    }

    @Test func `a refusal says what to write`() {
        #expect(
            PosixRuleError.missingRule(at: 7).description
                == "daylight time without its rule (such as ',M3.2.0,M11.1.0') at position 7")
    }
}
