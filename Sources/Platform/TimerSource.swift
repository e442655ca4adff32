// The one timer of the daemon. Dispatch's own timers count uptime, which stands still in suspend,
// or the wall clock, which jumps; neither is the boot-time clock that the wheel runs on. So a
// timerfd on CLOCK_BOOTTIME is armed with the absolute instant. The kernel never lets it expire
// early, adds no slack (timerfd ignores it), counts suspend, and lets a deadline that passed in
// suspend expire at resume. It costs one system call to arm, none to wait.

import CLinux
import Glibc
import Synchronization

/// Calls its handler on the loop's queue once per arming, at or after an instant of the boot-time
/// clock.
package final class TimerSource: Sendable {
    private let alarm: Alarm
    private let source: DescriptorSource

    package init(
        on loop: EventLoop, handler: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let alarm = try describing("creating a timer") { () throws(Errno) in
            Alarm(timer: try makeTimer(CLOCK_BOOTTIME))
        }
        self.alarm = alarm
        source = try describing("watching a timer") { () throws(Errno) in
            try DescriptorSource(alarm.timer, .reading, on: loop) { alarm.ring(handler) }
        }
    }

    /// Arms for `deadline` (microseconds of CLOCK_BOOTTIME), instead of any deadline before; nil
    /// disarms. One that has passed fires at once.
    package func arm(at deadline: Int64?) throws(SystemError) {
        try describing("arming a timer") { () throws(Errno) in try alarm.arm(at: deadline) }
    }

    /// No handler starts after this, when called on the queue.
    package func cancel() { source.cancel() }
}

/// The timer, and what it was armed for last.
private final class Alarm: Sendable {
    let timer: FileDescriptor
    /// Nil = it has rung, or was disarmed.
    private let deadline = Mutex<Int64?>(nil)

    init(timer: FileDescriptor) { self.timer = timer }

    func arm(at new: Int64?) throws(Errno) {
        let isArmed = deadline.withLock { deadline in
            defer { deadline = new }
            return deadline == new
        }
        if isArmed { return }
        // A value of zero would disarm; every instant up to boot is long past.
        try setTimer(timer, to: new.map { timespec(microseconds: max(1, $0)) } ?? timespec())
    }

    /// The timer has expired, for the arming that stands or for one that was taken back since.
    ///
    /// The clock tells which. What the kernel has to say is read afterwards: nobody waits for that.
    func ring(_ handler: () -> Void) {
        let now = Clock.bootMicroseconds()
        let isDue = deadline.withLock { deadline in
            guard let due = deadline, due <= now else { return false }
            deadline = nil
            return true
        }
        if isDue { handler() }
        // Arming anew has cleared the expiry, unless the new instant has come as well: then it is
        // told again, so it must be left.
        if deadline.withLock({ $0 == nil }) {
            _ = try? timer.read(limitBytes: MemoryLayout<UInt64>.size)
        }
    }
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
