// The methods of io.schedd.Manager, for schedctl and administrators; what they do is in the
// interface text.

package import Varlink

/// Method descriptors of io.schedd.Manager.
package enum ManagerMethod {
    package static let interface = "io.schedd.Manager"

    /// Lists the queues, in order of firing. With more, in parts.
    package enum ListPending: VarlinkMethod {
        package static var name: String { interface + ".ListPending" }

        package struct Parameters: Codable, Hashable, Sendable {
            package var app: String?

            package init(app: String? = nil) {
                self.app = app
            }
        }

        package struct Reply: Codable, Hashable, Sendable {
            package var pending: [Wire.PendingRequest]

            package init(pending: [Wire.PendingRequest]) {
                self.pending = pending
            }
        }
    }

    /// Lists what waits behind the 64 of its app, in order of firing. With more, in parts.
    package enum ListBacklog: VarlinkMethod {
        package static var name: String { interface + ".ListBacklog" }

        package struct Parameters: Codable, Hashable, Sendable {
            package var app: String?

            package init(app: String? = nil) {
                self.app = app
            }
        }

        package struct Reply: Codable, Hashable, Sendable {
            package var backlog: [Wire.PendingRequest]

            package init(backlog: [Wire.PendingRequest]) {
                self.backlog = backlog
            }
        }
    }

    /// Removes requests from the queues; what is not there is not an error.
    package enum RemovePending: VarlinkMethod {
        package static var name: String { interface + ".RemovePending" }

        package struct Parameters: Codable, Hashable, Sendable {
            package var app: String?
            package var identifiers: [String]?
            package var all: Bool?

            package init(app: String? = nil, identifiers: [String]? = nil, all: Bool? = nil) {
                self.app = app
                self.identifiers = identifiers
                self.all = all
            }
        }

        package struct Reply: Codable, Hashable, Sendable {
            package var count: Int64
            package var removed: [Wire.RemovedItem]

            package init(count: Int64, removed: [Wire.RemovedItem]) {
                self.count = count
                self.removed = removed
            }
        }
    }

    /// Lists what was delivered and not yet removed, oldest first. With more, in parts.
    package enum ListDelivered: VarlinkMethod {
        package static var name: String { interface + ".ListDelivered" }

        package struct Parameters: Codable, Hashable, Sendable {
            package var app: String?

            package init(app: String? = nil) {
                self.app = app
            }
        }

        package struct Reply: Codable, Hashable, Sendable {
            package var delivered: [Wire.DeliveredNotification]

            package init(delivered: [Wire.DeliveredNotification]) {
                self.delivered = delivered
            }
        }
    }

    /// Removes delivered notifications, from the screen too.
    package enum RemoveDelivered: VarlinkMethod {
        package static var name: String { interface + ".RemoveDelivered" }

        package struct Parameters: Codable, Hashable, Sendable {
            package var app: String?
            package var identifiers: [String]?
            package var all: Bool?

            package init(app: String? = nil, identifiers: [String]? = nil, all: Bool? = nil) {
                self.app = app
                self.identifiers = identifiers
                self.all = all
            }
        }

        package struct Reply: Codable, Hashable, Sendable {
            package var count: Int64
            package var removed: [Wire.RemovedItem]

            package init(count: Int64, removed: [Wire.RemovedItem]) {
                self.count = count
                self.removed = removed
            }
        }
    }

    /// Lists occurrences that were not shown, oldest first. With more, in parts.
    package enum ListMissed: VarlinkMethod {
        package static var name: String { interface + ".ListMissed" }

        package struct Parameters: Codable, Hashable, Sendable {
            package var app: String?

            package init(app: String? = nil) {
                self.app = app
            }
        }

        package struct Reply: Codable, Hashable, Sendable {
            package var missed: [Wire.MissedNotification]

            package init(missed: [Wire.MissedNotification]) {
                self.missed = missed
            }
        }
    }

    /// Streams the present state of all apps and then what changes; call it with more. The
    /// first replies carry pending and delivered, the last of them ready; from then on
    /// events.
    package enum Subscribe: VarlinkMethod {
        package static var name: String { interface + ".Subscribe" }
        package static var requiresMore: Bool { true }

        package struct Parameters: Codable, Hashable, Sendable {
            package var app: String?
            package var cursor: String?

            package init(app: String? = nil, cursor: String? = nil) {
                self.app = app
                self.cursor = cursor
            }
        }

        package struct Reply: Codable, Hashable, Sendable {
            package var cursor: String
            package var pending: [Wire.PendingRequest]?
            package var delivered: [Wire.DeliveredNotification]?
            package var resumed: Bool?
            package var ready: Bool?
            package var events: [Wire.Event]?

            package init(
                cursor: String, pending: [Wire.PendingRequest]? = nil,
                delivered: [Wire.DeliveredNotification]? = nil, resumed: Bool? = nil,
                ready: Bool? = nil, events: [Wire.Event]? = nil
            ) {
                self.cursor = cursor
                self.pending = pending
                self.delivered = delivered
                self.resumed = resumed
                self.ready = ready
                self.events = events
            }
        }
    }

    /// Adds requests of any apps, all of them or none, in parts on one connection.
    package enum Import: VarlinkMethod {
        package static var name: String { interface + ".Import" }

        package struct Parameters: Codable, Hashable, Sendable {
            package var requests: [Wire.ExportedRequest]
            package var moreFollows: Bool?
            package var dryRun: Bool?

            package init(
                requests: [Wire.ExportedRequest], moreFollows: Bool? = nil, dryRun: Bool? = nil
            ) {
                self.requests = requests
                self.moreFollows = moreFollows
                self.dryRun = dryRun
            }
        }

        package struct Reply: Codable, Hashable, Sendable {
            package var items: [Wire.ImportedItem]

            package init(items: [Wire.ImportedItem]) {
                self.items = items
            }
        }
    }

    /// Says how schedd does.
    package enum GetStatus: VarlinkMethod {
        package static var name: String { interface + ".GetStatus" }

        package typealias Parameters = NoParameters

        package struct Reply: Codable, Hashable, Sendable {
            package var version: String
            package var processID: Int64
            package var startedUsec: Int64
            package var nowUsec: Int64
            package var apps: Int64
            package var pending: Int64
            package var backlog: Int64
            package var delivered: Int64
            package var missed: Int64
            package var nextUsec: Int64?
            package var waiting: Int64
            package var timeZone: String
            package var timeZoneSource: String
            package var stateDirectory: String
            package var storage: Wire.StorageState
            package var storageMessage: String?
            package var presentation: Wire.PresentationState
            package var notificationServer: String?
            package var presentationMessage: String?
            package var connections: Int64

            package init(
                version: String, processID: Int64, startedUsec: Int64, nowUsec: Int64, apps: Int64,
                pending: Int64, backlog: Int64, delivered: Int64, missed: Int64,
                nextUsec: Int64? = nil,
                waiting: Int64, timeZone: String, timeZoneSource: String, stateDirectory: String,
                storage: Wire.StorageState, storageMessage: String? = nil,
                presentation: Wire.PresentationState, notificationServer: String? = nil,
                presentationMessage: String? = nil, connections: Int64
            ) {
                self.version = version
                self.processID = processID
                self.startedUsec = startedUsec
                self.nowUsec = nowUsec
                self.apps = apps
                self.pending = pending
                self.backlog = backlog
                self.delivered = delivered
                self.missed = missed
                self.nextUsec = nextUsec
                self.waiting = waiting
                self.timeZone = timeZone
                self.timeZoneSource = timeZoneSource
                self.stateDirectory = stateDirectory
                self.storage = storage
                self.storageMessage = storageMessage
                self.presentation = presentation
                self.notificationServer = notificationServer
                self.presentationMessage = presentationMessage
                self.connections = connections
            }
        }
    }
}
