// A schedd of a benchmark's own: the binary beside schedbench, in a folder of its own, without the
// user's bus, queue or socket. It is stopped, and the folder removed, when its owner goes.

import Dispatch
import Foundation
import Platform
import SchedulerClient

/// Why a benchmark cannot be run here.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String
}

final class ScratchDaemon {
    let folder: URL
    private let ready: ReadySocket
    private let busAddress: String
    private var process: Process?

    /// - Parameter busAddress: nil = there is no bus.
    init(busAddress: String? = nil) throws {
        folder = URL(filePath: "/tmp/schedbench-\(getpid())-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        ready = try ReadySocket(path: folder.appending(path: "notify").path)
        self.busAddress = busAddress ?? "unix:path=\(folder.path)/no-bus"
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    var socketPath: String { folder.appending(path: "socket").path }
    var stateFolder: URL { folder.appending(path: "state") }
    var processID: Int32 { process?.processIdentifier ?? 0 }

    /// Starts schedd and returns the nanoseconds from there to READY.
    @discardableResult
    func start() throws -> Double {
        let process = Process()
        process.executableURL = try Self.tool("schedd")
        process.arguments = ["--socket", socketPath, "--state-dir", stateFolder.path]
        process.environment = [
            "PATH": "/usr/bin:/bin", "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
            "NOTIFY_SOCKET": ready.path, "DBUS_SESSION_BUS_ADDRESS": busAddress,
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path)/no-bus",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        self.process = process
        return try Stopwatch.nanoseconds {
            try process.run()
            try ready.waitUntilReady()
        }
    }

    /// Lets schedd finish what it is at, and comes back when it has ended.
    func stop() {
        guard let process, process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
        self.process = nil
    }

    func connect() throws -> SchedulerConnection {
        try SchedulerConnection.connect(path: socketPath)
    }

    /// A program that was built with schedbench.
    static func tool(_ name: String) throws -> URL {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let tool = URL(filePath: own).deletingLastPathComponent().appending(path: name)
        guard FileManager.default.isExecutableFile(atPath: tool.path) else {
            throw BenchmarkFailure(
                description: "there is no \(tool.path): swift build -c release "
                    + "--static-swift-stdlib --product \(name)")
        }
        return tool
    }
}

/// The service manager's end of NOTIFY_SOCKET. It reads everything at once, as the manager does:
/// a full socket would hold schedd up.
final class ReadySocket {
    let path: String
    private let source: DescriptorSource
    private let ready = DispatchSemaphore(value: 0)

    init(path: String) throws {
        self.path = path
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = FileDescriptor(owning: Glibc.socket(AF_UNIX, type, 0))
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        // The name is zeros, so that the path ends with one.
        unsafe withUnsafeMutableBytes(of: &name.sun_path) {
            unsafe $0.copyBytes(from: Array(path.utf8.prefix($0.count - 1)))
        }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = unsafe withUnsafePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(socket.rawValue, $0, length)
            }
        }
        if status != 0 { throw Errno(code: errno) }
        let loop = try EventLoop(queue: DispatchQueue(label: "notify socket"))
        source = try DescriptorSource(socket, .reading, on: loop) { [ready] in
            guard case .bytes(let bytes)? = try? socket.read(limitBytes: 65_536) else { return }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            if lines.contains("READY=1") { ready.signal() }
        }
    }

    /// Comes back when a datagram has said READY.
    func waitUntilReady() throws {
        guard ready.wait(timeout: .now() + 20) == .success else {
            throw BenchmarkFailure(description: "schedd is not ready after 20 s")
        }
    }
}
