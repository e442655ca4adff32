// Where the socket is: paths at the kernel's limit, and a runtime folder that is missing or wrong.
// A mistake ends with a message that names it, never with a socket somewhere else.

import Foundation
import Glibc
import Testing

struct SocketPathTests {
    /// A path below `folder` of exactly `length` bytes, ending in `suffix`.
    private func path(of length: Int, in folder: String, suffix: String = "") -> String {
        let rest = length - folder.utf8.count - 1 - suffix.utf8.count
        return folder + "/" + String(repeating: "s", count: rest) + suffix
    }

    @Test(arguments: ["", "é"])
    func `B79: a socket path of 107 bytes works`(_ suffix: String) throws {
        try TestBed.run { bed in
            let socket = path(of: 107, in: bed.runtimePath, suffix: suffix)
            _ = try bed.daemon(["--socket", socket])
            #expect(try RawConnection(socket).pending() == [])
            let output = try bed.schedctl("--socket", socket, "--json", "list")
            #expect(try JSON(parsing: output.text).array?.isEmpty == true)
        }
    }

    @Test(arguments: [(108, ""), (108, "é"), (200, "")])
    func `B79: a longer one is refused by both sides, and nothing is bound`(
        _ length: Int, _ suffix: String
    ) throws {
        try TestBed.run { bed in
            let socket = path(of: length, in: bed.runtimePath, suffix: suffix)
            for (program, arguments) in [("schedd", [String]()), ("schedctl", ["list"])] {
                let notify = try NotifySocket("\(bed.root)/notify-\(program)")
                let output = try bed.run(
                    program, ["--socket", socket] + arguments,
                    environment: ["NOTIFY_SOCKET": notify.address])
                #expect(output.status > 0, "\(output)")
                for word in [socket, "\(length)", "107"] {
                    #expect(output.errors.contains(word), "\(word) is missing in: \(output.errors)")
                }
                #expect(try notify.next(.after(seconds: 0))?.contains("READY") != true)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: bed.runtimePath) == [])
        }
    }

    /// A runtime folder that must not be used.
    enum WrongRuntime: String, CaseIterable, CustomTestStringConvertible {
        case unset, empty, relative, missing, open, foreign

        var testDescription: String { rawValue }

        func prepare(_ bed: TestBed) throws -> String? {
            switch self {
            case .unset: return nil
            case .empty: return ""
            case .relative: return "run"
            case .missing: return bed.root + "/nowhere"
            case .open: unsafe chmod(bed.runtimePath, 0o755)
            case .foreign: unsafe chown(bed.runtimePath, 65_534, 65_534)
            }
            return bed.runtimePath
        }
    }

    /// Whether the machine has the folder that may stand in for an unset variable.
    private var hasSystemRuntime: Bool {
        FileManager.default.fileExists(atPath: "/run/user/\(geteuid())")
    }

    @Test(arguments: WrongRuntime.allCases)
    func `B87: a wrong XDG_RUNTIME_DIR is named, by both sides, and not worked around`(
        _ wrong: WrongRuntime
    ) throws {
        if wrong == .unset || wrong == .empty, hasSystemRuntime { return }
        // Only root can give a folder away.
        if wrong == .foreign, geteuid() != 0 { return }
        try TestBed.run { bed in
            let value = try wrong.prepare(bed)
            for (program, arguments) in [("schedd", [String]()), ("schedctl", ["list"])] {
                let output = try bed.run(
                    program, arguments, environment: ["XDG_RUNTIME_DIR": value])
                #expect(output.status > 0 && output.status < 128, "\(output)")
                #expect(output.errors.contains("XDG_RUNTIME_DIR"), "\(output)")
            }
            #expect(!FileManager.default.fileExists(atPath: bed.socketPath))
        }
    }

    @Test func `a socket that a killed schedd left is taken over, one in use is not`() throws {
        try TestBed.run { bed in
            let first = try bed.daemon()
            try bed.connect().add([Scheduler.request("tea")])
            first.crash()
            #expect(FileManager.default.fileExists(atPath: bed.socketPath))

            let second = try bed.daemon()
            let output = try bed.run("schedd", ["--state-dir", bed.root + "/other"])
            #expect(output.status > 0, "\(output)")
            #expect(output.errors.contains(bed.socketPath), "\(output)")
            #expect(try bed.connect().pending() == ["tea"])
            second.stop()
            #expect(!FileManager.default.fileExists(atPath: bed.socketPath))
        }
    }
}
