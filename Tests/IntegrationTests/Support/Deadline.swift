// How long a test waits for something that has to happen. Generous, since it only ends a test that
// fails: what is waited for is an event, never a time.

import Glibc
import Platform

/// An instant after which a test gives up, on the clock that no one sets.
struct Deadline: Sendable {
    private let microseconds: Int64

    /// Enough for a loaded machine with two cores.
    static var usual: Deadline { .after(seconds: 30) }

    static func after(seconds: Double) -> Deadline {
        Deadline(microseconds: Clock.bootMicroseconds() + Int64(seconds * 1_000_000))
    }

    var isPast: Bool { Clock.bootMicroseconds() >= microseconds }

    /// For poll(2): at least 0, rounded up.
    var remainingMilliseconds: Int32 {
        Int32(clamping: max(0, (microseconds - Clock.bootMicroseconds() + 999) / 1_000))
    }

    /// Whether `descriptor` becomes readable (or `events`) in time.
    func waits(for descriptor: FileDescriptor, events: Int32 = POLLIN) -> Bool {
        var entry = pollfd(fd: descriptor.rawValue, events: Int16(events), revents: 0)
        while true {
            let count = unsafe poll(&entry, 1, remainingMilliseconds)
            if count > 0 { return true }
            if count == 0 || errno != EINTR { return false }
        }
    }

    /// Asks again and again for what no descriptor announces, such as a unit's state.
    func waits(until condition: () throws -> Bool) rethrows -> Bool {
        while true {
            if try condition() { return true }
            if isPast { return false }
            _ = poll(nil, 0, 20)
        }
    }
}
