// Between the scheduler's deliveries and the notification server.

import Platform
import Scheduling
import SchedulerInterface

extension Daemon {
    func connectPresentation() {
        let bus = NotificationBus(
            loop: loop, bootClock: Clock.bootMicroseconds
        ) { [weak self] report in
            // Called on the daemon's queue, also in the middle of a turn: it gets one of its own.
            guard let self else { return }
            loop.afterTurn { self.assumeIsolated { $0.handle(report) } }
        }
        self.bus = bus
        bus.start()
    }

    func handle(_ report: PresenterReport) {
        switch report {
        case .presented(let number):
            presentationMessage = nil
            turn(.presented(delivery: number))
        case .putOff(let number):
            turn(.putOff(delivery: number))
        case .closed(let number, .dismissed):
            turn(.dismissed(delivery: number))
        case .closed(_, .expired), .closed(_, .closedByCall), .closed(_, .undefined):
            // It left the screen and stays in the delivered list, as the user did not dismiss it.
            break
        case .invoked:
            // No actions are offered yet, so a server that reports one has made it up.
            break
        case .failing(let reason):
            if presentationMessage != reason { journal.log(.warning, "presenting: \(reason)") }
            presentationMessage = reason
        }
    }
}

extension Presentation {
    /// A delivery as it is to be shown; the app's id is its desktop file's.
    init(_ delivery: Delivery, replacing older: Int64?) {
        self.init(
            deliveryID: delivery.number, replaces: older, app: delivery.app,
            desktopEntry: delivery.app, content: Wire.Content(delivery.content), actions: [])
    }
}
