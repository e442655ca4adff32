// Time on the monotonic clock, and how it spreads over many calls.

import Glibc

enum Stopwatch {
    /// Nanoseconds that a piece of work takes.
    static func nanoseconds(_ work: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try work()
        let elapsed = ContinuousClock.now - start
        return Double(elapsed.components.seconds) * 1e9
            + Double(elapsed.components.attoseconds) / 1e9
    }

    /// Nanoseconds of processor time that a piece of work takes on this thread: what else runs on
    /// the machine is not in it.
    static func processorNanoseconds(_ work: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            // The clock of one's own thread is always there.
            unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
        }
        let start = now()
        try work()
        return now() - start
    }

    /// Nanoseconds per call, in batches long enough for the clock; sorted.
    static func perCall(batches: Int, callsInBatch: Int, _ call: () -> Void) -> [Double] {
        var times: [Double] = []
        times.reserveCapacity(batches)
        for _ in 0..<batches {
            let time = nanoseconds {
                for _ in 0..<callsInBatch { call() }
            }
            times.append(time / Double(callsInBatch))
        }
        return times.sorted()
    }

    /// The mean over calls until a time is spent or a number of calls is made.
    static func mean(atMost calls: Int, seconds: Double, _ call: () -> Void) -> Double {
        var total = 0.0
        var count = 0
        while count < calls && total < seconds * 1e9 {
            total += nanoseconds(call)
            count += 1
        }
        return total / Double(max(1, count))
    }
}
