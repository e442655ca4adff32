// Waiting for one descriptor, for programs without an event loop. The daemon never waits like this.

import Glibc

extension FileDescriptor {
    /// What one waits for.
    package enum Readiness: Sendable {
        case reading, writing
    }

    /// poll(2): whether the descriptor is ready, or has failed, within the time; nil waits for
    /// ever.
    package func wait(
        for readiness: Readiness, timeoutMilliseconds: Int32?
    ) throws(Errno) -> Bool {
        let events = readiness == .reading ? POLLIN : POLLOUT
        var request = pollfd(fd: rawValue, events: Int16(events), revents: 0)
        return try retryingInterrupted {
            unsafe poll(&request, 1, timeoutMilliseconds ?? -1)
        } > 0
    }
}
