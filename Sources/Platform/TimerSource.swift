// The one timer of the daemon. Dispatch's own timers count uptime, which stands still in suspend,
// or the wall clock, which jumps; neither is the boot-time clock that the wheel runs on. So a
// timerfd on CLOCK_BOOTTIME is armed with the absolute instant. The kernel never lets it expire
// early, adds no slack (timerfd ignores it), counts suspend, and lets a deadline that passed in
// suspend expire at resume. It costs one system call to arm, none to wait.

import CLinux
import Glibc

/// Calls its handler on the loop's queue once per arming, at or after an instant of the boot-time
/// clock.
package final class TimerSource {
    private let timer: FileDescriptor
    private let source: DescriptorSource
    private var armedFor: Int64?

    package init(
        on loop: EventLoop, handler: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let timer = try describing("creating a timer") { () throws(Errno) in
            try makeTimer(CLOCK_BOOTTIME)
        }
        self.timer = timer
        source = try describing("watching a timer") { () throws(Errno) in
            try DescriptorSource(timer, .reading, on: loop) {
                // An arming that came between expiry and this turn has taken the expiry back: there
                // is nothing to read then, and the new instant will come by itself.
                if case .bytes? = try? timer.read(limitBytes: MemoryLayout<UInt64>.size) {
                    handler()
                }
            }
        }
    }

    /// Arms for `deadline` (microseconds of CLOCK_BOOTTIME), instead of any deadline before; nil
    /// disarms. One that has passed fires at once.
    package func arm(at deadline: Int64?) throws(SystemError) {
        // An instant in the past may have fired already, so only a future one is known to stand.
        if deadline == armedFor, deadline.map({ $0 > Clock.bootMicroseconds() }) ?? true { return }
        try describing("arming a timer") { () throws(Errno) in
            // A value of zero would disarm; every instant up to boot is long past.
            try setTimer(
                timer, to: deadline.map { timespec(microseconds: max(1, $0)) } ?? timespec())
        }
        armedFor = deadline
    }

    /// No handler starts after this, when called on the queue.
    package func cancel() { source.cancel() }
}

extension timespec {
    /// `microseconds` of at least 0.
    init(microseconds: Int64) {
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        self.init(tv_sec: Int(seconds), tv_nsec: Int(rest) * 1_000)
    }
}

/// timerfd_create(2), non-blocking and close-on-exec.
func makeTimer(_ clock: clockid_t) throws(Errno) -> FileDescriptor {
    // TFD_CLOEXEC and TFD_NONBLOCK are defined as these.
    let flags = O_CLOEXEC | O_NONBLOCK
    return try FileDescriptor(owning: retryingInterrupted { timerfd_create(clock, flags) })
}

/// timerfd_settime(2) for one expiry at an absolute instant; zero disarms.
func setTimer(
    _ timer: FileDescriptor, to instant: timespec, cancelOnSet: Bool = false
) throws(Errno) {
    var setting = itimerspec(it_interval: timespec(), it_value: instant)
    let flags =
        Int32(TFD_TIMER_ABSTIME)
        | (cancelOnSet ? Int32(TFD_TIMER_CANCEL_ON_SET) : 0)
    _ = try retryingInterrupted {
        unsafe timerfd_settime(timer.rawValue, flags, &setting, nil)
    }
}
