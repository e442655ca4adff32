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
    /// When a status line that changed too soon is due; nil = none waits.
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

    /// The status line to send now, if it has changed.
    mutating func status(_ text: String, at now: Int64) -> String? {
        nextStatus = nil
        guard text != lastStatus else { return nil }
        if let last = lastStatusAt, now - last < Self.statusInterval {
            nextStatus = last + Self.statusInterval
            return nil
        }
        lastStatus = text
        lastStatusAt = now
        return text
    }
}
