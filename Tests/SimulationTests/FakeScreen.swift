// The presenter, the bus and the notification server in one: a line of deliveries, one of which is
// with the server at a time, which shows it at once and says so later, or never.

import Scheduling

/// What waits to be shown and what is on the screen.
struct FakeScreen {
    private(set) var mood = ServerMood.answers(after: 1_000)
    private var line: [Delivery] = []
    /// With the server: shown, and to be answered at that instant of the boot-time clock.
    private(set) var current: (delivery: Delivery, answerAt: Int64?)?
    private(set) var onScreen: [Int64] = []

    var isIdle: Bool { line.isEmpty && current == nil }

    mutating func present(_ delivery: Delivery, replacing older: Int64?) {
        line.removeAll { $0.number == older || $0.number == delivery.number }
        line.append(delivery)
    }

    mutating func withdraw(_ number: Int64) {
        line.removeAll { $0.number == number }
        onScreen.removeAll { $0 == number }
    }

    /// Takes the next one to the server; what it returns is on the screen now.
    mutating func proceed(at boot: Int64) -> Delivery? {
        guard current == nil, mood != .gone, !line.isEmpty else { return nil }
        let delivery = line.removeFirst()
        var answerAt: Int64?
        if case .answers(let delay) = mood { answerAt = boot + delay }
        current = (delivery, answerAt)
        onScreen.append(delivery.number)
        return delivery
    }

    /// The server says that it has shown the current one.
    mutating func answer() -> Int64? {
        defer { current = nil }
        return current?.delivery.number
    }

    /// Changes the server's ways. Returns what a server that went had shown and not confirmed: it
    /// will be shown again.
    mutating func turn(_ mood: ServerMood, at boot: Int64) -> Delivery? {
        self.mood = mood
        switch mood {
        case .gone:
            defer { current = nil }
            onScreen = []
            guard let lost = current?.delivery else { return nil }
            line.insert(lost, at: 0)
            return lost
        case .answers(let delay):
            if let current, current.answerAt == nil { self.current?.answerAt = boot + delay }
        case .silent:
            current?.answerAt = nil
        }
        return nil
    }

    mutating func close(_ index: Int) -> Int64? {
        guard !onScreen.isEmpty else { return nil }
        return onScreen.remove(at: index % onScreen.count)
    }

    /// The daemon is gone, and with it all that it knew of the screen.
    mutating func forget() {
        line = []
        current = nil
        onScreen = []
    }
}
