// `schedctl missed`: what was due and not shown, and why.

import SchedulerInterface

/// Shows the missed occurrences, oldest first.
package struct MissedCommand: Subcommand {
    package static let description = CommandDescription(
        name: "missed",
        summary: "List what was due and not shown, and why",
        discussion: """
            Lists occurrences that passed without being shown, oldest first: their request
            was to be skipped when missed, or it would have been later than its limit, or
            the zone changed.
            With --json: an array of objects with app, identifier, title, dueUsec,
            recordedUsec, count and reason.
            """,
        examples: [.init("schedctl missed --app schedctl", "of what was added by hand")])

    package init(_ arguments: CommandArguments, _ time: TimeContext) throws(UsageError) {
        try arguments.refuseOperands()
    }

    package func run(_ session: Session) throws(Failure) {
        let missed = try session.list(
            ManagerMethod.ListMissed.self, .init(app: session.globals.app), part: \.missed)
        try session.printList(missed, kind: "missed notifications", as: ListingText.missed)
    }
}
