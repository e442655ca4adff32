// What parsing and printing of times depends on, passed in so that both stay pure functions: no
// code under Parsing or Text reads a clock, the environment or a zone file.

package import CivilTime

/// The present instant, the user's zone, and a way to other zones.
package struct TimeContext: Sendable {
    package var now: WallInstant
    package var zone: Zone
    /// A zone of the system by its name; the error says what is wrong with the name.
    package var namedZone: @Sendable (String) throws(UsageError) -> Zone

    package init(
        now: WallInstant, zone: Zone,
        namedZone: @escaping @Sendable (String) throws(UsageError) -> Zone
    ) {
        self.now = now
        self.zone = zone
        self.namedZone = namedZone
    }

    /// The present instant as the wire writes it.
    package var nowUsec: Int64 { now.microseconds }
}
