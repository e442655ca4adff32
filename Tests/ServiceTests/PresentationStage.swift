// Drives a Presenter by hand: events in, actions out, the clock turned by the test.

import Service

struct Stage {
    var presenter = Presenter()
    /// Far from zero, so that nothing works only because the clock has just started.
    var now: Int64 = 1_000_000_000
    private(set) var armed: Int64?

    /// What the presenter wants done, without the timer, which `armed` shows.
    mutating func send(_ event: PresenterEvent) -> [PresenterAction] {
        presenter.handle(event, at: now).filter { action in
            guard case .armTimer(let instant) = action else { return true }
            armed = instant
            return false
        }
    }

    /// Turns the clock to the armed instant and fires the timer; nothing while none is armed.
    mutating func fireTimer() -> [PresenterAction] {
        guard let instant = armed else { return [] }
        now = max(now, instant)
        armed = nil
        return send(.timerFired)
    }

    /// Turns the clock on by that much and fires the timer if its instant has come.
    mutating func pass(_ usec: Int64) -> [PresenterAction] {
        let end = now + usec
        var actions: [PresenterAction] = []
        while let instant = armed, instant <= end {
            actions += fireTimer()
        }
        now = end
        return actions
    }

    /// A stage with a bus and a server named `:1.5`.
    static func withServer(_ capabilities: Set<String> = ["body", "body-markup", "actions"]) -> Self
    {
        var stage = Stage()
        _ = stage.send(.started)
        _ = stage.send(.busConnected)
        _ = stage.send(.serverAppeared(name: ":1.5"))
        _ = stage.send(.capabilitiesReceived(server: ":1.5", capabilities))
        return stage
    }

    /// As `withServer`, with deliveries that the server has taken under numbers of its own.
    static func showing(_ shown: [(deliveryID: Int64, serverID: UInt32)]) -> Self {
        var stage = Stage.withServer()
        for entry in shown {
            let call = stage.send(.present(delivery(entry.deliveryID))).notifyCalls.first
            _ = stage.send(.notifyReturned(call: call?.token ?? 0, serverID: entry.serverID))
        }
        return stage
    }
}

func delivery(_ deliveryID: Int64, replaces: Int64? = nil, title: String? = nil) -> Presentation {
    Presentation(
        deliveryID: deliveryID, replaces: replaces, app: "app", title: title ?? "T\(deliveryID)")
}

extension [PresenterAction] {
    var notifyCalls: [(token: UInt64, call: NotificationCall)] {
        compactMap { action in
            guard case .notify(let token, _, let call) = action else { return nil }
            return (token, call)
        }
    }

    var titles: [String] { notifyCalls.map(\.call.summary) }

    var reports: [PresenterReport] {
        compactMap { action in
            guard case .report(let report) = action else { return nil }
            return report
        }
    }

    var closed: [UInt32] {
        compactMap { action in
            guard case .closeNotification(_, let serverID) = action else { return nil }
            return serverID
        }
    }
}
