// The errors of io.schedd.Scheduler: what a caller did wrong or the disk refused, in fields that a
// program can use.

import Varlink

/// Errors of io.schedd.Scheduler.
package enum SchedulerFailure {
    package static let interface = "io.schedd.Scheduler"

    /// The batch does not fit: nothing was added.
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

    /// The trigger has no occurrence.
    package struct NeverFires: VarlinkError, Hashable {
        package static var name: String { interface + ".NeverFires" }

        package var field: String
        package var reason: String

        package init(field: String, reason: String) {
            self.field = field
            self.reason = reason
        }
    }

    /// A date trigger is not later than now.
    package struct InPast: VarlinkError, Hashable {
        package static var name: String { interface + ".InPast" }

        package var field: String
        package var atUsec: Int64
        package var nowUsec: Int64

        package init(field: String, atUsec: Int64, nowUsec: Int64) {
            self.field = field
            self.atUsec = atUsec
            self.nowUsec = nowUsec
        }
    }

    /// A field is larger than allowed.
    package struct TooLarge: VarlinkError, Hashable {
        package static var name: String { interface + ".TooLarge" }

        package var field: String
        package var size: Int64
        package var limit: Int64

        package init(field: String, size: Int64, limit: Int64) {
            self.field = field
            self.size = size
            self.limit = limit
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
