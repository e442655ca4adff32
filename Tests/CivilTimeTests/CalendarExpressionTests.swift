// Expressions by tables: text to canonical text, text to words, text to the mistake and its place.

import CivilTime
import TestSupport
import Testing

@Suite
struct CalendarExpressionTests {
    /// The examples of systemd.time(7) with its canonical forms, but for those with fractions; one
    /// has a date that is no Monday, which is refused here, and is moved by a day.
    private static let manual: [(text: String, canonical: String)] = [
        ("Sat,Thu,Mon..Wed,Sat..Sun", "Mon..Thu,Sat,Sun *-*-* 00:00:00"),
        ("Mon,Sun 12-*-* 2,1:23", "Mon,Sun 2012-*-* 01,02:23:00"),
        ("Wed *-1", "Wed *-*-01 00:00:00"),
        ("Wed..Wed,Wed *-1", "Wed *-*-01 00:00:00"),
        ("Wed, 17:48", "Wed *-*-* 17:48:00"),
        ("Wed..Sat,Tue 12-10-16 1:2:3", "Tue..Sat 2012-10-16 01:02:03"),
        ("*-*-7 0:0:0", "*-*-07 00:00:00"),
        ("10-15", "*-10-15 00:00:00"),
        ("monday *-12-* 17:00", "Mon *-12-* 17:00:00"),
        ("Mon,Fri *-*-3,1,2 *:30:45", "Mon,Fri *-*-01..03 *:30:45"),
        ("12,14,13,12:20,10,30", "*-*-* 12..14:10..30/10:00"),
        ("12..14:10,20,30", "*-*-* 12..14:10..30/10:00"),
        ("mon,fri *-1/2-1,3 *:30:45", "Mon,Fri *-01/2-01,03 *:30:45"),
        ("03-05 08:05:40", "*-03-05 08:05:40"),
        ("08:05:40", "*-*-* 08:05:40"),
        ("05:40", "*-*-* 05:40:00"),
        ("Sat,Sun 12-05 08:05:40", "Sat,Sun *-12-05 08:05:40"),
        ("Sat,Sun 08:05:40", "Sat,Sun *-*-* 08:05:40"),
        ("2003-03-05 05:40", "2003-03-05 05:40:00"),
        ("2003-02..04-05", "2003-02..04-05 00:00:00"),
        ("2003-03-05 05:40 UTC", "2003-03-05 05:40:00 UTC"),
        ("2003-03-05", "2003-03-05 00:00:00"),
        ("03-05", "*-03-05 00:00:00"),
        ("hourly", "*-*-* *:00:00"),
        ("daily", "*-*-* 00:00:00"),
        ("daily UTC", "*-*-* 00:00:00 UTC"),
        ("monthly", "*-*-01 00:00:00"),
        ("weekly", "Mon *-*-* 00:00:00"),
        ("weekly Pacific/Auckland", "Mon *-*-* 00:00:00 Pacific/Auckland"),
        ("yearly", "*-01-01 00:00:00"),
        ("annually", "*-01-01 00:00:00"),
        ("*:2/3", "*-*-* *:02/3:00"),
    ]

