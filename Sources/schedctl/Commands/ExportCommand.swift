// `schedctl export`: what is scheduled, as a text that `import` takes on any machine.

package import SchedulerInterface
package import Varlink

/// Prints every pending and backlogged request.
package struct ExportCommand: Subcommand {
    package static let description = CommandDescription(
        name: "export",
        summary: "Write what is scheduled as JSON, to be imported elsewhere",
        discussion: """
            Prints the pending and backlogged requests of all apps, or of one with --app,
            as one JSON object that 'schedctl import' takes. What waits for a span of time
            becomes a date, since the span has begun here; a repeating interval keeps its
            phase. Delivered notifications are not in it.
            """,
        examples: [
            .init("schedctl export > schedule.json", "a backup"),
            .init("schedctl export --app org.example.Diary", "of one app"),
        ])

    package init(_ arguments: CommandArguments, _ time: TimeContext) throws(UsageError) {
        try arguments.refuseOperands()
    }

    package func run(_ session: Session) throws(Failure) {
        let requests = try session.pending() + session.backlog()
        try session.printJSON(ExportFile(requests: requests.map(ExportFile.exported)))
    }
}

/// The text that an export is: a version and the requests.
package struct ExportFile: Hashable, Sendable {
    /// What this program writes; it reads no other.
    package static let currentVersion: Int64 = 1

    package var scheddExport: Int64
    package var requests: [Wire.ExportedRequest]

    package init(requests: [Wire.ExportedRequest]) {
        scheddExport = Self.currentVersion
        self.requests = requests
    }

    /// A pending request as it has to be added elsewhere, so that it fires when it would have here.
    package static func exported(_ pending: Wire.PendingRequest) -> Wire.ExportedRequest {
        var trigger = pending.trigger
        if let interval = trigger.interval {
            if trigger.repeats == true {
                trigger.startsAtUsec = pending.nextUsec - Int64(interval.seconds * 1_000_000)
            } else {
                trigger = Wire.Trigger(date: Wire.DateTrigger(atUsec: pending.nextUsec))
            }
        }
        if trigger.calendar?.every != nil, trigger.startsAtUsec == nil {
            // Every-N counts from the day of adding, which is another one elsewhere.
            trigger.startsAtUsec = pending.addedUsec
        }
        if let count = trigger.maxCount {
            trigger.maxCount = max(count - pending.occurrenceCount, 1)
        }
        let request = Wire.Request(
            identifier: pending.identifier, content: pending.content, trigger: trigger,
            ifMissed: pending.ifMissed == .deliver ? nil : pending.ifMissed,
            latenessLimit: pending.latenessLimit)
        return Wire.ExportedRequest(app: pending.app, request: request)
    }
}

extension ExportFile: JSONReadable, JSONWritable {
    package init(_ reader: JSONReader) throws(JSONMistake) {
        let members = try reader.members(["scheddExport", "requests"])
        scheddExport = try members.required(0).integer()
        requests = try members.required(1).elements(Wire.ExportedRequest.init)
    }

    package func write(to text: inout JSONText) {
        text.object { text in
            text.member("scheddExport", scheddExport)
            text.member("requests", requests)
        }
    }
}
