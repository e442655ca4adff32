// The two clocks of schedd and the name of this boot. Pure code never calls these: the daemon reads
// both clocks once a turn and hands the values in.

import Glibc

/// Readings of the machine's clocks, in whole microseconds rounded down.
package enum Clock {
    /// CLOCK_REALTIME: microseconds since 1970-01-01T00:00:00Z. It jumps when the clock is set.
    package static func wallMicroseconds() -> Int64 {
        microseconds(CLOCK_REALTIME)
    }

    /// CLOCK_BOOTTIME: microseconds since boot, suspend included. It never jumps and never goes
    /// back.
    package static func bootMicroseconds() -> Int64 {
        microseconds(CLOCK_BOOTTIME)
    }

    /// What the wall clock is ahead of the boot-time clock, measured.
    ///
    /// Two clocks cannot be read at one instant, so the wall clock is read between two readings of
    /// the other, and the narrowest of a few such pairs is taken: exact to a microsecond or two.
    package static func wallOffsetMicroseconds() -> Int64 {
        var best = (width: Int64.max, offset: Int64(0))
        for _ in 0..<5 {
            let before = bootMicroseconds()
            let wall = wallMicroseconds()
            let after = bootMicroseconds()
            if after - before < best.width {
                best = (after - before, wall - before - (after - before) / 2)
            }
        }
        return best.offset
    }

    /// The random id that the kernel gave this boot: two equal ids mean one running boot-time
    /// clock.
    package static func bootID() throws(SystemError) -> String {
        let path = "/proc/sys/kernel/random/boot_id"
        let bytes = try describing("reading \(path)") { () throws(Errno) in
            try FileDescriptor.open(path, O_RDONLY).readToEnd(limitBytes: 128)
        }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    private static func microseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // It fails only for an unknown clock or a bad address, and neither can be.
        let result = unsafe clock_gettime(clock, &time)
        precondition(result == 0, "clock \(clock) cannot be read")
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
