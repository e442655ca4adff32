// When the world changes under the daemon: the clock is set, the machine wakes up, a zone moves.

import CivilTime
import Platform
import Scheduling

extension Daemon {
    /// An update of the zone files may signal nothing, so they are looked at once a day as well.
    static let zoneCheckMicroseconds: Int64 = 86_400 * 1_000_000

    /// A localtime file that is missing for so long has been removed, and is not being replaced.
    static let zoneAbsenceMicroseconds: Int64 = 2_000_000

    /// Watches what names the machine's zone and the zone files; a watch that cannot be made is
    /// said, and leaves the daily look.
    func watchZones() {
        let queue = executor.queue
        do throws(SystemError) {
            let localtime = try DirectoryWatch(names: zones.localtimeNames, on: queue) {
                [weak self] in self?.assumeIsolated { $0.lookAtZones() }
            }
            try localtime.add(zones.localtimeDirectory)
            sources.localtime = localtime
        } catch {
            journal.log(.warning, "changes of the machine's zone are seen once a day: \(error)")
        }
        do throws(SystemError) {
            let files = try DirectoryWatch(on: queue) { [weak self] in
                self?.assumeIsolated { $0.lookAtZones() }
            }
            try files.add(tree: zones.zoneDirectory)
            sources.zoneFiles = files
        } catch {
            journal.log(.warning, "updates of the zone files are seen once a day: \(error)")
        }
        nextZoneCheck = Clock.bootMicroseconds() + Self.zoneCheckMicroseconds
    }

    /// The wall clock was set, or the machine came back from sleep, perhaps in another zone.
    func clockChanged() {
        turn(.clockChanged)
        lookAtZones()
    }

    /// The instant of `nextZoneCheck` has come.
    func checkZones() {
        lookAtZones(believesAbsence: zones.isInQuestion)
    }

    /// Reads the zones again, and lets the scheduler compute anew what they moved.
    func lookAtZones(believesAbsence: Bool = false) {
        let change = zones.reload(believesAbsence: believesAbsence)
        nextZoneCheck =
            Clock.bootMicroseconds()
            + (zones.isInQuestion ? Self.zoneAbsenceMicroseconds : Self.zoneCheckMicroseconds)
        guard let (local, named) = change else {
            // The next look may have moved.
            armTimer(at: readClocks())
            return
        }
        let names = (named.keys.sorted() + (local == scheduler.machineZone ? [] : [local.name]))
        journal.log(.notice, "zones changed: \(names.joined(separator: ", "))")
        turn(.zonesChanged(local: local, named: named))
    }
}
