// What an app hands over, and what it hears of it at once.
// Mirrors the .varlink files; a test holds the two equal.

package import Varlink

extension Wire {
    /// How much a notification presses.
    package enum Urgency: String, Codable, Hashable, Sendable, CaseIterable {
        case low, normal, critical
    }

    /// What happens to an occurrence that passed while schedd was not running or the
    /// machine slept.
    package enum MissedPolicy: String, Codable, Hashable, Sendable, CaseIterable {
        case deliver, skip
    }

    /// What to do when the app's queue of 64 has no room for a batch. fail: nothing is
    /// added, error QueueFull. keepSoonest: the 64 that fire soonest stay. keepLatestAdded:
    /// the 64 that were added last stay. queue: what fires
    /// later than 64 others waits in the backlog.
    package enum FullPolicy: String, Codable, Hashable, Sendable, CaseIterable {
        case fail, keepSoonest, keepLatestAdded, queue
    }

    /// What a notification says. At least one of title, subtitle and body has text.
    package struct Content: Codable, Hashable, Sendable {
        package var title: String?
        package var subtitle: String?
        package var body: String?
        package var urgency: Urgency?
        package var expireTimeoutUsec: Int64?
        package var userInfo: JSONValue?

        package init(
            title: String? = nil, subtitle: String? = nil, body: String? = nil,
            urgency: Urgency? = nil, expireTimeoutUsec: Int64? = nil, userInfo: JSONValue? = nil
        ) {
            self.title = title
            self.subtitle = subtitle
            self.body = body
            self.urgency = urgency
            self.expireTimeoutUsec = expireTimeoutUsec
            self.userInfo = userInfo
        }
    }

    /// One notification to schedule.
    package struct Request: Codable, Hashable, Sendable {
        package var identifier: String
        package var content: Content
        package var trigger: Trigger?
        package var ifMissed: MissedPolicy?
        package var latenessLimit: Double?

        package init(
            identifier: String, content: Content, trigger: Trigger? = nil,
            ifMissed: MissedPolicy? = nil, latenessLimit: Double? = nil
        ) {
            self.identifier = identifier
            self.content = content
            self.trigger = trigger
            self.ifMissed = ifMissed
            self.latenessLimit = latenessLimit
        }
    }

    /// What became of one request of a batch.
    package struct Added: Codable, Hashable, Sendable {
        package var identifier: String
        package var nextUsec: Int64
        package var replaced: Bool
        package var backlogged: Bool

        package init(identifier: String, nextUsec: Int64, replaced: Bool, backlogged: Bool) {
            self.identifier = identifier
            self.nextUsec = nextUsec
            self.replaced = replaced
            self.backlogged = backlogged
        }
    }

    /// A request that made room for others.
    package struct Evicted: Codable, Hashable, Sendable {
        package var identifier: String
        package var nextUsec: Int64

        package init(identifier: String, nextUsec: Int64) {
            self.identifier = identifier
            self.nextUsec = nextUsec
        }
    }
}
