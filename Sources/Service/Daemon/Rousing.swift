// A machine that has slept for long takes its time to wake up, and so does a program whose memory
// has left the processor's caches: together some tenths of a millisecond, by which every firing
// would be late.

package import Scheduling

/// Wakes the daemon once more shortly before a firing, for nothing. When the instant itself comes,
/// everything has just been awake, and the firing is late by a fraction of the time.
package enum Rousing {
    /// How long before: more than waking up takes, and too short for a deep sleep.
    package static let microseconds: Int64 = 500

    /// The instant for which to arm the timer now, so as to fire at `deadline`.
    package static func alarm(for deadline: BootInstant, at now: BootInstant) -> BootInstant {
        let early = BootInstant(microseconds: deadline.microseconds - microseconds)
        return early > now ? early : deadline
    }
}
