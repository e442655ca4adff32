// A Dispatch timer on the boot-time clock, the one that the wheel runs on: it never jumps, and it
// goes on in suspend, so that a deadline that passed there has come at resume. Dispatch's Swift
// interface names two clocks, uptime, which stands still in suspend, and the wall clock, which
// jumps; the library beneath knows the third.
//
// Unsafe: the instant on that clock is put together as libdispatch does it.

import CLinux
import Dispatch
import Glibc
import Synchronization

/// Calls its handler on the loop's queue once per arming, at or after an instant of the boot-time
/// clock.
package final class TimerSource: Sendable {
    /// Dispatch's objects may be used by any thread; their Swift types do not say so.
    nonisolated(unsafe) private let source: any DispatchSourceTimer
    /// Nil = it has rung, or was disarmed.
    private let deadline = Mutex<Int64?>(nil)

    package init(on loop: EventLoop, handler: @escaping @Sendable () -> Void) {
        // On a queue of its own, from which the loop's is entered: so the thread that Dispatch has
        // woken also runs what the handler offloads, as the loop's own threads do.
        unsafe source = DispatchSource.makeTimerSource(
            flags: .strict, queue: DispatchQueue(label: "\(loop.queue.label).timer"))
        unsafe source.setEventHandler { [weak self] in
            loop.enter { self?.ring(handler) }
        }
        schedule(nil)
        unsafe source.activate()
    }

    deinit { unsafe source.cancel() }

    /// Arms for `deadline` (microseconds of CLOCK_BOOTTIME), instead of any deadline before; nil
    /// disarms. One that has passed fires at once.
    package func arm(at deadline: Int64?) {
        self.deadline.withLock { armed in
            if armed == deadline { return }
            armed = deadline
            schedule(deadline)
        }
    }

    /// No handler starts after this, when called on the queue.
    package func cancel() { arm(at: nil) }

    private func schedule(_ deadline: Int64?) {
        unsafe source.schedule(
            deadline: deadline.map { DispatchTime(bootMicroseconds: $0) } ?? .distantFuture,
            repeating: .never, leeway: .nanoseconds(0))
    }

    /// Dispatch says that an instant has come: the one that stands, or one that was taken back.
    private func ring(_ handler: () -> Void) {
        let now = Clock.bootMicroseconds()
        let isDue = deadline.withLock { deadline in
            guard let due = deadline else { return false }
            if due > now {
                // Perhaps it is further away than Dispatch can name.
                schedule(due)
                return false
            }
            deadline = nil
            return true
        }
        if isDue { handler() }
    }
}

extension DispatchTime {
    /// What tells an instant of the boot-time clock from one of uptime in a dispatch_time_t; it has
    /// 62 bits for the nanoseconds.
    private static let bootClock: UInt64 = 1 << 63
    private static let limitMicroseconds: Int64 = (1 << 62 - 1) / 1_000

    /// An instant of CLOCK_BOOTTIME, or the last that can be named, 146 years after boot.
    ///
    /// A machine whose two clocks differ shows at once if this were wrong: a time namespace does.
    fileprivate init(bootMicroseconds: Int64) {
        let microseconds = min(max(bootMicroseconds, 0), Self.limitMicroseconds)
        // The one stored property is the dispatch_time_t.
        self = unsafe unsafeBitCast(
            UInt64(microseconds) * 1_000 | Self.bootClock, to: DispatchTime.self)
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