    private static let onCalendar: [(text: String, canonical: String)] = [
        ("minutely", "*-*-* *:*:00"),
        ("quarterly", "*-01/3-01 00:00:00"),
        ("semiannually", "*-01,07-01 00:00:00"),
        ("Mon..Fri 09:00", "Mon..Fri *-*-* 09:00:00"),
        ("Mon-Fri 9:00 Europe/Berlin", "Mon..Fri *-*-* 09:00:00 Europe/Berlin"),
        ("Fri..Mon 9:00", "Mon,Fri..Sun *-*-* 09:00:00"),
        ("*-*~1", "*-*~01 00:00:00"),
        ("*-02~03", "*-02~03 00:00:00"),
        ("Mon *-05~07/1", "Mon *-05~07/1 00:00:00"),
        ("*-*~01..03", "*-*~03/1 00:00:00"),
        ("*-*~03..01", "*-*~03/1 00:00:00"),
        ("*-*~7/3", "*-*~01,04,07 00:00:00"),
        ("2027-*~1 18:00", "2027-*~01 18:00:00"),
        ("*:*:*", "*-*-* *:*:*"),
        ("*:0/15", "*-*-* *:00/15:00"),
        ("*:*/15", "*-*-* *:00/15:00"),
        ("*:10..30/10", "*-*-* *:10..30/10:00"), ("*:10..50/20", "*-*-* *:10/20:00"),
        ("*-*-* 8..17:30", "*-*-* 08..17:30:00"),
        ("2020/40-1-1", "2020/40-01-01 00:00:00"),
        ("2026-12-24T18:00", "2026-12-24 18:00:00"),
        ("70-1-1 0:0", "1970-01-01 00:00:00"),
        ("69-1-1 0:0", "2069-01-01 00:00:00"),
        ("@1395716396", "2014-03-25 02:59:56 UTC"),
        ("  Mon   9:00  ", "Mon *-*-* 09:00:00"),
        ("9:00 America/Port-au-Prince", "*-*-* 09:00:00 America/Port-au-Prince"),
        ("09:00 utc", "*-*-* 09:00:00 UTC"),
        ("2026-12-01 9:00 Utc", "2026-12-01 09:00:00 UTC"),
        ("daily uTC", "*-*-* 00:00:00 UTC"),
        ("9:00 Etc/utc", "*-*-* 09:00:00 Etc/utc"),
        ("9:00 gmt", "*-*-* 09:00:00 gmt"),
        ("Mon..Sun 9:00", "*-*-* 09:00:00"),
        ("*-*-1..31 9:00", "*-*-* 09:00:00"),
        ("Mon\t*-*-*\t9:00\tEurope/Berlin", "Mon *-*-* 09:00:00 Europe/Berlin"),
    ]

    private static let cron: [(text: String, canonical: String)] = [
        ("0 9 * * 1-5", "Mon..Fri *-*-* 09:00:00"),
        ("0 9 * * mon-FRI", "Mon..Fri *-*-* 09:00:00"),
        ("0 9 * * 0", "Sun *-*-* 09:00:00"),
        ("0 9 * * 7", "Sun *-*-* 09:00:00"),
        ("0 9 * * 5-7", "Fri..Sun *-*-* 09:00:00"),
        ("0 9 * * 0-7", "*-*-* 09:00:00"),
        ("0 9 * * 6-1", "Mon,Sat,Sun *-*-* 09:00:00"),
        ("*/15 * * * *", "*-*-* *:00/15:00"),
        ("5/20 * * * *", "*-*-* *:05/20:00"),
        ("* * * * *", "*-*-* *:*:00"),
        ("30 4 1,15 * ?", "*-*-01,15 04:30:00"),
        ("0 0 1 JAN,jul *", "*-01,07-01 00:00:00"),
        ("0 0 * 2 *", "*-02-* 00:00:00"),
        ("0 22 * * 1-5 Europe/Berlin", "Mon..Fri *-*-* 22:00:00 Europe/Berlin"),
        ("CRON_TZ=Asia/Tokyo 0 9 * * *", "*-*-* 09:00:00 Asia/Tokyo"),
        ("@daily", "*-*-* 00:00:00"),
        ("@midnight", "*-*-* 00:00:00"),
        ("@hourly", "*-*-* *:00:00"),
        ("@weekly", "Sun *-*-* 00:00:00"),
        ("@monthly UTC", "*-*-01 00:00:00 UTC"),
        ("@yearly", "*-01-01 00:00:00"),
        ("@annually", "*-01-01 00:00:00"),
        ("0\t9\t*\t*\t*", "*-*-* 09:00:00"),
        ("\t0 9\t * * 1-5\tEurope/Berlin\t", "Mon..Fri *-*-* 09:00:00 Europe/Berlin"),
        ("CRON_TZ=utc 0 9 * * *", "*-*-* 09:00:00 UTC"),
        ("0 9 * * * Utc", "*-*-* 09:00:00 UTC"),
        ("CRON_TZ=Asia/Tokyo\t0\t9 * * *", "*-*-* 09:00:00 Asia/Tokyo"),
        ("@daily\tEurope/Berlin", "*-*-* 00:00:00 Europe/Berlin"),
    ]

