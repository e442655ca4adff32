// A real `systemd --user` with journal and bus for one test, from recipes/with-user-manager, and a
// shell in it. The programs and units are installed in its home as systemd/install would do it.

import Foundation
import Glibc

final class UserManager {
    private let bed: TestBed
    private let shell: ChildProcess

    /// With `isInstalled` false, its home is as the test left it.
    init(_ bed: TestBed, isInstalled: Bool = true) throws {
        self.bed = bed
        if isInstalled { try Self.installFiles(bed) }
        // The user needs a way to its home.
        _ = unsafe chmod(bed.root, 0o711)
        shell = try bed.start(
            Products.root + "/Tests/recipes/with-user-manager",
            ["--user", try Self.user(bed), bed.homePath, "/bin/bash"])
    }

    private static func installFiles(_ bed: TestBed) throws {
        let files = FileManager.default
        let bin = bed.homePath + "/.local/bin"
        let units = bed.homePath + "/.config/systemd/user"
        for folder in [bin, units] {
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        for program in ["schedd", "schedctl"] {
            try bed.copyProgram(Products.path(of: program), to: "\(bin)/\(program)")
        }
        for unit in ["schedd.service", "schedd.socket"] {
            try files.copyItem(
                atPath: "\(Products.root)/systemd/\(unit)", toPath: "\(units)/\(unit)")
        }
    }

    /// nobody, if that user can run what the build made (the toolchain may be root's alone).
    private static func user(_ bed: TestBed) throws -> String {
        guard geteuid() == 0 else { return "self" }
        let copy = bed.root + "/schedctl"
        try bed.copyProgram(Products.path(of: "schedctl"), to: copy)
        let output = try bed.run(
            "/usr/bin/setpriv",
            ["--reuid=65534", "--regid=65534", "--clear-groups", copy, "--version"])
        return output.status == 0 ? "nobody" : "root"
    }

    /// Runs a command in the manager's shell; standard error comes with the output.
    @discardableResult
    func run(_ command: String, _ deadline: Deadline = .usual) throws -> (status: Int, text: String)
    {
        let mark = "--- end of command, status "
        try shell.send("{ \(command)\n} </dev/null 2>&1; s=$?; echo; echo '\(mark)'$s\n")
        guard let lines = try shell.lines(until: { $0.hasPrefix(mark) }, deadline),
            let status = Int(lines.last?.dropFirst(mark.count) ?? "")
        else { throw TestError.failed("no end of: \(command)\n\(shell.errors)") }
        // The empty line is ours.
        return (status, lines.dropLast().joined(separator: "\n"))
    }

    /// A property of a unit.
    func property(_ name: String, of unit: String = "schedd.service") throws -> String {
        try run("systemctl --user show --property=\(name) --value \(unit)").text
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Puts lines into a drop-in of the service; needs a daemon-reload.
    func override(_ lines: String) throws {
        try run("mkdir -p ~/.config/systemd/user/schedd.service.d")
        try run("printf '\(lines)' >~/.config/systemd/user/schedd.service.d/test.conf")
    }

    /// Leaves the shell, so that the recipe takes everything down.
    func end() throws {
        shell.finishInput()
        guard shell.waitForExit() != nil else { throw TestError.timeout }
    }
}
