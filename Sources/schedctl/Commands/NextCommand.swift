// `schedctl next`: when a trigger would fire, without scheduling anything.

import Platform
package import SchedulerInterface

/// Previews a trigger.
package struct NextCommand: Subcommand {
    /// Nil for now.
    package var trigger: Wire.Trigger?
    package var count: Int64
    package var afterUsec: Int64?
    private let naming: FieldNaming

    /// How many times are shown unless -n says otherwise.
    package static let defaultCount: Int64 = 5

    package static let description = CommandDescription(
        name: "next",
        usage: "WHEN [-n COUNT] [--after WHEN]",
        summary: "Show when a trigger would fire",
        discussion: """
            Shows when a request with these options would fire: the trigger in words, as
            schedd writes it, and its next times in its zone, in UTC, and as time left.
            Nothing is stored.
            With --json: an array of integers, microseconds since 1970.
            """,
        groups: [
            OptionGroup("When, at most one of the first five", TriggerOptions.options),
            OptionGroup(
                "Which times",
                [
                    OptionDescription(
                        "number", short: "n", value: "COUNT", help: "how many; 5 when absent"),
                    OptionDescription(
                        "after", value: "WHEN", help: "only times later than that, not than now"),
                ]),
        ],
        examples: [
            .init("schedctl next --on 'Mon..Fri 09:00' -n 3", "the next three"),
            .init(
                "schedctl next --on '*-02-29' --after '2050-01-01 00:00'",
                "leap days after 2050"),
        ])

    package init(_ arguments: CommandArguments, _ time: TimeContext) throws(UsageError) {
        try arguments.refuseOperands()
        let options = arguments.options
        naming = arguments.naming
        trigger = try TriggerOptions.trigger(options, time)
        count = try TriggerOptions.number("number", options) ?? Self.defaultCount
        if let after = options.value(of: "after") {
            afterUsec = try TriggerOptions.instant(
                after, of: "after", zone: options.value(of: "zone"), time)
        }
    }

    package func run(_ session: Session) throws(Failure) {
        guard let trigger else {
            let now = session.time.nowUsec
            if session.globals.json { return try session.printJSON([now]) }
            return try session.print("now, at once\n")
        }
        let reply = try session.call(
            SchedulerMethod.Preview.self,
            .init(trigger: trigger, count: count, afterUsec: afterUsec), naming: naming)
        if session.globals.json { return try session.printJSON(reply.occurrences.map(\.atUsec)) }
        try session.print(
            PreviewText.text(reply, session.time, width: session.width, style: session.style))
    }
}
