// The arithmetic of the wheel: which slot an instant belongs to, and when a slot begins. Pure
// integers.

/// Positions in the wheel. A tick is one millisecond; its base-64 digits are its slots, one a
/// level.
///
///     level   one slot is      the level spans
///     0       1 ms             64 ms
///     1       64 ms            4.1 s
///     2       4.1 s            4.4 min
///     3       4.4 min          4.7 h
///     4       4.7 h            12.4 days
///     5       12.4 days        2.2 years
///     6       2.2 years        139 years
///     7       139 years        8,925 years
///     8       8,925 years      571,233 years, more than Int64 microseconds can name
enum WheelGeometry {
    static let slotBits = 6
    static let slotsPerLevel = 1 << slotBits
    /// 9 x 6 = 54 bits; the last tick is Int64.max / 1000, which takes 53. So nothing overflows.
    static let levelCount = 9
    static let positionCount = levelCount * slotsPerLevel
    static let microsecondsPerTick: UInt64 = 1_000

    /// The tick in which an instant lies; instants before the clock's zero count as its first tick.
    static func tick(of microseconds: Int64) -> UInt64 {
        microseconds <= 0 ? 0 : UInt64(microseconds) / microsecondsPerTick
    }

    /// Where a tick is filed while the wheel stands at `elapsed`: the level of the highest digit in
    /// which the two differ, and the tick's digit there.
    ///
    /// Filed so, a level holds only slots ahead of the wheel and within its own turn: no slot of a
    /// level is earlier than any of a lower level, and within a level a higher slot is later. That
    /// is why the lowest bit of the lowest level is the next thing to happen.
    @inline(__always)
    static func position(of tick: UInt64, elapsed: UInt64) -> Int {
        assert(tick >= elapsed, "tick \(tick) is before \(elapsed)")
        // Differences below one turn of level 0 all belong to level 0.
        let difference = (tick ^ elapsed) | UInt64(slotsPerLevel - 1)
        let level = (UInt64.bitWidth - 1 - difference.leadingZeroBitCount) / slotBits
        let slot = (tick >> UInt64(level * slotBits)) & UInt64(slotsPerLevel - 1)
        return level * slotsPerLevel + Int(slot)
    }

    /// The first tick of a slot, for a wheel that stands at `elapsed`: the wheel's digits above the
    /// slot's level, the slot's digit, zeros below.
    static func firstTick(of position: Int, elapsed: UInt64) -> UInt64 {
        let shift = UInt64(level(of: position) * slotBits)
        let turn = shift + UInt64(slotBits)
        return (elapsed >> turn) << turn | UInt64(slot(of: position)) << shift
    }

    static func level(of position: Int) -> Int { position >> slotBits }

    static func slot(of position: Int) -> Int { position & (slotsPerLevel - 1) }
}
