// The zones that the queue is computed in, read from the system's files, and read again when those
// may have changed: an update of the zone files signals nothing by itself.

import CivilTime
import Platform

/// The machine's zone and every named one in use.
struct ZoneSource: Sendable {
    private let directory: ZoneDirectory
    private let localtimeFile: String
    private let variable: String?
    /// The machine's zone; UTC as long as it cannot be read.
    private(set) var local: Zone = .utc
    private var table = ZoneTable()
    /// Zones in use whose files could not be read since the start.
    private var missing: Set<String> = []
    /// Why the machine's zone could not be read.
    private(set) var localProblem: String?
    /// The localtime file was not there when it was last looked for. That means UTC, or that it is
    /// being replaced, as `ln -sf` first removes the old one: `local` stays, to be looked at again.
    private(set) var isInQuestion = false
    /// Where `local` comes from.
    private(set) var source = ""

    init(_ configuration: Configuration, environment: Environment = .process) {
        directory = ZoneDirectory(path: configuration.zoneDirectory, environment: environment)
        localtimeFile = configuration.localtimeFile ?? "/etc/localtime"
        // An option that names the file is stronger than a variable that happens to be set.
        variable = configuration.localtimeFile == nil ? environment["TZ"] : nil
        source = "UTC, as \(origin) cannot be read"
        readLocal(believesAbsence: true)
    }

    /// What names the machine's zone.
    private var origin: String { variable == nil ? localtimeFile : "TZ" }

    /// Every named zone in use.
    var named: [String: Zone] {
        var zones: [String: Zone] = [:]
        for name in table.names { zones[name] = table[name] }
        return zones
    }

    /// The directories to watch for changes.
    var localtimeDirectory: String {
        let folders = localtimeFile.split(separator: "/").dropLast()
        return "/" + folders.joined(separator: "/")
    }
    var zoneDirectory: String { directory.path }
    /// The names in `localtimeDirectory` that matter.
    var localtimeNames: Set<String> {
        Set([localtimeFile.split(separator: "/").last.map(String.init) ?? "", "timezone"])
    }

    /// Reads the named zones; says which cannot be read.
    mutating func load(names: Set<String>) -> [String] {
        var problems: [String] = []
        if let localProblem {
            problems.append("the machine's zone cannot be read, using UTC: \(localProblem)")
        }
        for name in names.sorted() {
            do throws(ZoneFileError) {
                _ = try zone(named: name)
            } catch {
                missing.insert(name)
                problems.append("zone \(name), which is in use, cannot be read: \(error)")
            }
        }
        return problems
    }

    /// The zone of this name, from its file if it is not in use yet.
    mutating func zone(named name: String) throws(ZoneFileError) -> Zone {
        if let zone = table[name] { return zone }
        let zone = try directory.zone(name)
        table.replace(zone)
        return zone
    }

    /// Reads everything again; nil if nothing changed. A file that cannot be read now, as in the
    /// middle of an update, leaves its zone as it was; so does a missing localtime file, unless its
    /// absence is to be believed by now.
    mutating func reload(believesAbsence: Bool) -> (local: Zone, named: [String: Zone])? {
        let oldLocal = local
        readLocal(believesAbsence: believesAbsence)
        var changed: [String: Zone] = [:]
        for name in table.names {
            guard let zone = try? directory.zone(name), table.replace(zone) == .replaced else {
                continue
            }
            changed[name] = zone
        }
        for name in missing {
            guard let zone = try? zone(named: name) else { continue }
            missing.remove(name)
            changed[name] = zone
        }
        return local == oldLocal && changed.isEmpty ? nil : (local, changed)
    }

    private mutating func readLocal(believesAbsence: Bool) {
        do throws(ZoneFileError) {
            let stated = try directory.statedMachineZone(
                variable: variable, files: ZoneDirectory.LocalFiles(localtime: localtimeFile))
            localProblem = nil
            isInQuestion = stated == nil && !believesAbsence
            if isInQuestion { return }
            local = stated ?? .utc
            source = stated == nil ? "UTC, as there is no \(localtimeFile)" : origin
        } catch {
            localProblem = "\(error)"
            isInQuestion = false
        }
    }
}
