// Tells that the wall clock was set, or that the machine came back from suspend. A timerfd on
// CLOCK_REALTIME, armed for the end of time with TFD_TIMER_CANCEL_ON_SET, is cancelled by the
// kernel at either; see timerfd_create(2).

import CLinux
import Glibc

/// Calls its handler on the loop's queue after every discontinuous change of the wall clock.
///
/// Several changes in a short time may be told as one, and a change may be told twice; the handler
/// reads the clocks and compares.
package final class ClockChangeSource {
    private let source: DescriptorSource

    package init(
        on loop: EventLoop, handler: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        source = try describing("watching the wall clock") { () throws(Errno) in
            let timer = try makeTimer(CLOCK_REALTIME)
            try Self.arm(timer)
            return try DescriptorSource(timer, .reading, on: loop) {
                let outcome: ReadOutcome?
                do throws(Errno) {
                    outcome = try timer.read(limitBytes: MemoryLayout<UInt64>.size)
                } catch {
                    // ECANCELED is the news itself; no other error is documented for this read.
                    outcome = nil
                }
                if outcome == .wouldBlock { return }
                // Armed first, so that a change during the handler is not missed.
                try? Self.arm(timer)
                handler()
            }
        }
    }

    /// No handler starts after this, when called on the queue.
    package func cancel() { source.cancel() }

    /// Arms again; a change since the last read shows as ECANCELED with the timer armed all the
    /// same.
    private static func arm(_ timer: FileDescriptor) throws(Errno) {
        do throws(Errno) {
            try setTimer(timer, to: timespec(tv_sec: Int.max, tv_nsec: 0), cancelOnSet: true)
        } catch {
            if error != .canceled { throw error }
        }
    }
}
