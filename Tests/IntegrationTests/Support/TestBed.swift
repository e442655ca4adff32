// A private folder with a home, a runtime folder and a state folder, and the programs that a test
// starts in it. All of them have ended, and the folder is gone, when the test is over.

import Foundation
import Glibc
import Platform
import Testing

final class TestBed {
    /// Short, since a socket's path may have 107 bytes.
    let root: String
    private var children: [ChildProcess] = []
    private var startCount = 0

    private init() throws {
        let suffix = try SystemRandom.bytes(count: 6).map { String($0, radix: 16) }.joined()
        root = "/tmp/schedd-\(suffix)"
        for folder in ["", "/home", "/run", "/state"] {
            try FileManager.default.createDirectory(
                atPath: root + folder, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
    }

    /// Runs a test in a bed of its own; what schedd wrote is shown when the test throws.
    static func run(_ body: (TestBed) throws -> Void) throws {
        let bed = try TestBed()
        defer { bed.tearDown() }
        do {
            try body(bed)
        } catch {
            for (index, child) in bed.children.enumerated() where !child.errors.isEmpty {
                print("process \(index) wrote:\n\(child.errors.suffix(4_000))")
            }
            throw error
        }
    }

    private func tearDown() {
        for child in children.reversed() { child.end() }
        try? FileManager.default.removeItem(atPath: root)
    }

    var runtimePath: String { root + "/run" }
    var statePath: String { root + "/state" }
    var homePath: String { root + "/home" }
    var socketPath: String { runtimePath + "/schedd/io.schedd" }

    /// Nothing of the tester's own session, and no session bus.
    var environment: [String: String] {
        [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "Europe/Berlin",
            "HOME": homePath, "XDG_RUNTIME_DIR": runtimePath, "XDG_STATE_HOME": statePath,
            "SWIFT_BACKTRACE": "enable=no",
        ]
    }

    /// Starts a program; one of ours is named without a path.
    func start(
        _ program: String, _ arguments: [String] = [], environment changes: [String: String?] = [:]
    ) throws -> ChildProcess {
        startCount += 1
        var environment = environment
        for (name, value) in changes { environment[name] = value }
        let path = program.hasPrefix("/") ? program : Products.path(of: program)
        let child = try ChildProcess(
            path, arguments, environment: environment, folder: root,
            errorPath: "\(root)/errors-\(startCount)")
        children.append(child)
        return child
    }

    /// Runs a program to its end.
    @discardableResult
    func run(
        _ program: String, _ arguments: [String] = [], environment changes: [String: String?] = [:],
        _ deadline: Deadline = .usual
    ) throws -> Output {
        try start(program, arguments, environment: changes).finish(deadline)
    }

    /// Copies a program, in a process of its own: a file that is open for writing here could be
    /// inherited for a moment by a program that another test starts, and cannot be run meanwhile.
    func copyProgram(_ source: String, to path: String) throws {
        let output = try run("/bin/cp", [source, path])
        guard output.status == 0 else { throw TestError.failed("copying \(source): \(output)") }
    }

    /// Writes an executable script, by the same way.
    func writeProgram(_ text: String, to path: String) throws {
        let draft = path + ".draft"
        try text.write(toFile: draft, atomically: false, encoding: .utf8)
        _ = unsafe chmod(draft, 0o755)
        try copyProgram(draft, to: path)
    }

    /// Runs schedctl, which has to succeed.
    @discardableResult
    func schedctl(
        _ arguments: String..., environment: [String: String?] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Output {
        let output = try run("schedctl", arguments, environment: environment)
        #expect(
            output.status == 0, "schedctl \(arguments): \(output)", sourceLocation: sourceLocation)
        return output
    }

    /// Starts schedd and waits for READY.
    func daemon(
        _ arguments: [String] = [], environment changes: [String: String?] = [:]
    ) throws -> Daemon {
        let notify = try NotifySocket("\(root)/notify-\(startCount)")
        let child = try start(
            "schedd", arguments,
            environment: changes.merging(["NOTIFY_SOCKET": notify.address]) { $1 })
        do {
            try notify.wait(for: "READY=1")
        } catch {
            throw TestError.failed("schedd did not get ready: \(child.errors)")
        }
        return Daemon(process: child, notify: notify)
    }

    func connect() throws -> RawConnection { try RawConnection(socketPath) }
}

/// A running schedd, and the other end of its NOTIFY_SOCKET.
struct Daemon {
    let process: ChildProcess
    let notify: NotifySocket

    var identifier: Int32 { process.identifier }

    /// kill -9, and its end.
    func crash() {
        process.signal(SIGKILL)
        #expect(process.waitForExit() == -SIGKILL)
    }

    /// SIGTERM, and a clean end.
    func stop() {
        process.signal(SIGTERM)
        #expect(process.waitForExit() == 0, "\(process.errors)")
    }

    /// A number of /proc/PID/status in KiB, such as VmRSS.
    func memory(_ field: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(field):") }
        guard let value = line?.split(whereSeparator: \.isWhitespace).dropFirst().first,
            let number = Int(value)
        else { throw TestError.missing(field) }
        return number
    }

    var openDescriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/fd").count) ?? -1
    }
}

/// Where the build put the programs, and where the tree is.
enum Products {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().path

    static func path(of program: String) -> String { "\(folder)/\(program)" }

    /// The Python that Tests/run prepared.
    static let python = root + "/.build-python/bin/python"
}
