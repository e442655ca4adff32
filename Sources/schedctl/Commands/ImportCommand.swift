// `schedctl import`: an export into this machine's queue, all of it or nothing.

import Glibc
import Platform
import SchedulerClient
package import SchedulerInterface
import Varlink

/// Adds the requests of an export.
package struct ImportCommand: Subcommand {
    /// A path, or "-" for standard input.
    package var path: String
    package var isDryRun: Bool
    package var app: String?

    package static let description = CommandDescription(
        name: "import",
        usage: "FILE [--dry-run]",
        summary: "Add what was exported, all of it or nothing",
        discussion: """
            Reads a FILE that 'schedctl export' wrote, or standard input for -, and adds its
            requests: all of them, or none if one is refused. A request of the same app and
            id is replaced; one whose time has passed is skipped and reported; what is
            more than the 64 of its app waits in the backlog. With --app only that app's.
            With --json: an array of objects with app, identifier and outcome (added,
            replaced or past).
            """,
        groups: [
            OptionGroup(
                "Options",
                [
                    OptionDescription(
                        "dry-run", help: "show what would be done, and do nothing")
                ])
        ],
        examples: [
            .init("schedctl import --dry-run schedule.json", "look first"),
            .init("schedctl import schedule.json", "then do it"),
        ])

    package init(_ arguments: CommandArguments, _ time: TimeContext) throws(UsageError) {
        guard let first = arguments.operands.first else {
            throw UsageError("a FILE is missing; - is standard input")
        }
        if arguments.operands.count > 1 {
            let second = EscapedText.line(arguments.operands[1])
            throw UsageError("unexpected argument '\(second)'; one FILE is imported at a time")
        }
        path = first
        isDryRun = arguments.options.contains("dry-run")
        app = arguments.globals.app
    }

    package func run(_ session: Session) throws(Failure) {
        let requests = try Self.requests(in: try contents(), name: path)
            .filter { app == nil || $0.app == app }
        if requests.isEmpty { throw Failure("\(EscapedText.line(path)): no requests in it") }
        let items = try session.client(naming: .path) { () throws(ClientError) in
            try send(requests, over: try session.connect())
        }
        if session.globals.json { return try session.printJSON(items) }
        try session.print(ImportText.text(items, isDryRun: isDryRun))
    }

    /// Sends the requests in parts that are well below the limit of a message.
    private func send(
        _ requests: [Wire.ExportedRequest], over connection: SchedulerConnection
    ) throws(ClientError) -> [Wire.ImportedItem] {
        var rest = requests[...]
        while true {
            var bytes = 0
            let count = rest.prefix { request in
                bytes += request.jsonText.utf8.count
                return bytes < 512 << 10
            }.count
            let part = rest.prefix(max(count, 1))
            rest = rest.dropFirst(part.count)
            let reply = try connection.call(
                ManagerMethod.Import.self,
                .init(
                    requests: Array(part), moreFollows: rest.isEmpty ? nil : true,
                    dryRun: isDryRun ? true : nil))
            if rest.isEmpty { return reply.items }
        }
    }

    /// 10,000 requests of several apps are a few megabytes.
    private static let limitBytes = 256 << 20

    private func contents() throws(Failure) -> [UInt8] {
        do throws(Errno) {
            let file =
                path == "-"
                ? try FileDescriptor(duplicating: STDIN_FILENO)
                : try FileDescriptor.open(path, O_RDONLY)
            return try file.readToEnd(limitBytes: Self.limitBytes)
        } catch {
            throw Failure("reading \(EscapedText.line(path)): \(error)")
        }
    }

    /// The requests of an export's text.
    package static func requests(
        in text: [UInt8], name: String
    ) throws(Failure) -> [Wire.ExportedRequest] {
        let wrong = "\(EscapedText.line(name)) is not what 'schedctl export' writes"
        let payload: Payload
        do throws(JSONError) {
            payload = try Payload(jsonText: text)
        } catch {
            throw Failure("\(wrong): it is no JSON object")
        }
        let file: ExportFile
        do throws(ServiceError) {
            file = try payload.decode(ExportFile.self)
        } catch {
            guard case .invalidParameter(let field) = error else { throw Failure(wrong) }
            throw Failure("\(wrong): look at \(EscapedText.line(field))")
        }
        guard file.scheddExport == ExportFile.currentVersion else {
            throw Failure(
                "\(EscapedText.line(name)) is an export of version \(file.scheddExport); this "
                    + "schedctl reads version \(ExportFile.currentVersion)")
        }
        return file.requests
    }
}

/// What an import did.
package enum ImportText {
    package static func text(_ items: [Wire.ImportedItem], isDryRun: Bool) -> String {
        func count(_ outcome: Wire.ImportOutcome) -> Int { items.count { $0.outcome == outcome } }
        let verb = isDryRun ? "would add" : "added"
        var text = "\(verb) \(count(.added)), replaced \(count(.replaced)), "
        text += "passed over \(count(.past))\n"
        for item in items where item.outcome == .past {
            text += "past: \(EscapedText.line(item.identifier)) of "
            text += "\(EscapedText.line(item.app))\n"
        }
        return text
    }
}
