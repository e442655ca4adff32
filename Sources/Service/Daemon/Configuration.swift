// What the command line and the environment settle before the daemon starts.

/// Where things are.
package struct Configuration: Sendable {
    /// The socket to bind when systemd passes none.
    package var socketPath: String
    package var stateDirectory: String
    /// The zone files; nil = $TZDIR, else the system's.
    package var zoneDirectory: String?
    /// What names the machine's zone; nil = /etc/localtime.
    package var localtimeFile: String?
    /// After how many seconds the zones are looked at again without having been told of a change.
    package var zoneCheckSeconds: Int

    /// An update of the zone files may signal nothing.
    package static let usualZoneCheckSeconds = 86_400
    package static let zoneCheckSecondsRange = 1...31_536_000

    /// - Parameter zoneCheckSeconds: within `zoneCheckSecondsRange`.
    package init(
        socketPath: String, stateDirectory: String, zoneDirectory: String? = nil,
        localtimeFile: String? = nil, zoneCheckSeconds: Int = usualZoneCheckSeconds
    ) {
        precondition(Self.zoneCheckSecondsRange.contains(zoneCheckSeconds))
        self.socketPath = socketPath
        self.stateDirectory = stateDirectory
        self.zoneDirectory = zoneDirectory
        self.localtimeFile = localtimeFile
        self.zoneCheckSeconds = zoneCheckSeconds
    }
}
