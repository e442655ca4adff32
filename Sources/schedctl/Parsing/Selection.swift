// Which requests the words ID... and --all mean. An id that is in several apps is never guessed at.

package import Platform
package import SchedulerInterface

/// What `remove` and `dismiss` are to take away.
package enum ItemSelection: Equatable, Sendable {
    case all
    /// At least one; none twice.
    case identifiers([String])

    package static let options = [
        OptionDescription("all", help: "all that the command would list")
    ]

    package init(_ options: ParsedOptions) throws(UsageError) {
        let operands = options.operands
        switch (options.contains("all"), operands.isEmpty) {
        case (true, true): self = .all
        case (false, false):
            self = .identifiers(
                operands.enumerated().filter { !operands[..<$0.offset].contains($0.element) }
                    .map(\.element))
        case (true, false): throw UsageError("--all and an ID exclude each other")
        case (false, true): throw UsageError("an ID is missing; give one or more, or --all")
        }
    }

    /// The items of `ids`, in their order, out of what there is; the failure names every id that is
    /// unknown or in several apps, and then nothing is to be done.
    package static func items(
        of ids: [String], in items: [Wire.RemovedItem], kind: String
    ) throws(Failure) -> [Wire.RemovedItem] {
        var chosen: [Wire.RemovedItem] = []
        var complaints: [String] = []
        for id in ids {
            let found = items.filter { $0.identifier == id }
            switch found.count {
            case 0: complaints.append(unknown(id, kind))
            case 1: chosen += found
            default: complaints.append(ambiguous(id, found))
            }
        }
        if complaints.isEmpty { return chosen }
        throw Failure(complaints.joined(separator: "\n"))
    }

    /// The one item that an id means.
    package static func item<Item>(
        _ id: String, in items: [Item], kind: String, key: (Item) -> Wire.RemovedItem
    ) throws(Failure) -> Item {
        let found = items.filter { key($0).identifier == id }
        guard let first = found.first else { throw Failure(unknown(id, kind)) }
        if found.count > 1 { throw Failure(ambiguous(id, found.map(key))) }
        return first
    }

    private static func unknown(_ id: String, _ kind: String) -> String {
        "nothing \(kind) has the id '\(EscapedText.line(id))'"
    }

    private static func ambiguous(_ id: String, _ items: [Wire.RemovedItem]) -> String {
        let apps = items.map { EscapedText.line($0.app) }.joined(separator: ", ")
        return "the id '\(EscapedText.line(id))' is in several apps: \(apps); "
            + "say which with --app"
    }
}
