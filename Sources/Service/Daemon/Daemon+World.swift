// When the world changes under the daemon: the clock is set, the machine wakes up, a zone moves.

import CivilTime
import Platform
import Scheduling

extension Daemon {
    /// An update of the zone files may signal nothing, so they are looked at now and then as well.
    private var zoneCheckMicroseconds: Int64 { Int64(configuration.zoneCheckSeconds) * 1_000_000 }

    /// When nothing has changed for so long, a replacement in several steps is complete: they are
    /// looked at once more, and what is missing now has been removed.
    static let zoneSettlingMicroseconds: Int64 = 2_000_000

    /// Watches what names the machine's zone and the zone files. Where a watch cannot be set up,
    /// the log says so, and only the regular check notices changes.
    func watchZones() {
        do throws(SystemError) {
            let localtime = try DirectoryWatch(names: zones.localtimeNames, on: loop) {
                [weak self] in self?.assumeIsolated { $0.zonesTouched() }
            }
            try localtime.add(zones.localtimeDirectory)
            sources.localtime = localtime
        } catch {
            journal.log(.warning, "the machine's zone is only looked at now and then: \(error)")
        }
        do throws(SystemError) {
            let files = try DirectoryWatch(on: loop) { [weak self] in
                self?.assumeIsolated { $0.zonesTouched() }
            }
            try files.add(tree: zones.zoneDirectory)
            sources.zoneFiles = files
        } catch {
            journal.log(.warning, "the zone files are only looked at now and then: \(error)")
        }
        nextZoneCheck = Clock.bootMicroseconds() + zoneCheckMicroseconds
    }

    /// The wall clock was set, or the machine came back from sleep, perhaps in another zone.
    func clockChanged() {
        turn(.clockChanged, at: measureClocks())
        lookAtZones()
    }

    /// Something in the watched directories has changed, perhaps one step of several.
    func zonesTouched() {
        lookAtZones(isSettled: false)
    }

    /// The instant of `nextZoneCheck` has come.
    func checkZones() {
        // A directory that is new, or took another's place, is not watched yet. One that cannot be
        // watched has been told at the start, or is gone.
        try? sources.zoneFiles?.add(tree: zones.zoneDirectory)
        lookAtZones(believesAbsence: zones.isInQuestion)
    }

    /// Reads the zones again, and lets the scheduler compute anew what they moved.
    func lookAtZones(isSettled: Bool = true, believesAbsence: Bool = false) {
        let change = zones.reload(believesAbsence: believesAbsence)
        let wait =
            isSettled && !zones.isInQuestion
            ? zoneCheckMicroseconds : Self.zoneSettlingMicroseconds
        nextZoneCheck = Clock.bootMicroseconds() + wait
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