    private static let fields: [(text: String, canonical: String)] = [
        ("hour=9", "*-*-* 09:00:00"),
        ("hour=9 weekday=2..6 Europe/Berlin", "Mon..Fri *-*-* 09:00:00 Europe/Berlin"),
        ("weekday=2 weekdayOrdinal=1 hour=8", "Mon *-*-01..07 08:00:00"),
        ("weekday=6 weekdayOrdinal=-1", "Fri *-*~07/1 00:00:00"),
        ("hour=9 utc", "*-*-* 09:00:00 UTC"),
        ("\thour=9\tday=31\tmissingDay=lastDay\tUTC", "day=31 hour=9 missingDay=lastDay UTC"),
        ("quarter=2", "*-04-01 00:00:00"),
        ("weekOfYear=53", "weekOfYear=53"),
        ("dayOfYear=60 hour=9", "dayOfYear=60 hour=9"),
        ("day=31 missingDay=lastDay", "day=31 missingDay=lastDay"),
        ("day=-1,1", "day=-1,1"),
        ("weekOfMonth=-1 weekday=6 firstWeekday=1", "weekOfMonth=-1 weekday=6 firstWeekday=1"),
    ]

    @Test(arguments: manual + onCalendar + cron + fields)
    func `a text reads to its canonical form`(_ text: String, _ canonical: String) throws {
        let expression = try CalendarExpression(text)
        #expect(expression.text == canonical)
        #expect(try CalendarExpression(canonical) == expression)
    }

    @Test(arguments: [
        ("Mon..Fri 09:00 Europe/Berlin", "every Monday to Friday at 09:00, Europe/Berlin"),
        ("09:00", "every day at 09:00"),
        ("8,17:30:15", "every day at 08:30:15 and 17:30:15"),
        ("9..17:00", "every day every hour from 09:00 to 17:00"),
        ("Mon 9..17:0/15", "every Monday every 15 minutes from 09:00 to 17:45"),
        ("8,12..14,20:5,10", "every day every hour at :05 and :10 of the hours 8, 12 to 14 and 20"),
        ("hourly", "every hour"), ("*:30", "every hour at :30"), ("*:0/15", "every 15 minutes"),
        ("minutely", "every minute"), ("*:*:0/10", "every 10 seconds"),
        ("*:*:*", "every second"), ("*:*:15", "every minute at second 15"),
        ("*:30:15", "every hour at :30, second 15"),
        ("Sat,Sun *:00", "every hour, every Saturday and Sunday"),
        ("*-*-13 9:00", "the 13th of every month at 09:00"),
        ("*-*-1,2,3,22 9:00", "the 1st to 3rd and 22nd of every month at 09:00"),
        ("Fri *-*-13 9:00", "every Friday that is the 13th of every month at 09:00"),
        ("*-*~1 18:00", "the last day of every month at 18:00"),
        ("*-12-25 8:00", "every 25 December at 08:00"),
        ("2027-12-25 8:00", "25 December 2027 at 08:00"),
        ("2027-*-* 8:00", "every day in 2027 at 08:00"),
        ("Fri *-05-* 8:00", "every Friday in May at 08:00"),
        ("weekday=2 weekdayOrdinal=1 hour=8", "the first Monday of every month at 08:00"),
        ("Fri *-*~07/1 8:00", "the last Friday of every month at 08:00"),
        (
            "weekday=2,3 weekdayOrdinal=-2,1",
            "the first and second last Monday and Tuesday of every month at 00:00"
        ),
        ("day=31 missingDay=lastDay", "the 31st of every month (or its last day) at 00:00"),
        ("weekOfYear=53", "every Monday, week of the year 53 at 00:00"),
        ("*-03..05-* 8:00", "every day in March to May at 08:00"),
    ])
    func `an expression says itself in words`(_ text: String, _ words: String) throws {
        #expect(try CalendarExpression(text).words == words)
    }

