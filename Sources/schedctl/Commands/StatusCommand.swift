// `schedctl status`: the state of schedd.

import SchedulerInterface
import Varlink

/// Shows schedd's state.
package struct StatusCommand: Subcommand {
    package static let description = CommandDescription(
        name: "status",
        summary: "Show the state of schedd",
        discussion: """
            Shows schedd's version and uptime, how much is pending, delivered and missed,
            its zone and where that comes from, and whether notifications and storage
            work.
            With --json: one object.
            """,
        examples: [.init("schedctl status --json | jq .pending", "how many requests are pending")])

    package init(_ arguments: CommandArguments, _ time: TimeContext) throws(UsageError) {
        try arguments.refuseOperands()
    }

    package func run(_ session: Session) throws(Failure) {
        let status = try session.call(ManagerMethod.GetStatus.self, .init())
        if session.globals.json { return try session.printJSON(status) }
        try session.print(StatusText.text(status, session.time, style: session.style))
    }
}
