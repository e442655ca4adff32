// The one timer of the daemon. Dispatch's own timers count uptime, which stands still in suspend,
// or the wall clock, which jumps; neither is the boot-time clock that the wheel runs on. So a
// timerfd on CLOCK_BOOTTIME is armed with the absolute instant. A thread of its own waits for it
// and enters the queue by `sync`, which runs the handler on that very thread: a Dispatch read
// source wakes one thread to wake another, and is later by as much again. The kernel never lets
// the timer expire early, adds no slack (timerfd ignores it), counts suspend, and lets a deadline
// that passed in suspend expire at resume. It costs one system call to arm, none to wait.

import CLinux
package import Dispatch
import Glibc
import Synchronization

/// Calls its handler on the queue once per arming, at or after an instant of the boot-time clock.
package final class TimerSource {
    private let waiter: Waiter
    private var armedFor: Int64?

    package init(
        on queue: DispatchQueue, handler: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let timer = try describing("creating a timer") { () throws(Errno) in
            try makeTimer(CLOCK_BOOTTIME)
        }
        waiter = Waiter(timer: timer, queue: queue, handler: handler)
        waiter.start()
    }

    deinit { waiter.cancel() }

    /// Arms for `deadline` (microseconds of CLOCK_BOOTTIME), instead of any deadline before; nil
    /// disarms. One that has passed fires at once.
    package func arm(at deadline: Int64?) throws(SystemError) {
        // An instant in the past may have fired already, so only a future one is known to stand.
        if deadline == armedFor, deadline.map({ $0 > Clock.bootMicroseconds() }) ?? true { return }
        try describing("arming a timer") { () throws(Errno) in try waiter.arm(at: deadline) }
        armedFor = deadline
    }

    /// No handler starts after this, when called on the queue.
    package func cancel() { waiter.cancel() }
}

/// What the waiting thread shares with the source: the descriptor, and whether it is over.
private final class Waiter: Sendable {
    private let timer: FileDescriptor
    private let queue: DispatchQueue
    private let handler: @Sendable () -> Void
    private let isCancelled = Mutex(false)

    init(timer: FileDescriptor, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
        self.timer = timer
        self.queue = queue
        self.handler = handler
    }

    /// A serial queue of its own is a thread of its own for as long as its block runs.
    func start() {
        DispatchQueue(label: "io.schedd.timer").async { [self] in
            // poll(2) fails for nothing that is passed here but a lack of kernel memory.
            while (try? timer.wait(for: .reading, timeoutMilliseconds: nil)) != nil {
                if queue.sync(execute: fire) == false { return }
            }
        }
    }

    /// On the queue; false when there is nothing more to wait for.
    private func fire() -> Bool {
        if isCancelled.withLock({ $0 }) { return false }
        // An arming that came between expiry and this turn has taken the expiry back: there is
        // nothing to read then, and the new instant will come by itself.
        if case .bytes? = try? timer.read(limitBytes: MemoryLayout<UInt64>.size) { handler() }
        return true
    }

    func arm(at deadline: Int64?) throws(Errno) {
        if isCancelled.withLock({ $0 }) { return }
        // A value of zero would disarm; every instant up to boot is long past.
        try setTimer(
            timer, to: deadline.map { timespec(microseconds: max(1, $0)) } ?? timespec())
    }

    /// Wakes the thread, so that it ends.
    func cancel() {
        isCancelled.withLock { $0 = true }
        // timerfd_settime(2) fails for no argument that is made here.
        try? setTimer(timer, to: timespec(microseconds: 1))
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
