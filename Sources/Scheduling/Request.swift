// What an app asks for. Sizes are checked where a request comes in; from there on these are plain
// values that are stored, listed and presented as they are.

/// How much a notification presses; the numbers are those of the desktop notification
/// specification's urgency hint.
package enum Urgency: UInt8, Sendable, Hashable {
    case low = 0
    case normal = 1
    case critical = 2
}

/// What a notification says: plain text, shown literally.
package struct Content: Sendable, Hashable {
    package var title: String
    package var subtitle: String
    package var body: String
    package var urgency: Urgency
    /// In microseconds; 0 = until dismissed, nil = as the notification server decides.
    package var expireTimeout: Int64?
    /// The app's own data as JSON text; the scheduler does not look into it.
    package var userInfo: String?

    package init(
        title: String, subtitle: String = "", body: String = "", urgency: Urgency = .normal,
        expireTimeout: Int64? = nil, userInfo: String? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.urgency = urgency
        self.expireTimeout = expireTimeout
        self.userInfo = userInfo
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
        identifier: String, content: Content, trigger: Trigger, ifMissed: MissedPolicy = .deliver,
        latenessLimit: Int64? = nil
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
