// Random parameters of Add as JSON text, most of them with something wrong: what a reader does with
// them is held against what another one does.

/// Writes one text after another.
package struct DamagedRequest {
    private var random: SplitMix64
    /// One member in so many is damaged.
    private let oddsOfDamage: Int

    package init(seed: UInt64, oddsOfDamage: Int) {
        random = SplitMix64(seed: seed)
        self.oddsOfDamage = oddsOfDamage
    }

    /// Parameters of Add with every member that there is, each left out now and then.
    package mutating func text() -> String {
        let requests = (0..<Int.random(in: 0..<3, using: &random)).map { _ in request() }
        return object(
            required: [
                ("app", #""org.example""#), ("requests", "[\(requests.joined(separator: ","))]"),
            ],
            [("whenFull", word(["fail", "keepSoonest", "keepLatestAdded", "queue"]))])
    }

    private mutating func request() -> String {
        let content = object([
            ("title", #""Ärger \"im\" B\u00fcro""#), ("subtitle", #""x""#), ("body", #""""#),
            ("urgency", word(["low", "normal", "critical"])), ("expireTimeoutUsec", number()),
            ("userInfo", #"{"a":[1,2.5,null,{"b":true}],"c":"d"}"#),
        ])
        return object(
            required: [("identifier", #""id""#), ("content", content)],
            [
                ("trigger", trigger()), ("ifMissed", word(["deliver", "skip"])),
                ("latenessLimit", "\(Double.random(in: 0..<1e6, using: &random))"),
            ])
    }

    private mutating func trigger() -> String {
        object([
            ("date", object(required: [("atUsec", number())], [])),
            ("interval", object(required: [("seconds", "1.5e3")], [])), ("calendar", calendar()),
            ("repeats", Bool.random(using: &random) ? "true" : "false"), ("startsAtUsec", number()),
            ("endsAtUsec", number()), ("maxCount", number()),
        ])
    }

    private mutating func calendar() -> String {
        let sets = [
            "year", "quarter", "month", "day", "dayOfYear", "weekday", "weekdayOrdinal",
            "weekOfMonth", "weekOfYear", "yearForWeekOfYear", "hour", "minute", "second",
        ].map { ($0, "[\(number()), \(number())]") }
        return object(
            sets + [
                ("expression", #""daily""#), ("timeZone", #""Europe/Berlin""#),
                ("firstWeekday", number()), ("minimumDaysInFirstWeek", number()),
                ("missingDay", word(["skip", "lastDay"])),
                (
                    "every",
                    object(
                        required: [
                            ("count", number()), ("unit", word(["day", "week", "month", "year"])),
                        ], [])
                ),
            ])
    }

    private mutating func number() -> String {
        "\(Int64.random(in: -40...40, using: &random) << Int64.random(in: 0..<57, using: &random))"
    }

    private mutating func word(_ words: [String]) -> String {
        "\"\(words.randomElement(using: &random) ?? "")\""
    }

    private mutating func object(
        required: [(String, String)] = [], _ optional: [(String, String)]
    ) -> String {
        var members = required + optional.filter { _ in Bool.random(using: &random) }
        members = members.flatMap { isDamage() ? damaged($0) : [$0] }
        members.shuffle(using: &random)
        return "{" + members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ",") + "}"
    }

    private mutating func isDamage() -> Bool {
        Int.random(in: 0..<oddsOfDamage, using: &random) == 0
    }

    private mutating func damaged(_ member: (name: String, value: String)) -> [(String, String)] {
        let (name, value) = member
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return []
        case 1: return [member, member]
        case 2: return [member, ("colour", value)]
        case 3:
            let code = String(name.utf8.first ?? 0, radix: 16)
            return [("\\u00\(code)\(name.dropFirst())", value)]
        case 4: return [(name, "null")]
        case 5: return [(name, "[\(value)]")]
        default:
            let others = [
                "1", "-0", "1.0", "1e400", "9223372036854775808", #""\u0000""#, #""x""#, "[]", "{}",
                "[1,null]", "[1,[]]", "true", #"{"a":1,"a":1}"#,
            ]
            return [(name, others.randomElement(using: &random) ?? "")]
        }
    }
}
