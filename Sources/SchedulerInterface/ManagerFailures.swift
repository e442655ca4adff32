// The errors of io.schedd.Manager: what a caller did wrong or the disk refused, in fields that a
// program can use.

import Varlink

/// Errors of io.schedd.Manager.
package enum ManagerFailure {
    package static let interface = "io.schedd.Manager"

    /// A field has a value that schedd refuses.
    package struct InvalidRequest: VarlinkError, Hashable {
        package static var name: String { interface + ".InvalidRequest" }

        package var field: String
        package var reason: String

        package init(field: String, reason: String) {
            self.field = field
            self.reason = reason
        }
    }

    /// A backlog would be longer than 10000: nothing was added.
    package struct QueueFull: VarlinkError, Hashable {
        package static var name: String { interface + ".QueueFull" }

        package var app: String
        package var limit: Int64
        package var pending: Int64
        package var identifiers: [String]

        package init(app: String, limit: Int64, pending: Int64, identifiers: [String]) {
            self.app = app
            self.limit = limit
            self.pending = pending
            self.identifiers = identifiers
        }
    }

    /// The disk refused the change: nothing was changed.
    package struct StorageFailed: VarlinkError, Hashable {
        package static var name: String { interface + ".StorageFailed" }

        package var reason: String

        package init(reason: String) {
            self.reason = reason
        }
    }
}
