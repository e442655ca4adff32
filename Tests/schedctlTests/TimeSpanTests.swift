// Spans as people type them, and as they are printed.

import CivilTime
import Testing
import schedctl

struct TimeSpanTests {
    static let readable: [(String, Int64)] = [
        ("90s", 90_000_000), ("20m", 1_200_000_000), ("1h30m", 5_400_000_000),
        ("1 h 30 min", 5_400_000_000), ("2d", 172_800_000_000), ("1w", 604_800_000_000),
        ("1.5h", 5_400_000_000), ("0.25 s", 250_000), ("250ms", 250_000), ("3us", 3),
        ("1 hour 5 minutes 3 seconds", 3_903_000_000), ("2H", 7_200_000_000),
        (" 5 m ", 300_000_000),
        ("0s", 0), ("1.0000009s", 1_000_000), ("36525d", 3_155_760_000_000_000),
    ]

    @Test(arguments: readable)
    func `a span is read`(text: String, microseconds: Int64) throws {
        #expect(try TimeSpan(text: text).microseconds == microseconds)
    }

    static let refused: [(String, String)] = [
        ("", "empty"), ("  ", "empty"), ("20", "20 has no unit; write 20s, 20m, 20h or 20d"),
        ("1h30", "30 has no unit"), ("1.5", "1.5 has no unit"), ("-5m", "no span"),
        ("m", "no span"), ("5 parsecs", "'parsecs' is not a unit"), ("2 months", "no fixed span"),
        ("1M", "no fixed span"), ("1y", "no fixed span"), (".5h", "no span"), ("1.h", "no span"),
        ("99999999999999999999s", "too long"), ("9223372036854775807s", "too long"),
        ("106751991d 4h 60m", "too long"), ("5m,", "no span"), ("٣s", "no span"),
    ]

    @Test(arguments: refused)
    func `what is no span is refused with the reason`(text: String, reason: String) {
        do throws(UsageError) {
            Issue.record("'\(text)' is read as \(try TimeSpan(text: text).microseconds)")
        } catch {
            #expect(error.message.contains(reason), "\(error.message)")
        }
    }

    static let printed: [(Int64, String)] = [
        (0, "0 s"), (90_000_000, "1 min 30 s"), (5_400_000_000, "1 h 30 min"),
        (90_500_000, "1 min 30.5 s"), (1, "0.000001 s"), (172_800_000_000, "2 d"),
        (90_061_000_000, "1 d 1 h 1 min 1 s"),
    ]

    @Test(arguments: printed)
    func `an exact span reads back as itself`(microseconds: Int64, text: String) throws {
        #expect(TimeSpan(microseconds: microseconds).description == text)
        #expect(try TimeSpan(text: text).microseconds == microseconds)
    }

    static let rough: [(Int64, String)] = [
        (0, "under 1 s"), (999_999, "under 1 s"), (1_000_000, "1 s"), (59_999_999, "59 s"),
        (60_000_000, "1 min"), (61_000_000, "1 min 1 s"), (600_000_000, "10 min"),
        (3_599_000_000, "59 min"), (3_600_000_000, "1 h"), (5_400_000_000, "1 h 30 min"),
        (86_400_000_000, "1 d"), (97_200_000_000, "1 d 3 h"), (1_209_599_000_000, "13 d 23 h"),
        (1_209_600_000_000, "14 d"), (86_400_000_000 * 731, "731 d"),
        (86_400_000_000 * 732, "2 years"), (86_400_000_000 * 36_525, "100 years"),
    ]

    @Test(arguments: rough)
    func `time left is rounded down to what matters`(microseconds: Int64, text: String) {
        #expect(SpanText.rough(microseconds: microseconds) == text)
    }

    @Test func `an instant is told from now, in both directions`() {
        #expect(SpanText.relative(to: 60_000_000, from: 0) == "in 1 min")
        #expect(SpanText.relative(to: 0, from: 60_000_000) == "1 min ago")
        #expect(SpanText.relative(to: 999_999, from: 0) == "now")
        #expect(SpanText.relative(to: -999_999, from: 0) == "now")
        #expect(SpanText.relative(to: .max, from: .min) == "far away")
    }
}
