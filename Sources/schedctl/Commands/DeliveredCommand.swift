// `schedctl delivered`: what has fired and was not removed.

import SchedulerInterface

/// Shows the delivered notifications, oldest first.
package struct DeliveredCommand: Subcommand {
    package static let description = CommandDescription(
        name: "delivered",
        summary: "List what has fired and was not dismissed",
        discussion: """
            Lists the notifications that have fired and were not removed since, oldest
            first. NOTE says 'waiting' when no notification server has taken it yet,
            'late' when schedd or the machine was not running at its time, and how many
            times it stands for.
            With --json: an array of objects with app, identifier, delivery, content,
            dueUsec, firedUsec, presentedUsec, late and missedCount.
            """,
        examples: [.init("schedctl delivered", "of all apps")])

    package init(_ arguments: CommandArguments, _ time: TimeContext) throws(UsageError) {
        try arguments.refuseOperands()
    }

    package func run(_ session: Session) throws(Failure) {
        try session.printList(
            session.delivered(), kind: "delivered notifications", as: ListingText.delivered)
    }
}
