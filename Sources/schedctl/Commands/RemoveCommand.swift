// `schedctl remove`: requests out of the queue, before they fire.

import SchedulerInterface

/// Removes pending requests.
package struct RemoveCommand: Subcommand {
    package var selection: ItemSelection

    package static let description = CommandDescription(
        name: "remove",
        usage: "ID... | --all",
        summary: "Remove pending requests",
        discussion: """
            Removes pending requests, so that they do not fire. If one of the IDs is
            unknown, or in several apps without --app, nothing is removed. --all removes
            the requests of all apps, or of one with --app, their backlog too.
            With --json: an object with count, and removed, an array of app and
            identifier.
            """,
        groups: [OptionGroup("Options", ItemSelection.options)],
        examples: [
            .init("schedctl remove stand-up tea", "these two"),
            .init("schedctl remove --all --app schedctl", "all that was added by hand"),
        ])

    package init(_ arguments: CommandArguments, _ time: TimeContext) throws(UsageError) {
        selection = try ItemSelection(arguments.options)
    }

    package func run(_ session: Session) throws(Failure) {
        let removed = try session.remove(
            selection, kind: "pending",
            among: { () throws(Failure) in
                (try session.pending() + session.backlog()).map {
                    Wire.RemovedItem(app: $0.app, identifier: $0.identifier)
                }
            },
            call: { (app, identifiers) throws(Failure) in
                try session.call(
                    ManagerMethod.RemovePending.self,
                    .init(app: app, identifiers: identifiers, all: identifiers == nil ? true : nil)
                ).removed
            })
        try session.report(
            removed, verb: "removed", noun: "pending request", isAll: selection == .all)
    }
}

extension Session {
    /// Removes what is selected, app by app; what is gone by then is an error that names it.
    ///
    /// - Parameter kind: what an id that is unknown is not: "pending".
    /// - Parameter present: what there is to remove.
    /// - Parameter call: removes items of one app, or everything: of all apps, or of one.
    func remove(
        _ selection: ItemSelection, kind: String,
        among present: () throws(Failure) -> [Wire.RemovedItem],
        call: (_ app: String?, _ identifiers: [String]?) throws(Failure) -> [Wire.RemovedItem]
    ) throws(Failure) -> [Wire.RemovedItem] {
        guard case .identifiers(let ids) = selection else { return try call(globals.app, nil) }
        let items = try ItemSelection.items(of: ids, in: present(), kind: kind)
        var removed: [Wire.RemovedItem] = []
        for app in Set(items.map(\.app)).sorted() {
            removed += try call(app, items.filter { $0.app == app }.map(\.identifier))
        }
        let gone = items.filter { !removed.contains($0) }.map { EscapedText.line($0.identifier) }
        if !gone.isEmpty {
            throw Failure(
                "\(gone.joined(separator: ", ")): gone, it fired or was removed meanwhile")
        }
        return removed
    }

    /// Says what was removed: each by name, or how many of all.
    func report(
        _ removed: [Wire.RemovedItem], verb: String, noun: String, isAll: Bool
    ) throws(Failure) {
        if globals.json {
            let reply = ManagerMethod.RemovePending.Reply(
                count: Int64(removed.count), removed: removed)
            return try printJSON(reply)
        }
        if isAll {
            return try print("\(verb) \(removed.count) \(noun)\(removed.count == 1 ? "" : "s")\n")
        }
        let lines = removed.map {
            "\(verb) \(EscapedText.line($0.identifier)) of \(EscapedText.line($0.app))\n"
        }
        try print(lines.joined())
    }
}
