// The two clocks as two types. A turn of the daemon reads both once; pure code is handed the
// reading and never looks at a clock itself.

package import CivilTime

/// An instant of CLOCK_BOOTTIME in microseconds since the machine started: it never jumps and
/// counts suspend. It means nothing after a reboot, so it is stored only beside the boot's
/// identity.
package struct BootInstant: Sendable, Hashable, Comparable, Codable {
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.microseconds < right.microseconds
    }
}

/// One reading of both clocks, taken once per turn.
package struct Moment: Sendable, Hashable {
    package var wall: WallInstant
    package var boot: BootInstant

    package init(wall: WallInstant, boot: BootInstant) {
        self.wall = wall
        self.boot = boot
    }

    /// What the wall clock is ahead of the boot-time clock, in microseconds. A clock change is a
    /// change of this number and nothing else.
    package var offset: Int64 { wall.microseconds - boot.microseconds }
}

/// The wall clock's offset as last seen in a boot: it carries intervals over a reboot.
package struct ClockRecord: Sendable, Hashable {
    package var bootID: String
    package var offset: Int64

    package init(bootID: String, offset: Int64) {
        self.bootID = bootID
        self.offset = offset
    }
}
