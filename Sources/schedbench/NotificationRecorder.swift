// A notification server on a message bus of its own, which notes when a Notify call arrives.
// Unsafe: libsystemd hands messages to a C function; they are borrowed for the call only.

import CSystemd
import Dispatch
import Foundation
import Platform
import Service
import Synchronization

/// A private dbus-daemon with a server on it; both go with this object.
final class NotificationRecorder {
    struct NotifyCall: Sendable {
        let title: String
        /// Microseconds of the wall clock.
        let at: Int64
    }

    let address: String
    private let process = Process()
    private let folder: URL
    private let server = RecordingServer()
    private let loop: EventLoop

    /// Nil when there is no dbus-daemon.
    init?() throws {
        loop = try EventLoop(queue: DispatchQueue(label: "recording notification server"))
        folder = URL(filePath: "/tmp/schedbench-bus-\(getpid())")
        address = "unix:path=\(folder.path)/bus"
        process.executableURL = URL(filePath: "/usr/bin/dbus-daemon")
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon") else {
            return nil
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let configuration = """
            <busconfig>
              <type>session</type>
              <listen>\(address)</listen>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
            </busconfig>
            """
        let file = folder.appending(path: "bus.conf")
        try Data(configuration.utf8).write(to: file)
        let pipe = Pipe()
        process.arguments = [
            "--config-file=\(file.path)", "--nofork", "--nopidfile",
            "--print-address=1",
        ]
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        // It prints its address when it listens.
        _ = pipe.fileHandleForReading.availableData
        try loop.queue.sync { [server, address, loop] in try server.start(on: address, loop: loop) }
        guard server.owned.wait(timeout: .now() + 5) == .success else {
            throw BenchmarkFailure(description: "the bus does not give out its name")
        }
    }

    deinit {
        loop.queue.sync { [server] in server.stop() }
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    var calls: [NotifyCall] { server.calls.withLock { $0 } }
}

/// Used on its queue only but for `calls` and `owned`, hence `@unchecked Sendable`.
private final class RecordingServer: @unchecked Sendable {
    let calls = Mutex<[NotificationRecorder.NotifyCall]>([])
    let owned = DispatchSemaphore(value: 0)
    private var connection: BusConnection?
    private var lastID: UInt32 = 0

    func start(on address: String, loop: EventLoop) throws {
        let connection = try BusConnection(
            loop: loop, address: address, onMessage: { _ in }, onLost: { _ in })
        self.connection = connection
        // This object outlives the filter: its owner calls `stop` first.
        let result = unsafe sd_bus_add_filter(
            connection.bus, nil, filter, Unmanaged.passUnretained(self).toOpaque())
        try SystemError.checkBus(result, "adding a filter")
        let request = try connection.makeCall(
            to: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus", member: "RequestName")
        try request.append("org.freedesktop.Notifications")
        try request.append(UInt32(0))
        try connection.call(request) { [owned] _ in owned.signal() }
    }

    func stop() {
        connection?.close()
        connection = nil
    }

    /// True when the message was for the server.
    func receive(_ message: borrowing IncomingMessage) throws -> Bool {
        let now = Clock.wallMicroseconds()
        guard message.interface == "org.freedesktop.Notifications", let connection else {
            return false
        }
        var made: OpaquePointer?
        let result = unsafe sd_bus_message_new_method_return(message.pointer, &made)
        try SystemError.checkBus(result, "making a reply")
        guard let pointer = unsafe made else { return true }
        let reply = unsafe OutgoingMessage(taking: pointer)
        switch message.member {
        case "GetCapabilities":
            try reply.append(["body", "actions"])
        case "Notify":
            _ = (message.readString(), message.readUInt32(), message.readString())
            let title = message.readString() ?? ""
            calls.withLock { $0.append(.init(title: title, at: now)) }
            lastID += 1
            try reply.append(lastID)
        default:
            return false
        }
        try connection.send(reply)
        return true
    }
}

/// `userdata` is the server, which closes the connection before it goes.
private func filter(
    _ message: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message = unsafe message, let userdata = unsafe userdata else { return 0 }
    let server = unsafe Unmanaged<RecordingServer>.fromOpaque(userdata).takeUnretainedValue()
    return ((try? unsafe server.receive(IncomingMessage(borrowing: message))) ?? true) ? 1 : 0
}
