// The XDG variables, right and wrong, in real directories.

import Foundation
import Platform
import Testing

struct UserDirectoriesTests {
    @Test func `B87: the variable's directory is used as it is`() throws {
        let directory = try TemporaryDirectory()
        let environment = Environment(["XDG_RUNTIME_DIR": directory.path])
        #expect(
            try UserDirectories.runtime(environment) == .init(path: directory.path, warning: nil))
        #expect(
            try UserDirectories.socket(environment)
                == .init(path: "\(directory.path)/schedd/io.schedd", warning: nil))
    }

    @Test(arguments: [nil, ""])
    func `B87: without the variable the usual place is used with a warning`(value: String?) throws {
        let root = try TemporaryDirectory()
        let usual = root.file("\(geteuid())")
        let environment = Environment(value.map { ["XDG_RUNTIME_DIR": $0] } ?? [:])
        let expected = DirectoryError.runtimeDirectoryUnset(fallback: usual)
        #expect(throws: expected) {
            try UserDirectories.socket(environment, userRoot: root.path)
        }
        #expect(expected.description.contains("XDG_RUNTIME_DIR"))
        try #require(unsafe mkdir(usual, 0o755) == 0)
        #expect(throws: expected) {
            try UserDirectories.runtime(environment, userRoot: root.path)
        }
        try #require(unsafe chmod(usual, 0o700) == 0)
        let runtime = try UserDirectories.runtime(environment, userRoot: root.path)
        #expect(runtime.path == usual)
        #expect(runtime.warning?.contains("XDG_RUNTIME_DIR") == true)
    }

    @Test(arguments: ["run", "./run", "~/run"])
    func `B87: a relative path is refused`(value: String) {
        let expected = DirectoryError.relative(variable: "XDG_RUNTIME_DIR", value: value)
        #expect(throws: expected) {
            try UserDirectories.runtime(Environment(["XDG_RUNTIME_DIR": value]))
        }
        #expect(expected.description.contains("XDG_RUNTIME_DIR"))
    }

    enum Fault: CaseIterable { case missing, mode, owner, file }

    @Test(arguments: Fault.allCases)
    func `B87: a directory that is wrong is refused by name`(fault: Fault) throws {
        if fault == .owner, geteuid() != 0 { return }
        let directory = try TemporaryDirectory()
        let path = directory.file("run")
        let reason: SocketError
        switch fault {
        case .missing:
            reason = .system(SystemError(doing: "opening directory \(path)", errno: .notFound))
        case .mode:
            try #require(unsafe mkdir(path, 0o755) == 0)
            reason = .directoryOpenToOthers(path: path, mode: 0o755)
        case .owner:
            try #require(unsafe mkdir(path, 0o700) == 0 && chown(path, 65_534, 65_534) == 0)
            reason = .directoryOfAnotherUser(path: path, owner: 65_534, expected: 0)
        case .file:
            try Data().write(to: URL(fileURLWithPath: path))
            reason = .directoryNotADirectory(path: path)
        }
        let expected = DirectoryError.unusable(variable: "XDG_RUNTIME_DIR", reason: reason)
        #expect(throws: expected) {
            try UserDirectories.runtime(Environment(["XDG_RUNTIME_DIR": path]))
        }
        #expect(expected.description.contains("XDG_RUNTIME_DIR"))
        #expect(expected.description.contains(path))
    }

    @Test func `SCHEDD_SOCKET comes before the runtime directory`() throws {
        let environment = Environment(["SCHEDD_SOCKET": "/a/b", "XDG_RUNTIME_DIR": "wrong"])
        #expect(try UserDirectories.socket(environment) == .init(path: "/a/b", warning: nil))
    }

    @Test func `the state directory follows XDG_STATE_HOME, else HOME`() throws {
        let rows: [([String: String], String)] = [
            (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/schedd"),
            (["XDG_STATE_HOME": "", "HOME": "/h"], "/h/.local/state/schedd"),
            (["HOME": "/h"], "/h/.local/state/schedd"),
        ]
        for (values, expected) in rows {
            #expect(try UserDirectories.state(Environment(values)) == expected)
        }
        let home = try #require(
            unsafe getpwuid(geteuid()).map { unsafe String(cString: $0.pointee.pw_dir) })
        #expect(try UserDirectories.state(Environment([:])) == "\(home)/.local/state/schedd")
        for variable in ["XDG_STATE_HOME", "HOME"] {
            #expect(throws: DirectoryError.relative(variable: variable, value: "x")) {
                try UserDirectories.state(Environment([variable: "x"]))
            }
        }
    }

    @Test func `missing parents of a private directory are made private too`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a/b/c")
        #expect(try PrivateDirectory(creatingWithParents: path).path == path)
        for part in ["a", "a/b", "a/b/c"] {
            var status = stat()
            try #require(unsafe stat(directory.file(part), &status) == 0)
            #expect(status.st_mode & 0o7777 == 0o700)
        }
    }
}
