// A message bus of a test's own: a real dbus-daemon that can be killed and started again at the
// same address. A shell around it waits for the end of its input, so that it dies with the test
// program too, however that ends.

import Foundation
import Testing
import TestSupport

/// A dbus-daemon with a socket and a folder for service files in a temporary folder.
final class PrivateBus: Sendable {
    let folder: TemporaryFolder
    private let program = Held<RunningProgram?>(nil)

    var address: String { "unix:path=" + folder.url.appending(path: "bus").path }
    var servicesFolder: URL { folder.url.appending(path: "services") }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: servicesFolder, withIntermediateDirectories: true)
        let configuration = """
            <busconfig>
              <type>session</type>
              <listen>\(address)</listen>
              <auth>EXTERNAL</auth>
              <servicedir>\(servicesFolder.path)</servicedir>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
            </busconfig>
            """
        try Data(configuration.utf8).write(to: folder.url.appending(path: "bus.conf"))
    }

    deinit { stop() }

    /// Comes back when the bus takes connections.
    func start(environment: [String: String] = [:]) async throws {
        let script = """
            dbus-daemon --config-file="$0" --nofork --nopidfile --print-address=1 &
            read -r _
            kill $!
            wait
            """
        let program = try RunningProgram(
            "/bin/sh", ["-c", script, folder.url.appending(path: "bus.conf").path],
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
        self.program.set(program)
        let text = try await program.output.first {
            $0.contains("unix:path=") || $0.contains("not found")
        }
        try #require(text.contains("unix:path="), "dbus-daemon does not start: \(text)")
    }

    /// Kills the bus; everyone on it loses the connection.
    func stop() {
        program.get()?.stop()
        program.set(nil)
    }
}

/// A value behind a lock, for what Foundation does not mark as sendable.
final class Held<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func get() -> Value { lock.withLock { value } }

    func set(_ value: Value) { lock.withLock { self.value = value } }
}
