// schedd in a namespace of its own: a disk that nobody else sees, or a machine that has been up for
// another time. Both take root.

import Glibc
import Platform
import Testing

extension TestBed {
    /// Starts schedd as the last words of another program's command line, such as unshare(1).
    func daemon(
        through words: [String], environment changes: [String: String?] = [:]
    ) throws -> Daemon {
        try #require(geteuid() == 0, "namespaces without a user of their own take root")
        let suffix = try SystemRandom.bytes(count: 4).map { String($0, radix: 16) }.joined()
        let notify = try NotifySocket("\(root)/notify-\(suffix)")
        let child = try start(
            words[0], words.dropFirst() + [Products.path(of: "schedd")],
            environment: changes.merging(["NOTIFY_SOCKET": notify.address]) { $1 })
        do {
            try notify.wait(for: "READY=1")
        } catch {
            throw TestError.failed("schedd did not get ready: \(child.errors)")
        }
        return Daemon(process: child, notify: notify)
    }
}

/// A mount namespace that outlives the programs in it: a process that waits for its own end.
struct MountNamespace {
    private let holder: ChildProcess

    /// Runs a shell script in a new namespace, and keeps that.
    init(in bed: TestBed, preparing script: String) throws {
        try #require(geteuid() == 0, "mounting takes root")
        holder = try bed.start(
            "/usr/bin/unshare",
            ["--mount", "--", "/bin/sh", "-c", "set -e\n\(script)\necho prepared\nexec cat"])
        guard try holder.nextLine() == "prepared" else {
            throw TestError.failed("no namespace: \(holder.errors)")
        }
    }

    /// The beginning of a command line in the namespace.
    var entry: [String] {
        ["/usr/bin/nsenter", "--mount=/proc/\(holder.identifier)/ns/mnt", "--"]
    }

    /// A path in the namespace as it is seen from outside.
    func path(_ path: String) -> String { "/proc/\(holder.identifier)/root\(path)" }
}
