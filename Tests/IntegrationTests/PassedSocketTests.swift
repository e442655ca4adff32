// Descriptors that a manager passes (sd_listen_fds(3)): exactly one listening UNIX stream socket is
// served, anything else is a mistake in a unit, and refused with a message.

import Foundation
import Glibc
import Testing

struct PassedSocketTests {
    /// Becomes schedd with descriptor 3 as the kind says and LISTEN_ variables as given; `self`
    /// stands for the process's own number.
    private static let launcher = """
        import os, socket, sys
        kind, path, pid, count, program = sys.argv[1:6]
        if kind == "stream":
            s = socket.socket(socket.AF_UNIX)
            s.bind(path)
            s.listen()
        elif kind == "datagram":
            s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            s.bind(path)
        elif kind == "connected":
            s, other = socket.socketpair()
            os.set_inheritable(other.fileno(), True)
        elif kind == "pipe":
            s = os.fdopen(os.pipe()[0])
        number = 3
        if s.fileno() != 3:
            os.dup2(s.fileno(), 3)
        if count == "2":
            os.dup2(3, 4)
        os.set_inheritable(3, True)
        os.environ["LISTEN_PID"] = str(os.getpid()) if pid == "self" else pid
        os.environ["LISTEN_FDS"] = count
        os.environ["LISTEN_FDNAMES"] = "varlink"
        os.execv(program, [program])
        """

    private func launch(
        _ bed: TestBed, _ kind: String, pid: String = "self", count: String = "1",
        notify: NotifySocket
    ) throws -> ChildProcess {
        try bed.start(
            "/usr/bin/python3",
            [
                "-c", Self.launcher, kind, bed.root + "/passed", pid, count,
                Products.path(of: "schedd"),
            ], environment: ["NOTIFY_SOCKET": notify.address])
    }

    @Test func `B90: a passed listening socket is served, and closed on exec`() throws {
        try TestBed.run { bed in
            let notify = try NotifySocket(bed.root + "/n")
            let child = try launch(bed, "stream", notify: notify)
            try notify.wait(for: "READY=1")
            #expect(try RawConnection(bed.root + "/passed").pending() == [])
            #expect(!FileManager.default.fileExists(atPath: bed.socketPath))
            #expect(try flagsOfPassedSocket(of: child.identifier) & 0o2000000 != 0)
            child.signal(SIGTERM)
            #expect(child.waitForExit() == 0)
            // It belongs to the manager, who goes on listening.
            #expect(FileManager.default.fileExists(atPath: bed.root + "/passed"))
        }
    }

    @Test(arguments: [("1", "1"), ("self", "0")])
    func `B90: a socket for another process, or none, is no matter: it binds its own`(
        _ pid: String, _ count: String
    ) throws {
        try TestBed.run { bed in
            let notify = try NotifySocket(bed.root + "/n")
            _ = try launch(bed, "stream", pid: pid, count: count, notify: notify)
            try notify.wait(for: "READY=1")
            #expect(try bed.connect().pending() == [])
        }
    }

    @Test(arguments: [
        ("stream", "2"), ("stream", "x"), ("pipe", "1"), ("datagram", "1"), ("connected", "1"),
    ])
    func `B90: any other descriptor is refused with a message`(
        _ kind: String, _ count: String
    ) throws {
        try TestBed.run { bed in
            let notify = try NotifySocket(bed.root + "/n")
            let child = try launch(bed, kind, count: count, notify: notify)
            let output = try child.finish()
            #expect(output.status > 0 && output.status < 128, "\(output)")
            #expect(output.errors.contains("socket") || output.errors.contains("LISTEN_FDS"))
            #expect(try notify.next(.after(seconds: 0))?.contains("READY=1") != true)
        }
    }

    /// The open flags of the passed socket, from /proc: it stays where it was passed.
    private func flagsOfPassedSocket(of process: Int32) throws -> Int {
        let target = try FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/\(process)/fd/3")
        #expect(target.hasPrefix("socket:["))
        let text = try String(contentsOfFile: "/proc/\(process)/fdinfo/3", encoding: .utf8)
        let flags = text.split(separator: "\n").first { $0.hasPrefix("flags:") }
        let value = flags?.split(whereSeparator: \.isWhitespace).last ?? ""
        return try #require(Int(value, radix: 8))
    }
}
