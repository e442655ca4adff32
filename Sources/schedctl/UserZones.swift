// The zones of the machine that schedctl runs on: the user's own, for printing and for local times,
// and others by name. schedd itself follows its own machine zone.

import CivilTime
import Platform

/// The zone files, and the user's zone out of them.
struct UserZones: Sendable {
    /// UTC when the user's zone cannot be read.
    let local: Zone
    /// What is wrong with the user's zone.
    let warning: String?
    private let directory: ZoneDirectory

    init(_ environment: Environment) {
        directory = ZoneDirectory(environment: environment)
        do throws(ZoneFileError) {
            local = try directory.machineZone(variable: environment["TZ"])
            warning = nil
        } catch {
            local = .utc
            warning = "your time zone cannot be read, and times are in UTC: \(error)"
        }
    }

    func zone(named name: String) throws(UsageError) -> Zone {
        do throws(ZoneFileError) {
            return try directory.zone(name)
        } catch {
            throw UsageError(
                "\(EscapedText.line("\(error)")); names are such as Europe/Berlin, "
                    + "'timedatectl list-timezones' shows them")
        }
    }
}
