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

    package init(
        socketPath: String, stateDirectory: String, zoneDirectory: String? = nil,
        localtimeFile: String? = nil
    ) {
        self.socketPath = socketPath
        self.stateDirectory = stateDirectory
        self.zoneDirectory = zoneDirectory
        self.localtimeFile = localtimeFile
    }
}
