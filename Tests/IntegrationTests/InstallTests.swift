// systemd/install from end to end, with what this build made in place of a release build: a `swift`
// that answers as the toolchain does stands on the PATH.

import Foundation
import Glibc
import Testing

@Suite(.serialized)
struct InstallTests {
    /// A copy of systemd/ and a stand-in for the toolchain in the bed's home; the PATH to use.
    private func prepare(_ bed: TestBed, version: String = "6.3.1") throws -> String {
        let files = FileManager.default
        let tools = bed.homePath + "/tools"
        for folder in [tools, bed.homePath + "/built"] {
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        for program in ["schedd", "schedctl"] {
            try bed.copyProgram(
                Products.path(of: program), to: "\(bed.homePath)/built/\(program)")
        }
        try files.createDirectory(
            atPath: bed.homePath + "/source", withIntermediateDirectories: true)
        let copy = try bed.run(
            "/bin/cp", ["-R", Products.root + "/systemd", bed.homePath + "/source/systemd"])
        guard copy.status == 0 else { throw TestError.failed("copying systemd/: \(copy)") }
        let swift = """
            #!/bin/bash
            case "$*" in
                --version) echo "Swift version \(version) (stand-in)" ;;
                *--show-bin-path*) echo "\(bed.homePath)/built" ;;
                *) echo "Build complete!" ;;
            esac
            """
        try bed.writeProgram(swift, to: tools + "/swift")
        return tools + ":/usr/bin:/bin"
    }

    private func install(_ bed: TestBed, path: String, _ arguments: String...) throws -> Output {
        try bed.run(
            bed.homePath + "/source/systemd/install", arguments,
            environment: ["PATH": path, "SWIFT_BACKTRACE": nil])
    }

    @Test(arguments: ["", "5.10", "6.1"])
    func `a toolchain that is missing or too old is told before anything is done`(
        _ version: String
    ) throws {
        try TestBed.run { bed in
            var path = try prepare(bed, version: version)
            if version.isEmpty { path = "/usr/bin:/bin" }
            if version.isEmpty, FileManager.default.fileExists(atPath: "/usr/bin/swift") { return }
            let output = try install(bed, path: path)
            #expect(output.status == 1, "\(output)")
            #expect(output.errors.contains("6.2"), "\(output)")
            #expect(version.isEmpty || output.errors.contains(version))
            #expect(!FileManager.default.fileExists(atPath: bed.homePath + "/.local"))
        }
    }

    @Test func `a wrong word is refused, and help is not an error`() throws {
        try TestBed.run { bed in
            let path = try prepare(bed)
            #expect(try install(bed, path: path, "--help").text.contains("--uninstall"))
            let wrong = try install(bed, path: path, "--frobnicate")
            #expect(wrong.status == 1)
            #expect(wrong.errors.contains("--frobnicate"))
            #expect(try install(bed, path: path, "--purge").status == 1)
        }
    }

    @Test func `without a user manager it starts schedd itself, and shows one firing`() throws {
        try TestBed.run { bed in
            let path = try prepare(bed)
            let prefix = bed.homePath + "/my tools & more"
            let first = try install(bed, path: path, "--prefix", prefix)
            // What it started goes on until it is uninstalled, also when an expectation fails.
            defer { _ = try? install(bed, path: path, "--prefix", prefix, "--uninstall") }
            #expect(first.status == 0, "\(first)")
            #expect(first.text.contains("no systemd user manager"), "\(first)")
            #expect(first.text.contains("fired"), "\(first)")
            let schedctl = prefix + "/bin/schedctl"
            try bed.run(schedctl, ["add", "--id", "tea", "--in", "1h", "--title", "Tea"])
            let before = try JSON(parsing: bed.run(schedctl, ["--json", "status"]).text)

            let second = try install(bed, path: path, "--prefix", prefix)
            #expect(second.status == 0, "\(second)")
            let after = try JSON(parsing: bed.run(schedctl, ["--json", "status"]).text)
            #expect(after["processID"].int != before["processID"].int)
            #expect(try bed.run(schedctl, ["list"]).text.contains("tea"))

            let gone = try install(bed, path: path, "--prefix", prefix, "--uninstall")
            #expect(gone.status == 0, "\(gone)")
            #expect(!FileManager.default.fileExists(atPath: schedctl))
            #expect(!FileManager.default.fileExists(atPath: bed.socketPath))
            #expect(FileManager.default.fileExists(atPath: bed.statePath + "/schedd/schedd.db"))
            let purged = try install(bed, path: path, "--prefix", prefix, "--uninstall", "--purge")
            #expect(purged.status == 0, "\(purged)")
            #expect(!FileManager.default.fileExists(atPath: bed.statePath + "/schedd"))
        }
    }

    @Test func `a schedd that it did not start is not taken for its own, nor robbed`() throws {
        try TestBed.run { bed in
            let path = try prepare(bed)
            let other = try bed.daemon()
            try bed.schedctl("add", "--id", "tea", "--in", "1h", "--title", "Tea")

            let refused = try install(bed, path: path)
            #expect(refused.status == 1, "\(refused)")
            #expect(refused.errors.contains("another schedd"), "\(refused)")
            #expect(refused.errors.contains("kill \(other.identifier)"), "\(refused)")
            #expect(!refused.text.contains("fired"), "\(refused)")

            let purge = try install(bed, path: path, "--uninstall", "--purge")
            #expect(purge.status == 1, "\(purge)")
            #expect(purge.errors.contains("kill \(other.identifier)"), "\(purge)")
            #expect(FileManager.default.fileExists(atPath: bed.homePath + "/.local/bin/schedd"))
            #expect(try bed.connect().call(Scheduler.status)["parameters"]["pending"].int == 1)
            other.stop()
            #expect(FileManager.default.fileExists(atPath: bed.statePath + "/schedd/schedd.db"))

            let purged = try install(bed, path: path, "--uninstall", "--purge")
            #expect(purged.status == 0, "\(purged)")
            #expect(!FileManager.default.fileExists(atPath: bed.statePath + "/schedd"))
        }
    }

    @Test func `a schedd on the same queue, with a socket elsewhere, is named as well`() throws {
        try TestBed.run { bed in
            let path = try prepare(bed)
            let other = try bed.daemon(["--socket", bed.runtimePath + "/other.socket"])
            let refused = try install(bed, path: path)
            #expect(refused.status == 1, "\(refused)")
            #expect(refused.errors.contains("kill \(other.identifier)"), "\(refused)")
            other.stop()
        }
    }

    @Test func `in a user manager it enables and starts the units, and takes them away`() throws {
        try TestBed.run { bed in
            let path = try prepare(bed)
            let manager = try UserManager(bed, isInstalled: false)
            let result = Result { try self.installTwice(manager, path: path) }
            try manager.end()
            try result.get()
        }
    }

    private func installTwice(_ manager: UserManager, path: String) throws {
        let install = "PATH=\(path) ~/source/systemd/install --prefix ~/'my tools'"
        for _ in 0..<2 {
            let output = try manager.run(install)
            #expect(output.status == 0, "\(output.text)")
            #expect(output.text.contains("fired"), "\(output.text)")
            #expect(try manager.property("ActiveState") == "active")
            #expect(try manager.property("UnitFileState") == "enabled")
            #expect(try manager.property("UnitFileState", of: "schedd.socket") == "enabled")
        }
        let removed = try manager.run(install + " --uninstall")
        #expect(removed.status == 0, "\(removed.text)")
        #expect(removed.text.contains("stays in"))
        #expect(try manager.property("LoadState") == "not-found")
        #expect(try manager.run("ls ~/'my tools'/bin/schedd").status != 0)
    }
}
