// From fired to presented. Late deliveries are paced per app, so that a machine that wakes up after
// a week does not bury its user; none is lost by it.

import CivilTime
import TimingWheel

/// Which late deliveries wait for their turn, per app, in order of due time.
struct Pacing: Sendable {
    /// One app's second: when it began, how many it has used, who waits.
    struct Window: Sendable {
        var start: Int64
        var used = 0
        var waiting: [Int64] = []
    }

    var windows: [String: Window] = [:]
    /// Whose turn came while they were removed or replaced: a failed commit may bring them back.
    private var absent: Set<Int64> = []
    /// More are not remembered; a next start presents them.
    private static let absentLimit = 1_024

    /// Takes a place in the present second of `app`; false = the delivery has to wait.
    mutating func take(app: String, number: Int64, boot: Int64) -> Bool {
        var window = windows[app] ?? Window(start: boot)
        defer { windows[app] = window }
        if boot - window.start >= Pacing.length, window.waiting.isEmpty {
            window = Window(start: boot)
        }
        guard window.used < Limits.lateDeliveriesPerSecond, window.waiting.isEmpty else {
            window.waiting.append(number)
            return false
        }
        window.used += 1
        return true
    }

    /// Opens the next second of every app whose last one is over, and says who goes now.
    mutating func release(boot: Int64) -> [Int64] {
        var released: [Int64] = []
        for (app, window) in windows.sorted(by: { $0.key < $1.key })
        where boot - window.start >= Pacing.length {
            let going = window.waiting.prefix(Limits.lateDeliveriesPerSecond)
            released += going
            var next = Window(start: boot, used: going.count)
            next.waiting = Array(window.waiting.dropFirst(going.count))
            windows[app] = next.used == 0 ? nil : next
        }
        return released
    }

    /// When `release` has something to do next; nil = nobody waits.
    var nextRelease: Int64? {
        windows.values.filter { !$0.waiting.isEmpty }.map { $0.start + Pacing.length }.min()
    }

    mutating func noteAbsent(_ number: Int64) {
        if absent.count < Pacing.absentLimit { absent.insert(number) }
    }

    /// Lines a delivery that is back up again, if its turn has passed; false = it has not.
    mutating func takeBack(_ delivery: Delivery) -> Bool {
        guard absent.remove(delivery.number) != nil else { return false }
        windows[delivery.app, default: Window(start: -Pacing.length)].waiting
            .append(delivery.number)
        return true
    }

    /// Microseconds of a window.
    static let length: Int64 = 1_000_000
}

extension Scheduler {
    /// Has a recorded delivery presented now, or in its turn if it is late.
    mutating func present(
        _ delivery: Delivery, replacing older: Int64?, at now: Moment, _ effects: inout [Effect]
    ) {
        let boot = now.boot.microseconds
        guard delivery.late else {
            effects.append(.present(delivery, replacing: older))
            return
        }
        let before = pacing.nextRelease ?? .max
        if pacing.take(app: delivery.app, number: delivery.number, boot: boot) {
            effects.append(.present(delivery, replacing: older))
        } else if let release = pacing.nextRelease, release < before {
            _ = wheel.add(deadline: release, payload: TimerPayload.pacing.bits)
        }
    }

    /// Presents what was recorded before a restart and never taken by a server, in order of due
    /// time.
    mutating func presentWaiting(at now: Moment, _ effects: inout [Effect]) {
        let waiting = apps.values.flatMap { $0.delivered.values.map(\.delivery) }
            .filter { $0.presented == nil }
            .sorted { ($0.due, $0.number) < ($1.due, $1.number) }
        for var delivery in waiting {
            // Only for the pacing; the record stays as it is.
            delivery.late =
                delivery.late
                || now.wall.microseconds - delivery.due.microseconds
                    > Limits.promptMicroseconds
            present(delivery, replacing: nil, at: now, &effects)
        }
    }

    mutating func releasePaced(at now: Moment, _ effects: inout [Effect]) {
        for number in pacing.release(boot: now.boot.microseconds) {
            guard let delivery = waitingDelivery(number) else {
                // Removed, replaced or given up meanwhile: nothing to show.
                pacing.noteAbsent(number)
                continue
            }
            effects.append(.present(delivery, replacing: nil))
        }
        if let release = pacing.nextRelease {
            _ = wheel.add(deadline: release, payload: TimerPayload.pacing.bits)
        }
    }

    private func waitingDelivery(_ number: Int64) -> Delivery? {
        guard let delivery = delivery(number), delivery.presented == nil else { return nil }
        return delivery
    }

    /// The delivery with this number, if it is still on record.
    package func delivery(_ number: Int64) -> Delivery? {
        guard let key = keysByDelivery[number] else { return nil }
        return apps[key.app]?.delivered[key.identifier]?.delivery
    }

    mutating func notePresented(_ number: Int64, at now: Moment, _ effects: inout [Effect]) {
        // Removed or replaced while the server answered: the withdrawal is under way.
        guard let delivery = waitingDelivery(number) else { return }
        var presented = delivery
        presented.presented = now.wall
        apply(.delivery(before: delivery, after: presented), &effects)
        publish(.presented(presented), presented.key, at: now, &effects)
    }

    mutating func noteDismissed(_ number: Int64, at now: Moment, _ effects: inout [Effect]) {
        // Removed by a call in the same moment: that removal has said it.
        guard let delivery = delivery(number) else { return }
        remove(delivery, reason: .dismissed, at: now, &effects)
    }
}
