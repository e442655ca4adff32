// What an app asks for. Sizes are checked where a request comes in; from there on these are plain
// values that are stored, listed and presented as they are.

/// What a notification says. The scheduler hands it on and does not look into it.
package struct Content: Sendable, Hashable {
    /// For events and for the record of what was missed.
    package var title: String
    /// All the rest, as the JSON text that RequestIntake makes once it has checked every field.
    package var document: String

    package init(title: String, document: String) {
        self.title = title
        self.document = document
    }
}

/// What happens to an occurrence that passed while the daemon was not running or the machine slept.
package enum MissedPolicy: UInt8, Sendable, Hashable {
    case deliver = 0
    case skip = 1
}

/// Identifier, content, trigger and policies: the unit of the pending queue.
package struct Request: Sendable, Hashable {
    package var identifier: String
    package var content: Content
    package var trigger: Trigger
    package var ifMissed: MissedPolicy
    /// In microseconds after the due time; a delivery later than that is recorded as missed.
    package var latenessLimit: Int64?

    package init(
        identifier: String, content: Content, trigger: Trigger, ifMissed: MissedPolicy,
        latenessLimit: Int64?
    ) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
        self.ifMissed = ifMissed
        self.latenessLimit = latenessLimit
    }
}

/// What names a request: an app and the identifier that the app gave.
package struct RequestKey: Sendable, Hashable {
    package var app: String
    package var identifier: String

    package init(app: String, identifier: String) {
        self.app = app
        self.identifier = identifier
    }
}
