// The code under test on a queue, as the daemon has it, with its reports written down.

import Dispatch
import Platform
import Service
import TestSupport

/// A NotificationBus, its queue and its reports.
final class Desk: Sendable {
    let reports = EventLog<PresenterReport>()
    private let queue = DispatchQueue(label: "desk")
    private let bus: NotificationBus

    init(address: String?, timing: PresenterTiming = PresenterTiming()) throws {
        let reports = reports
        bus = try NotificationBus(
            loop: EventLoop(queue: queue), address: address, timing: timing,
            report: { reports.append($0) })
        queue.sync { bus.start() }
    }

    deinit {
        queue.sync { bus.stop() }
    }

    func present(_ presentation: Presentation) {
        queue.sync { bus.present(presentation) }
    }

    func withdraw(_ deliveryID: Int64) {
        queue.sync { bus.withdraw(deliveryID: deliveryID) }
    }

    var summary: PresenterSummary { queue.sync { bus.summary } }

    /// Waits for the report, past or future.
    func expect(_ report: PresenterReport, within seconds: Int = 20) async throws {
        try await reports.first(within: seconds) { $0 == report }
    }
}
