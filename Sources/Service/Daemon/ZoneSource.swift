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
    /// Why the machine's zone could not be read.
    private(set) var localProblem: String?

    init(_ configuration: Configuration, environment: Environment = .process) {
        directory = ZoneDirectory(path: configuration.zoneDirectory, environment: environment)
        localtimeFile = configuration.localtimeFile ?? "/etc/localtime"
        // An option that names the file is stronger than a variable that happens to be set.
        variable = configuration.localtimeFile == nil ? environment["TZ"] : nil
        readLocal()
    }

    /// Every named zone in use.
    var named: [String: Zone] {
        var zones: [String: Zone] = [:]
        for name in table.names { zones[name] = table[name] }
        return zones
    }

    /// Where the machine's zone comes from.
    var source: String {
        if localProblem != nil { return "UTC, as it cannot be read" }
        return variable == nil ? localtimeFile : "TZ"
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
    /// middle of an update, leaves its zone as it was.
    mutating func reload() -> (local: Zone, named: [String: Zone])? {
        let oldLocal = local
        readLocal()
        var changed: [String: Zone] = [:]
        for name in table.names {
            guard let zone = try? directory.zone(name), table.replace(zone) == .replaced else {
                continue
            }
            changed[name] = zone
        }
        return local == oldLocal && changed.isEmpty ? nil : (local, changed)
    }

    private mutating func readLocal() {
        do throws(ZoneFileError) {
            local = try directory.machineZone(
                variable: variable, files: ZoneDirectory.LocalFiles(localtime: localtimeFile))
            localProblem = nil
        } catch {
            localProblem = "\(error)"
        }
    }
}
