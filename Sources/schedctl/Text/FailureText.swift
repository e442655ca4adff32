// schedd's refusals in the words of the command line: the field of the request becomes the option
// that set it, and the text says what to do next.

package import SchedulerClient
import SchedulerInterface

/// Renders errors of the connection and of schedd.
package enum FailureText {
    package static func text(_ error: ClientError, _ time: TimeContext) -> String {
        guard case .rejected(let rejection) = error else { return "\(error)" }
        switch rejection {
        case .queueFull(let full):
            return "the queue of the app '\(EscapedText.line(full.app))' is full: "
                + "\(full.pending) of \(full.limit) are pending, and nothing was added. Remove "
                + "some ('schedctl list --app \(full.app)' shows them), or add "
                + "--when-full queue"
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

    /// "--title: " for `requests[0].content.title`; the field itself where no option sets it.
    static func option(of field: String) -> String {
        var path = field[...]
        for prefix in ["requests[0].", "trigger.", "content."] where path.hasPrefix(prefix) {
            path = path.dropFirst(prefix.count)
        }
        let option = options.first { path == $0.field || path.hasPrefix($0.field + ".") }
        guard let option else { return EscapedText.line(String(path)) + ": " }
        let rest = path.dropFirst(option.field.count + 1)
        return option.name + (rest.isEmpty || !option.showsRest ? "" : " \(rest)") + ": "
    }

    private static let options: [(field: String, name: String, showsRest: Bool)] = [
        ("calendar.expression", "--on", false), ("calendar.timeZone", "--zone", false),
        ("calendar", "--calendar", true), ("date", "--at", false),
        ("interval", "--in or --every", false), ("startsAtUsec", "--starts", false),
        ("endsAtUsec", "--ends", false), ("maxCount", "--count", false),
        ("identifier", "--id", false), ("app", "--app", false), ("title", "--title", false),
        ("subtitle", "--subtitle", false), ("body", "--body", false),
        ("expireTimeoutUsec", "--expire", false), ("latenessLimit", "--lateness-limit", false),
        ("afterUsec", "--after", false),
    ]
}
