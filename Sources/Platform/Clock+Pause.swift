// Waiting between attempts, for programs without an event loop. The daemon never pauses.

import Glibc

extension Clock {
    /// poll(2) of nothing: returns after so many milliseconds, or sooner for a signal handler.
    package static func pause(milliseconds: Int32) {
        _ = poll(nil, 0, milliseconds)
    }
}
