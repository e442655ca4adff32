// The environment variables that schedd reads. Taking one removes it, so that no child meets what
// was meant for us. Changing the environment is not safe beside other threads: it is done at start
// only.

import Glibc

/// The process's environment, or a made-up one in tests.
package struct Environment: Sendable {
    private let lookUp: @Sendable (String) -> String?

    /// The environment of this process, read at each call.
    package static let process = Environment { name in
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    package init(_ lookUp: @escaping @Sendable (String) -> String?) {
        self.lookUp = lookUp
    }

    package init(_ values: [String: String]) {
        lookUp = { values[$0] }
    }

    /// The value, nil when it is unset. An empty value is a value.
    package subscript(name: String) -> String? { lookUp(name) }

    /// The value, nil when it is unset or empty: how the XDG variables are meant to be read.
    package func nonEmpty(_ name: String) -> String? {
        lookUp(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Removes variables from this process; call it before any thread is started.
    package static func remove(_ names: String...) {
        for name in names { unsafe unsetenv(name) }
    }
}
