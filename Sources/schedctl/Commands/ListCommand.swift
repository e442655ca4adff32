// `schedctl list`: what is pending.

import Platform
import SchedulerInterface
import Varlink

/// Shows the pending requests, soonest first.
package struct ListCommand: Subcommand {
    package var app: String?
    /// What waits behind the 64 of its app, instead of what is pending.
    package var isBacklog: Bool

    package static let description = CommandDescription(
        name: "list",
        summary: "List what is pending, soonest first",
        discussion: """
            Lists the pending requests of all apps, or of one with --app, soonest first:
            when each fires next in your zone, the time left, its app and id, its trigger
            and its title. On a terminal long texts are cut to its width, in a pipe never.
            With --json: an array of objects with app, identifier, nextUsec (microseconds
            since 1970), content, trigger and more.
            """,
        groups: [
            OptionGroup(
                "Options",
                [
                    OptionDescription(
                        "backlog",
                        help: "what waits behind the 64 that fire sooner, as added\n"
                            + "with --when-full queue, instead of what is pending")
                ])
        ],
        examples: [
            .init("schedctl list --app org.example.Clock", "only what this app has scheduled"),
            .init("schedctl list --json | jq -r '.[].identifier'", "the ids, for a script"),
        ])

    package init(_ arguments: CommandArguments, _ time: TimeContext) throws(UsageError) {
        try arguments.refuseOperands()
        app = arguments.globals.app
        isBacklog = arguments.options.contains("backlog")
    }

    package func run(_ session: Session) throws(Failure) {
        try session.printList(
            isBacklog ? session.backlog() : session.pending(),
            kind: isBacklog ? "backlogged requests" : "pending requests", as: ListingText.pending)
    }
}

extension Session {
    /// What is pending, of one app with --app.
    func pending() throws(Failure) -> [Wire.PendingRequest] {
        try list(ManagerMethod.ListPending.self, .init(app: globals.app), part: \.pending)
    }

    /// What waits behind the 64 of its app, of one app with --app.
    func backlog() throws(Failure) -> [Wire.PendingRequest] {
        try list(ManagerMethod.ListBacklog.self, .init(app: globals.app), part: \.backlog)
    }

    /// What was delivered and not removed, of one app with --app.
    func delivered() throws(Failure) -> [Wire.DeliveredNotification] {
        try list(ManagerMethod.ListDelivered.self, .init(app: globals.app), part: \.delivered)
    }

    /// A table of what there is, or that there is nothing; with --json the items themselves.
    func printList<Item: JSONWritable>(
        _ items: [Item], kind: String, as table: ([Item], TimeContext) -> Table
    ) throws(Failure) {
        if globals.json { return try printJSON(items) }
        if items.isEmpty {
            let app = globals.app.map { " of \(EscapedText.line($0))" } ?? ""
            return try print("no \(kind)\(app)\n")
        }
        try print(table(items, time).text(width: width, style: style))
    }
}
