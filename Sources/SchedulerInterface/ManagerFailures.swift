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

    /// The disk refused the change: nothing was changed.
    package struct StorageFailed: VarlinkError, Hashable {
        package static var name: String { interface + ".StorageFailed" }

        package var reason: String

        package init(reason: String) {
            self.reason = reason
        }
    }
}
