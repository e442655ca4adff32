// at and systemd-run, for comparison: what they take to schedule a job, one process each.

import Foundation

/// What else schedules on this system; nothing that is made here stays.
enum OtherSchedulers {
    /// Nanoseconds that `at` takes for a job of an hour from now, taken out again; nil without it.
    static func at(_ count: Int) throws -> Double? {
        let queue = "z"
        let before = try jobs(queue)
        guard let before else { return nil }
        var total = 0.0
        for _ in 0..<count {
            let words = ["/usr/bin/at", "-q", queue, "now + 1 hour"]
            guard let run = try Command.run(words, input: "true\n") else { return nil }
            total += run.nanoseconds
        }
        for job in try jobs(queue) ?? [] where !before.contains(job) {
            _ = try Command.run(["/usr/bin/atrm", job])
        }
        return total / Double(count)
    }

    private static func jobs(_ queue: String) throws -> Set<String>? {
        let lines = try Command.run(["/usr/bin/atq", "-q", queue])?.output.split(separator: "\n")
        return lines.map { lines in
            Set(lines.compactMap { $0.split(separator: "\t").first.map(String.init) })
        }
    }

    /// Timer units of an hour from now, stopped again after `body`, which is given the nanoseconds
    /// that each took to make; nil without a user manager.
    static func withTimers<Result>(
        _ count: Int, _ body: (Double) throws -> Result?
    ) throws -> Result? {
        let name = "schedbench-\(getpid())"
        defer {
            _ = try? Command.run(["/usr/bin/systemctl", "--user", "stop", "\(name)-*.timer"])
        }
        var total = 0.0
        for number in 0..<count {
            let words = [
                "/usr/bin/systemd-run", "--user", "--quiet", "--on-active=1h",
                "--unit=\(name)-\(number)", "/bin/true",
            ]
            guard let run = try Command.run(words) else { return nil }
            total += run.nanoseconds
        }
        return try body(total / Double(count))
    }
}
