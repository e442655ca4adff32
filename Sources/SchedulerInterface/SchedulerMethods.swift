// The methods of io.schedd.Scheduler, for apps; what they do is in the interface text.

import Varlink

/// Method descriptors of io.schedd.Scheduler.
package enum SchedulerMethod {
    package static let interface = "io.schedd.Scheduler"

    /// Adds a batch of requests, all of them or none; at most 1024. The reply comes when
    /// they are on disk.
    package enum Add: VarlinkMethod {
        package static let name = interface + ".Add"

        package struct Parameters: Codable, Hashable, Sendable {
            package var app: String
            package var requests: [Wire.Request]
            package var whenFull: Wire.FullPolicy?

            package init(app: String, requests: [Wire.Request], whenFull: Wire.FullPolicy? = nil) {
                self.app = app
                self.requests = requests
                self.whenFull = whenFull
            }
        }

        package struct Reply: Codable, Hashable, Sendable {
            package var added: [Wire.Added]
            package var evicted: [Wire.Evicted]

            package init(added: [Wire.Added], evicted: [Wire.Evicted]) {
                self.added = added
                self.evicted = evicted
            }
        }
    }

    /// Says when a trigger would fire, and stores nothing.
    package enum Preview: VarlinkMethod {
        package static var name: String { interface + ".Preview" }

        package struct Parameters: Codable, Hashable, Sendable {
            package var trigger: Wire.Trigger
            package var count: Int64?
            package var afterUsec: Int64?

            package init(trigger: Wire.Trigger, count: Int64? = nil, afterUsec: Int64? = nil) {
                self.trigger = trigger
                self.count = count
                self.afterUsec = afterUsec
            }
        }

        package struct Reply: Codable, Hashable, Sendable {
            package var occurrences: [Wire.Occurrence]
            package var expression: String?
            package var words: String
            package var timeZone: String

            package init(
                occurrences: [Wire.Occurrence], expression: String? = nil, words: String,
                timeZone: String
            ) {
                self.occurrences = occurrences
                self.expression = expression
                self.words = words
                self.timeZone = timeZone
            }
        }
    }

    /// Lists the app's queue, in order of firing. With more, in parts.
    package enum ListPending: VarlinkMethod {
        package static var name: String { interface + ".ListPending" }

        package struct Parameters: Codable, Hashable, Sendable {
            package var app: String

            package init(app: String) {
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
            package var app: String

            package init(app: String) {
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

    /// Removes requests from the queue; what is not there is not an error.
    package enum RemovePending: VarlinkMethod {
        package static var name: String { interface + ".RemovePending" }

        package struct Parameters: Codable, Hashable, Sendable {
            package var app: String
            package var identifiers: [String]?
            package var all: Bool?

            package init(app: String, identifiers: [String]? = nil, all: Bool? = nil) {
                self.app = app
                self.identifiers = identifiers
                self.all = all
            }
        }

        package struct Reply: Codable, Hashable, Sendable {
            package var count: Int64
            package var identifiers: [String]

            package init(count: Int64, identifiers: [String]) {
                self.count = count
                self.identifiers = identifiers
            }
        }
    }

    /// Lists what was delivered and not yet removed, oldest first. With more, in parts.
    package enum ListDelivered: VarlinkMethod {
        package static var name: String { interface + ".ListDelivered" }

        package struct Parameters: Codable, Hashable, Sendable {
            package var app: String

            package init(app: String) {
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
            package var app: String
            package var identifiers: [String]?
            package var all: Bool?

            package init(app: String, identifiers: [String]? = nil, all: Bool? = nil) {
                self.app = app
                self.identifiers = identifiers
                self.all = all
            }
        }

        package struct Reply: Codable, Hashable, Sendable {
            package var count: Int64
            package var identifiers: [String]

            package init(count: Int64, identifiers: [String]) {
                self.count = count
                self.identifiers = identifiers
            }
        }
    }

    /// Lists occurrences that were not shown, oldest first. With more, in parts.
    package enum ListMissed: VarlinkMethod {
        package static var name: String { interface + ".ListMissed" }

        package struct Parameters: Codable, Hashable, Sendable {
            package var app: String

            package init(app: String) {
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

    /// Streams the app's present state and then what changes; call it with more. The first
    /// replies carry pending and delivered, the last of them ready; from then on events.
    package enum Subscribe: VarlinkMethod {
        package static var name: String { interface + ".Subscribe" }
        package static var requiresMore: Bool { true }

        package struct Parameters: Codable, Hashable, Sendable {
            package var app: String
            package var cursor: String?

            package init(app: String, cursor: String? = nil) {
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
}
