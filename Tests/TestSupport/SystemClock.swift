// The machine's wall clock, which is everybody's: to whoever watches it, a test that sets it in the
// middle of another is as if the other had done it.

import CLinux
import Glibc

/// The right to set the wall clock; one at a time has it, among all tests of the machine.
package struct SystemClock {
    package struct Failure: Error, CustomStringConvertible {
        package let doing: String
        package let errno: Int32

        package var description: String { "\(doing): \(unsafe String(cString: strerror(errno)))" }
    }

    private static let lock = "/tmp/schedd-tests-clock.lock"

    private init() {}

    /// Runs `body` while nobody else sets the clock.
    package static func exclusively<Result>(
        _ body: (SystemClock) throws -> Result
    ) throws -> Result {
        let file = unsafe open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(doing: "opening \(lock)", errno: errno) }
        defer { close(file) }
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Failure(doing: "locking \(lock)", errno: errno) }
        }
        return try body(SystemClock())
    }

    /// Sets the clock forward by the least there is, a nanosecond (adjtimex(2)). The kernel
    /// tells that as it tells any step, and a resume; nobody can see it in the time.
    package func step() throws {
        var step = timex()
        step.modes = UInt32(ADJ_SETOFFSET | ADJ_NANO)
        step.time = timeval(tv_sec: 0, tv_usec: 1)
        guard unsafe adjtimex(&step) >= 0 else {
            throw Failure(doing: "setting the clock, which takes root", errno: errno)
        }
    }
}
