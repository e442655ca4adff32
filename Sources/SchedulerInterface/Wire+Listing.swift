// What the listings show.
// Mirrors the .varlink files; a test holds the two equal.

extension Wire {
    /// A request in the queue.
    package struct PendingRequest: Codable, Hashable, Sendable {
        package var app: String
        package var identifier: String
        package var content: Content
        package var trigger: Trigger
        package var ifMissed: MissedPolicy
        package var latenessLimit: Double?
        package var addedUsec: Int64
        package var nextUsec: Int64
        package var occurrenceCount: Int64

        package init(
            app: String, identifier: String, content: Content, trigger: Trigger,
            ifMissed: MissedPolicy, latenessLimit: Double? = nil, addedUsec: Int64,
            nextUsec: Int64, occurrenceCount: Int64
        ) {
            self.app = app
            self.identifier = identifier
            self.content = content
            self.trigger = trigger
            self.ifMissed = ifMissed
            self.latenessLimit = latenessLimit
            self.addedUsec = addedUsec
            self.nextUsec = nextUsec
            self.occurrenceCount = occurrenceCount
        }
    }

    /// A notification that has fired. A later one with the same identifier replaces it.
    package struct DeliveredNotification: Codable, Hashable, Sendable {
        package var app: String
        package var identifier: String
        package var delivery: Int64
        package var content: Content
        package var dueUsec: Int64
        package var firedUsec: Int64
        package var presentedUsec: Int64?
        package var late: Bool
        package var missedCount: Int64

        package init(
            app: String, identifier: String, delivery: Int64, content: Content, dueUsec: Int64,
            firedUsec: Int64, presentedUsec: Int64? = nil, late: Bool, missedCount: Int64
        ) {
            self.app = app
            self.identifier = identifier
            self.delivery = delivery
            self.content = content
            self.dueUsec = dueUsec
            self.firedUsec = firedUsec
            self.presentedUsec = presentedUsec
            self.late = late
            self.missedCount = missedCount
        }
    }

    /// Why an occurrence was not shown. skipped: as ifMissed asked. latenessLimit: it would have
    /// been later than that. zoneChanged: its civil time had passed in the new zone. evicted: too
    /// many of the app waited for a notification server, and it was the oldest.
    package enum MissedReason: String, Codable, Hashable, Sendable, CaseIterable {
        case skipped, latenessLimit, zoneChanged, evicted
    }

    /// Occurrences that were not shown.
    package struct MissedNotification: Codable, Hashable, Sendable {
        package var app: String
        package var identifier: String
        package var title: String?
        package var dueUsec: Int64
        package var recordedUsec: Int64
        package var count: Int64
        package var reason: MissedReason

        package init(
            app: String, identifier: String, title: String? = nil, dueUsec: Int64,
            recordedUsec: Int64, count: Int64, reason: MissedReason
        ) {
            self.app = app
            self.identifier = identifier
            self.title = title
            self.dueUsec = dueUsec
            self.recordedUsec = recordedUsec
            self.count = count
            self.reason = reason
        }
    }

    /// Something that a removal took away.
    package struct RemovedItem: Codable, Hashable, Sendable {
        package var app: String
        package var identifier: String

        package init(app: String, identifier: String) {
            self.app = app
            self.identifier = identifier
        }
    }

    /// A request with its app, as an export has it.
    package struct ExportedRequest: Codable, Hashable, Sendable {
        package var app: String
        package var request: Request

        package init(app: String, request: Request) {
            self.app = app
            self.request = request
        }
    }

    /// What an import did with a request.
    package enum ImportOutcome: String, Codable, Hashable, Sendable, CaseIterable {
        case added, replaced, past
    }

    /// One request of an import.
    package struct ImportedItem: Codable, Hashable, Sendable {
        package var app: String
        package var identifier: String
        package var outcome: ImportOutcome

        package init(app: String, identifier: String, outcome: ImportOutcome) {
            self.app = app
            self.identifier = identifier
            self.outcome = outcome
        }
    }
}
