// The least that a program can do to wake up at an instant: a timerfd on the wall clock and an
// epoll that waits for it. What schedd is late beyond this is its own.

import CLinux
import Foundation
import Platform
import Synchronization

/// Waits for instants on a thread of its own.
final class BareTimerLoop: Sendable {
    private let dues: [Int64]
    private let lateness = Mutex<[Int64]>([])
    private let ended = DispatchSemaphore(value: 0)

    /// Instants in microseconds of the wall clock.
    init(dues: [Int64]) {
        self.dues = dues.sorted()
    }

    func start() {
        Thread.detachNewThread { self.run() }
    }

    /// Microseconds of lateness, sorted, once the last instant has passed.
    func wait() -> [Int64] {
        ended.wait()
        return lateness.withLock { $0.sorted() }
    }

    private func run() {
        let timer = timerfd_create(CLOCK_REALTIME, 0)
        let poll = epoll_create1(0)
        var interest = unsafe epoll_event(events: EPOLLIN.rawValue, data: epoll_data(fd: timer))
        unsafe epoll_ctl(poll, EPOLL_CTL_ADD, timer, &interest)
        var measured: [Int64] = []
        for due in dues {
            var when = itimerspec()
            when.it_value.tv_sec = Int(due / 1_000_000)
            when.it_value.tv_nsec = Int(due % 1_000_000) * 1_000
            unsafe timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &when, nil)
            var event = unsafe epoll_event()
            unsafe epoll_wait(poll, &event, 1, -1)
            measured.append(Clock.wallMicroseconds() - due)
            var expirations: UInt64 = 0
            unsafe read(timer, &expirations, 8)
        }
        close(timer)
        close(poll)
        let result = measured
        lateness.withLock { $0 = result }
        ended.signal()
    }
}
