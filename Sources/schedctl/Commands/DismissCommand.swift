// `schedctl dismiss`: delivered notifications off the list and off the screen.

import SchedulerInterface

/// Removes delivered notifications.
package struct DismissCommand: Subcommand {
    package var selection: ItemSelection

    package static let description = CommandDescription(
        name: "dismiss",
        usage: "ID... | --all",
        summary: "Take delivered notifications off the screen and the list",
        discussion: """
            Removes delivered notifications, from the screen too if they are still on it.
            If one of the IDs is unknown, or in several apps without --app, nothing is
            removed. --all removes what 'schedctl delivered' shows: those of all apps, or
            of one with --app.
            With --json: an object with count, and removed, an array of app and
            identifier.
            """,
        groups: [OptionGroup("Options", ItemSelection.options)],
        examples: [.init("schedctl dismiss --all", "everything")])

    package init(_ arguments: CommandArguments, _ time: TimeContext) throws(UsageError) {
        selection = try ItemSelection(arguments.options)
    }

    package func run(_ session: Session) throws(Failure) {
        let removed = try session.remove(
            selection, kind: "delivered",
            among: { () throws(Failure) in
                try session.delivered().map {
                    Wire.RemovedItem(app: $0.app, identifier: $0.identifier)
                }
            },
            call: { (app, identifiers) throws(Failure) in
                try session.call(
                    ManagerMethod.RemoveDelivered.self,
                    .init(app: app, identifiers: identifiers, all: identifiers == nil ? true : nil)
                ).removed
            })
        try session.report(
            removed, verb: "dismissed", noun: "notification", isAll: selection == .all)
    }
}
