// `schedctl add`: one request into the queue.

import Platform
import SchedulerClient
package import SchedulerInterface
import Varlink

/// Schedules one notification.
package struct AddCommand: Subcommand {
    package var globals: GlobalOptions
    /// With an empty identifier when one is to be made up.
    package var request: Wire.Request
    package var whenFull: Wire.FullPolicy?
    private let naming: FieldNaming

    package static let description = CommandDescription(
        name: "add",
        usage: "[WHEN] --title TEXT [OPTIONS]",
        summary: "Schedule a notification",
        discussion: """
            Schedules one notification and prints its id and when it fires next. schedctl
            returns at once; schedd keeps the request through a restart or a crash.
            Without a WHEN option it is shown now. Adding an id that is pending already
            replaces that request.
            With --json: an object with identifier, nextUsec, replaced and backlogged, and
            evicted when others made room.
            """,
        groups: [
            OptionGroup("When, at most one of the first five", TriggerOptions.options),
            OptionGroup(
                "What",
                [
                    OptionDescription(
                        "id", value: "ID", help: "your name for it; made up and printed when absent"
                    )
                ] + ContentOption.all.map(\.option)),
            OptionGroup(
                "If something is in the way",
                [
                    OptionDescription(
                        "if-missed", value: "POLICY",
                        help: "when it was due while the machine slept or schedd\n"
                            + "was down: deliver late (when absent) or skip"),
                    OptionDescription(
                        "lateness-limit", value: "SPAN", help: "do not deliver it later than that"),
                    OptionDescription(
                        "when-full", value: "POLICY",
                        help: "when the app has 64 pending: fail (when absent),\n"
                            + "keepSoonest, keepLatestAdded, or queue: what fires\n"
                            + "later than the 64 waits in a backlog"),
                ]),
        ],
        examples: [
            .init("schedctl add --in 20m --title Tea", "once, in 20 minutes"),
            .init(
                "schedctl add --at '2026-12-01 09:00' --zone Europe/Berlin --title Call",
                "once, at nine in Berlin"),
            .init(
                "schedctl add --on 'Mon..Fri 09:00' --id stand-up --title Stand-up",
                "every working day; change or remove it later as stand-up"),
            .init(
                "schedctl add --calendar '{\"day\":[-1],\"hour\":[17]}' --title Timesheet",
                "at 17:00 on the last day of every month"),
        ])

    package init(_ arguments: CommandArguments, _ time: TimeContext) throws(UsageError) {
        let options = arguments.options
        if let first = arguments.operands.first {
            let word = EscapedText.line(first)
            throw UsageError("unexpected argument '\(word)'; for a title write --title '\(word)'")
        }
        globals = arguments.globals
        naming = arguments.naming
        let content = try Self.content(options)
        request = Wire.Request(
            identifier: options.value(of: "id") ?? "", content: content,
            trigger: try TriggerOptions.trigger(options, time))
        if options.value(of: "id") == "" { throw UsageError("--id: an id is not empty") }
        request.ifMissed = try options.choice("if-missed", of: Wire.MissedPolicy.self)
        if let limit = options.value(of: "lateness-limit") {
            request.latenessLimit = try TriggerOptions.span(limit, of: "lateness-limit")
        }
        whenFull = try options.choice("when-full", of: Wire.FullPolicy.self)
    }

    private static func content(_ options: ParsedOptions) throws(UsageError) -> Wire.Content {
        var content = Wire.Content()
        for row in ContentOption.all {
            guard let text = options.value(of: row.option.name) else { continue }
            try row.read(text, &content)
        }
        if ContentOption.texts.allSatisfy({ $0.shown(content) ?? "" == "" }) {
            throw UsageError("nothing to say: give --title, --subtitle or --body")
        }
        return content
    }

    /// The wire's `Added`, and what made room if anything did.
    private struct Output: JSONWritable {
        var identifier: String
        var nextUsec: Int64
        var replaced: Bool
        var backlogged: Bool
        var evicted: [Wire.Evicted]?

        init(_ added: Wire.Added, evicted: [Wire.Evicted]) {
            identifier = added.identifier
            nextUsec = added.nextUsec
            replaced = added.replaced
            backlogged = added.backlogged
            self.evicted = evicted.isEmpty ? nil : evicted
        }

        func write(to text: inout JSONText) {
            text.object { text in
                text.member("identifier", identifier)
                text.member("nextUsec", nextUsec)
                text.member("replaced", replaced)
                text.member("backlogged", backlogged)
                text.member("evicted", evicted)
            }
        }
    }

    /// The app of requests that are added by hand.
    package static let defaultApp = "schedctl"

    package func run(_ session: Session) throws(Failure) {
        var request = request
        if request.identifier.isEmpty { request.identifier = try session.newIdentifier() }
        let reply = try session.call(
            SchedulerMethod.Add.self,
            .init(app: globals.app ?? Self.defaultApp, requests: [request], whenFull: whenFull),
            naming: naming)
        guard let added = reply.added.first else {
            throw Failure("schedd did not say what became of the request")
        }
        if globals.json {
            try session.printJSON(Output(added, evicted: reply.evicted))
            return
        }
        try session.print(
            AddedText.text(
                added, isNow: request.trigger == nil, evicted: reply.evicted, session.time))
    }
}
