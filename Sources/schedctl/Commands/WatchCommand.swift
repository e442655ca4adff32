// `schedctl watch`: events as they happen, over restarts of schedd.

import Dispatch
import Glibc
import Platform
import SchedulerClient
package import SchedulerInterface
import Varlink

/// Prints events, one a line, until it is interrupted or has seen enough.
package struct WatchCommand: Subcommand {
    package var kind: Wire.EventKind?
    package var count: Int64?

    package static let description = CommandDescription(
        name: "watch",
        usage: "[--for KIND] [--count N]",
        summary: "Print events as they happen",
        discussion: """
            Prints one line for each event of all apps, or of one with --app, as soon as
            it happens. It reports on standard error when it is connected, and prints the
            events from then on. When the connection breaks, it connects again and goes on
            with the event after the last one, or, if schedd was restarted, with what has
            fired since. Ctrl-C ends it with exit code 0; with --count before N events, with
            exit code 1.
            With --json: one object a line.
            """,
        groups: [
            OptionGroup(
                "Options",
                [
                    OptionDescription(
                        "for", value: "KIND",
                        help: "only events of one kind: added, rescheduled,\n"
                            + "removed, fired, presented, removedDelivered, missed"),
                    OptionDescription("count", value: "N", help: "end after N events"),
                ])
        ],
        examples: [
            .init("schedctl watch --for fired --count 1", "wait until something fires"),
            .init("schedctl watch --json | jq .title", "the titles, as they come"),
        ])

    package init(_ arguments: CommandArguments, _ time: TimeContext) throws(UsageError) {
        try arguments.refuseOperands()
        kind = try arguments.options.choice("for", of: Wire.EventKind.self)
        count = try TriggerOptions.number("count", arguments.options)
    }

    package func run(_ session: Session) throws(Failure) {
        let interrupt = SignalSource(.interrupt, on: DispatchQueue.global()) { [count] in
            exit(count == nil ? 0 : 1)
        }
        defer { withExtendedLifetime(interrupt) {} }
        try watch(session)
    }

    /// The same without taking over Ctrl-C.
    package func watch(_ session: Session) throws(Failure) {
        var progress = WatchProgress(left: count)
        while let end = try follow(session, &progress) {
            guard progress.cursor != nil, end.isDisconnection else {
                throw Failure(FailureText.text(end, session.time))
            }
            progress.pause(session)
        }
    }

    /// Prints what one connection brings; nil when enough has come, else why it ended.
    private func follow(
        _ session: Session, _ progress: inout WatchProgress
    ) throws(Failure) -> ClientError? {
        var replies: SchedulerConnection.ReplyStream<ManagerMethod.Subscribe>
        do throws(ClientError) {
            replies = try session.connect().stream(
                ManagerMethod.Subscribe.self,
                .init(app: session.globals.app, cursor: progress.cursor))
        } catch {
            return error
        }
        var delivered: [Wire.DeliveredNotification] = []
        var isReady = false
        var isResumed = false
        let isFirst = progress.cursor == nil
        while progress.left != 0 {
            let reply: ManagerMethod.Subscribe.Reply
            do throws(ClientError) {
                guard let next = try replies.next(waitingForEver: isReady) else {
                    return .closed(.peerClosed)
                }
                reply = next
            } catch {
                return error
            }
            delivered += reply.delivered ?? []
            isResumed = isResumed || reply.resumed == true
            if !isReady, reply.ready == true || isResumed {
                isReady = true
                session.notes(greeting(isFirst: isFirst, isResumed: isResumed))
                progress.attempts = 0
                let firings = progress.firings(in: delivered)
                if !isFirst { try output(firings, session, &progress) }
            }
            try output(reply.events ?? [], session, &progress)
            // Only who has got the whole state can go on from a cursor.
            if isReady { progress.cursor = reply.cursor }
        }
        return nil
    }

    private func greeting(isFirst: Bool, isResumed: Bool) -> String {
        if isFirst { return "schedctl: connected, waiting for events\n" }
        if isResumed { return "schedctl: connected again\n" }
        return "schedctl: connected again; schedd was started anew, and of what happened "
            + "meanwhile only firings are shown\n"
    }

    private func output(
        _ events: [Wire.Event], _ session: Session, _ progress: inout WatchProgress
    ) throws(Failure) {
        for event in events {
            progress.note(event)
            guard kind == nil || event.kind == kind, progress.left != 0 else { continue }
            if session.globals.json {
                try session.printJSON(event)
            } else {
                try session.print(
                    EventText.line(event, in: session.time.zone, style: session.style) + "\n")
            }
            progress.left = progress.left.map { $0 - 1 }
        }
    }
}
