// When the service manager hears from us: watchdog pings from the loop, at half of the interval it
// wants, and a status line when it has changed, at most once a second.

/// The schedule of pings and status lines, in microseconds of the boot-time clock.
struct Heartbeat {
    private static let statusInterval: Int64 = 1_000_000

    private let interval: Int64?
    /// When the next ping is due; nil = nobody wants one.
    private(set) var nextBeat: Int64?
    private var lastStatus = ""
    private var lastStatusAt: Int64?
    /// When to look for a change that came too soon after the last look; nil = nothing happened.
    private(set) var nextStatus: Int64?

    init(watchdogMicroseconds: Int64?) {
        interval = watchdogMicroseconds.map { $0 / 2 }
        // The first turn sends the first ping.
        nextBeat = interval == nil ? nil : 0
    }

    /// Whether to ping now.
    mutating func beats(at now: Int64) -> Bool {
        guard let interval, let nextBeat, now >= nextBeat else { return false }
        self.nextBeat = now + interval
        return true
    }

    /// The status line to send now, if it has changed. It is made at most once a second: it takes a
    /// look at all requests.
    mutating func status(_ text: () -> String, at now: Int64) -> String? {
        if let last = lastStatusAt, now - last < Self.statusInterval {
            nextStatus = last + Self.statusInterval
            return nil
        }
        nextStatus = nil
        lastStatusAt = now
        let text = text()
        guard text != lastStatus else { return nil }
        lastStatus = text
        return text
    }
}