    @Test(
        arguments: [
            ("", 0, .empty), ("   ", 0, .empty), ("\t ", 0, .empty),
            ("Mon..Fry 09:00", 5, .unexpected(expecting: "a weekday")),
            ("noonly", 0, .unexpected(expecting: "a weekday")),
            ("Mon..Fri 25:00", 9, .outOfRange(.hour, value: 25)),
            ("*-13-01", 2, .outOfRange(.month, value: 13)),
            ("*-*-32 9:00", 4, .outOfRange(.day, value: 32)),
            ("*-*-0", 4, .outOfRange(.day, value: 0)),
            ("*-*~32", 4, .outOfRange(.day, value: 32)),
            ("09:61", 3, .outOfRange(.minute, value: 61)),
            ("09:00:60", 6, .outOfRange(.second, value: 60)),
            ("09:00:23.42", 8, .fraction),
            ("@123.5", 4, .fraction),
            ("*:0/0", 4, .step),
            ("17..9:00", 0, .backwards),
            ("9", 1, .unexpected(expecting: "- in a date or : in a time")),
            ("9:", 2, .unexpected(expecting: "a number or *")),
            ("9:00 Mon", 5, .unexpected(expecting: "a time zone; weekdays come first")),
            ("hour=9 wed", 7, .unexpected(expecting: "a time zone; weekdays come first")),
            ("9:00 ../etc/passwd", 5, .unexpected(expecting: "a time zone")),
            ("9:00 Europe/../x", 13, .unexpected(expecting: "a time zone")),
            ("9:00 UTC x", 9, .unexpected(expecting: "the end, as the time zone comes last")),
            ("12345-1-1", 0, .unexpected(expecting: "a number or * of at most four digits")),
            ("*-02-30", 0, .pattern(.neverFires)),
            ("Mon 2026-11-29", 0, .pattern(.neverFires)),
            ("99 9 * * *", 0, .outOfRange(.minute, value: 99)),
            ("0 9 * * 8", 8, .outOfRange(.weekday, value: 8)),
            ("0 9 * * xyz", 8, .unexpected(expecting: "the name of a weekday")),
            ("0\t9\t*\t*\txyz", 8, .unexpected(expecting: "the name of a weekday")),
            ("\t0\t9 \t*\t*\t8", 10, .outOfRange(.weekday, value: 8)),
            ("0\t9\t*\t*", 0, .cronFieldCount(4)),
            ("9:00\t\tEurope/../x", 14, .unexpected(expecting: "a time zone")),
            ("hour=9\t\thour=10", 8, .unexpected(expecting: "a field such as hour=9")),
            ("0 9 * *", 0, .cronFieldCount(4)),
            ("0 0 9 * * 1", 0, .cronFieldCount(6)),
            ("@reboot", 1, .reboot),
            ("@fortnightly", 1, .unexpected(expecting: "@daily, @weekly or the like")),
            ("0 9 13 * 5", 4, .dayOrWeekday(both: "Fri *-*-13 09:00:00")),
            ("0 9 30 2 *", 0, .pattern(.neverFires)),
            ("hour=9 minute=", 14, .unexpected(expecting: "a field such as hour=9")),
            ("hour=24", 0, .pattern(.outOfRange(.hour, value: 24, allowed: 0...23))),
            ("hour=9 hour=10", 7, .unexpected(expecting: "a field such as hour=9")),
            ("9:00 Europe/Zürich", 13, .unexpected(expecting: "a time zone")),
        ] as [(String, Int, ExpressionError.Problem)])
    func `a mistake is named with its place`(
        _ text: String, _ offset: Int, _ problem: ExpressionError.Problem
    ) {
        let error = #expect(throws: ExpressionError.self) { try CalendarExpression(text) }
        #expect(error == ExpressionError(problem, at: offset))
        #expect(error?.description.isEmpty == false)
    }

    @Test func `a text beyond the limit is refused before it is read`() {
        let text = String(repeating: "1,", count: 5000) + "1:00"
        #expect(throws: ExpressionError(.tooLong(limit: 8192), at: 8192)) {
            try CalendarExpression(text)
        }
    }

    @Test func `years that no run or step shortens read back as well`() throws {
        let expression = try CalendarExpression("2,13,12,14,619/4-1-1 4:0")
        #expect(expression.text.utf8.count > 1_900)
        #expect(try CalendarExpression(expression.text) == expression)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `what is printed reads back as equal`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var onCalendar = 0
        for index in 0..<500 {
            let drawn = RandomPattern(
                using: &random, near: CivilDateTime(year: 2027, month: 2, day: 28, hour: 9))
            guard let pattern = try? drawn.make() else { continue }
            let label: Comment = "seed \(seed), pattern \(index)"
            let zone = Bool.random(using: &random) ? "Europe/Berlin" : nil
            let expression = CalendarExpression(pattern: pattern, timeZone: zone)
            #expect(try CalendarExpression(expression.text) == expression, label)
            #expect(try CalendarPattern(compact: pattern.compact) == pattern, label)
            #expect(try CalendarPattern(compact: pattern.compact).compact == pattern.compact, label)
            #expect(!expression.words.isEmpty)
            if !expression.text.contains("=") { onCalendar += 1 }
        }
        #expect(onCalendar > 100)
    }
}
