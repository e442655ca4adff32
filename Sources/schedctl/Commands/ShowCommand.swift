// `schedctl show ID`: one pending request in full.

import SchedulerInterface

/// Shows one pending request.
package struct ShowCommand: Subcommand {
    package var identifier: String

    package static let description = CommandDescription(
        name: "show",
        usage: "ID",
        summary: "Show one pending request in full",
        discussion: """
            Shows all that schedd knows of one pending request. If several apps have a
            request of that id, say which with --app.
            With --json: the request as 'list --json' shows it.
            """,
        examples: [.init("schedctl show stand-up", "the request that was added with this id")])

    package init(_ arguments: CommandArguments, _ time: TimeContext) throws(UsageError) {
        guard let first = arguments.operands.first else {
            throw UsageError("an ID is missing; 'schedctl list' shows them")
        }
        if arguments.operands.count > 1 {
            let second = EscapedText.line(arguments.operands[1])
            throw UsageError("unexpected argument '\(second)'; one ID is shown at a time")
        }
        identifier = first
    }

    package func run(_ session: Session) throws(Failure) {
        let request = try ItemSelection.item(
            identifier, in: try session.pending() + session.backlog(), kind: "pending",
            key: { .init(app: $0.app, identifier: $0.identifier) })
        if session.globals.json { return try session.printJSON(request) }
        try session.print(RequestText.text(request, session.time))
    }
}
