// schedd's refusals in the words of the command line: the field of the request becomes the option
// that set it, and the text says what to do next.

package import SchedulerClient
import SchedulerInterface

/// How a refusal names the field that is wrong.
package enum FieldNaming: Equatable, Sendable {
    /// As the option that set it, out of those that were given, by their names without dashes.
    case options(given: Set<String>)
    /// By its path, as schedd has it: what was sent is no command line.
    case path
}

/// Renders errors of the connection and of schedd.
package enum FailureText {
    package static func text(
        _ error: ClientError, naming: FieldNaming = .options(given: []), _ time: TimeContext
    ) -> String {
        func option(of field: String) -> String { "\(name(of: field, naming)): " }
        guard case .rejected(let rejection) = error else { return "\(error)" }
        switch rejection {
        case .queueFull(let full):
            return queueFull(full, naming)
        case .invalidRequest(let field, let reason):
            return option(of: field) + EscapedText.block(reason)
        case .neverFires(let field, let reason):
            return option(of: field) + EscapedText.block(reason)
        case .inPast(let error):
            return option(of: error.field) + TimeText.localWithOffset(error.atUsec, in: time.zone)
                + " is not later than now, "
                + TimeText.localWithOffset(error.nowUsec, in: time.zone)
        case .tooLarge(let error):
            return option(of: error.field)
                + "\(error.size) is more than the limit of \(error.limit)"
        case .storageFailed, .service, .other:
            return EscapedText.block("\(rejection)")
        }
    }

    private static func queueFull(
        _ full: SchedulerFailure.QueueFull, _ naming: FieldNaming
    ) -> String {
        let app = EscapedText.line(full.app)
        let text =
            "the queue of the app '\(app)' is full: \(full.pending) of \(full.limit) are "
            + "pending, and nothing was added. Remove some ('schedctl list --app \(app)' shows "
            + "them)"
        // An import has no such option, and who gave it knows it.
        guard case .options(let given) = naming, !given.contains("when-full") else { return text }
        return text + ", or add --when-full queue"
    }

    /// "--title" for `requests[0].content.title`; the field itself where no option sets it.
    static func name(of field: String, _ naming: FieldNaming) -> String {
        guard case .options(let given) = naming else { return EscapedText.line(field) }
        var path = field[...]
        for prefix in ["requests[0].", "trigger.", "content."] where path.hasPrefix(prefix) {
            path = path.dropFirst(prefix.count)
        }
        let able = options.filter { path == $0.field || path.hasPrefix($0.field + ".") }
        guard let option = able.first(where: { given.contains($0.name) }) ?? able.first else {
            return EscapedText.line(String(path))
        }
        let rest = path.dropFirst(option.field.count + 1)
        return "--\(option.name)"
            + (rest.isEmpty || !option.showsRest ? "" : " \(EscapedText.line(String(rest)))")
    }

    /// The options that may have set a field; of several the first that was given.
    private static let options: [(field: String, name: String, showsRest: Bool)] =
        ContentOption.all.map { ($0.field, $0.option.name, false) } + [
            ("calendar.timeZone", "zone", false), ("calendar", "calendar", true),
            ("calendar", "on", false), ("date", "at", false), ("interval", "in", false),
            ("interval", "every", false), ("startsAtUsec", "starts", false),
            ("endsAtUsec", "ends", false), ("maxCount", "count", false),
            ("identifier", "id", false),
            ("app", "app", false),
            ("latenessLimit", "lateness-limit", false), ("afterUsec", "after", false),
            ("count", "number", false),
        ]
}
