// The unit files themselves in a real user manager: activation, status, watchdog, journal, stop.

import Foundation
import Testing

@Suite(.serialized)
struct UserManagerTests {
    private func inManager(_ body: (UserManager) throws -> Void) throws {
        try TestBed.run { bed in
            let manager = try UserManager(bed)
            let result = Result { try body(manager) }
            try manager.end()
            try result.get()
        }
    }

    private static let enable = """
        systemctl --user daemon-reload && systemctl --user enable --now schedd.socket 2>&1
        """

    @Test func `systemd finds nothing wrong with the units`() throws {
        try inManager { manager in
            let verify = try manager.run(
                "cd ~/.config/systemd/user && systemd-analyze --user verify --man=no schedd.*")
            #expect(verify.status == 0, "\(verify.text)")
            #expect(verify.text.isEmpty, "\(verify.text)")
        }
    }

    @Test func `the first call starts schedd, and systemctl shows its status`() throws {
        try inManager { manager in
            let enable = try manager.run(Self.enable)
            #expect(enable.status == 0, "\(enable.text)")
            #expect(try manager.property("ActiveState") == "inactive")
            let modes = try manager.run("stat -c %a $XDG_RUNTIME_DIR/schedd{,/io.schedd}")
            #expect(modes.text.hasPrefix("700\n600"), "\(modes.text)")
            for name in ["Scheduler", "Manager"] {
                let link = try manager.run(
                    "readlink -f $XDG_RUNTIME_DIR/varlink/registry/io.schedd.\(name)")
                #expect(link.text.contains("/schedd/io.schedd"), "\(link.text)")
            }

            let add = try manager.run("~/.local/bin/schedctl add --id tea --in 1h --title Tea")
            #expect(add.status == 0, "\(add.text)")
            #expect(try manager.property("ActiveState") == "active")
            // The line follows at most once a second.
            let status = "1 pending in 1 app"
            let isShown = try Deadline.usual.waits {
                try manager.property("StatusText").contains(status)
            }
            #expect(isShown)
            let shown = try manager.run("systemctl --user --no-pager --full status schedd.service")
            #expect(shown.text.contains(status), "\(shown.text)")
        }
    }

    @Test func `after a stop the next call starts it again, with its queue`() throws {
        try inManager { manager in
            try manager.run(Self.enable)
            try manager.run("~/.local/bin/schedctl add --id tea --in 1h --title Tea")
            #expect(try manager.run("systemctl --user stop schedd.service").status == 0)
            #expect(try manager.property("ActiveState") == "inactive")
            #expect(try manager.property("Result") == "success")
            let list = try manager.run("~/.local/bin/schedctl --json list")
            #expect(list.status == 0, "\(list.text)")
            #expect(list.text.contains(#""tea""#), "\(list.text)")
            #expect(try manager.property("ActiveState") == "active")
            #expect(try manager.property("NRestarts") == "0")
            try manager.run("systemctl --user stop schedd.socket")
            let gone = try manager.run("ls $XDG_RUNTIME_DIR/schedd/io.schedd")
            #expect(gone.status != 0, "the socket goes with its unit")
        }
    }

    @Test func `B92: a process that hangs is killed by the watchdog and started again`() throws {
        try inManager { manager in
            try manager.override("[Service]\\nWatchdogSec=1s\\nRestartSec=100ms\\n")
            try manager.run(Self.enable)
            try manager.run("~/.local/bin/schedctl add --id tea --in 1h --title Tea")
            let first = try manager.property("MainPID")
            try manager.run("kill -STOP \(first)")
            #expect(try Deadline.usual.waits { try manager.property("NRestarts") == "1" })
            #expect(
                try Deadline.usual.waits { try manager.property("ActiveState") == "active" })
            #expect(try manager.property("MainPID") != first)
            let list = try manager.run("~/.local/bin/schedctl --json list")
            #expect(list.text.contains(#""tea""#), "\(list.text)")
            let journal = try manager.run("journalctl --user-unit=schedd.service -o cat --no-pager")
            #expect(journal.text.contains("atchdog"), "\(journal.text)")
        }
    }

    @Test func `the journal has what happened in fields of its own`() throws {
        try inManager { manager in
            try manager.run(Self.enable)
            try manager.run("~/.local/bin/schedctl add --id tea --in 1s --title Tea")
            let query =
                "journalctl --user-unit=schedd.service -o json --no-pager SCHEDD_EVENT=fired"
            let isThere = try Deadline.usual.waits {
                try manager.run(query).text.contains("SCHEDD_EVENT")
            }
            #expect(isThere)
            let line = try manager.run(query).text.split(separator: "\n").first ?? ""
            let entry = try JSON(parsing: String(line))
            #expect(entry["SCHEDD_APP"].string == "schedctl")
            #expect(entry["SCHEDD_REQUEST"].string == "tea")
            #expect(entry["SYSLOG_IDENTIFIER"].string == "schedd")
            #expect(entry["_SYSTEMD_USER_UNIT"].string == "schedd.service")
            #expect(entry["PRIORITY"].string == "6")
        }
    }

    @Test func `the hardening is in force`() throws {
        try inManager { manager in
            try manager.run(Self.enable)
            try manager.run("~/.local/bin/schedctl list")
            let identifier = try manager.property("MainPID")
            let status = try manager.run("cat /proc/\(identifier)/status").text
            #expect(status.contains("NoNewPrivs:\t1"), "\(status)")
            #expect(status.contains("Seccomp:\t2"), "\(status)")
            // The same mount and user namespace as its clients, or peers could not be identified.
            for space in ["mnt", "user", "pid"] {
                let links = try manager.run(
                    "readlink /proc/\(identifier)/ns/\(space) /proc/self/ns/\(space)")
                #expect(Set(links.text.split(separator: "\n")).count == 1, "\(links.text)")
            }
        }
    }
}
