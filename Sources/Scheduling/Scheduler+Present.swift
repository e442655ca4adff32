// From fired to presented. Late deliveries are paced per app, so that a machine that wakes up after
// a week does not bury its user; none is lost by it.

import CivilTime
import TimingWheel

/// Which late deliveries wait for their turn, per app, in order of due time.
struct Pacing: Sendable {
    /// What one app was shown in the last second, and who waits.
    private struct Line: Sendable {
        /// Instants of the boot-time clock, oldest first; never more than may be shown in a second.
        var shown: [Int64] = []
        var waiting: [Int64] = []

        mutating func hasRoom(at boot: Int64) -> Bool {
            shown.removeAll { boot - $0 >= Pacing.length }
            return shown.count < Limits.lateDeliveriesPerSecond
        }

        /// When there is room for the first that waits; nil = nobody waits.
        var release: Int64? {
            if waiting.isEmpty { return nil }
            return shown.count < Limits.lateDeliveriesPerSecond ? 0 : shown[0] + Pacing.length
        }
    }

    private var lines: [String: Line] = [:]
    /// Whose turn came while they were removed or replaced: a failed commit may bring them back.
    private var absent: Set<Int64> = []
    /// More are not remembered; a next start presents them.
    private static let absentLimit = 1_024

    /// Takes a place in the present second of `app`; false = the delivery has to wait.
    mutating func take(app: String, number: Int64, boot: Int64) -> Bool {
        let isFirst = lines[app, default: Line()].waiting.isEmpty
        let goes = isFirst && lines[app, default: Line()].hasRoom(at: boot)
        if goes {
            lines[app]?.shown.append(boot)
        } else {
            lines[app]?.waiting.append(number)
        }
        return goes
    }

    /// Takes the next delivery out of the line of `app`, if there is room for it; `noteShown` is
    /// due once it is presented.
    mutating func next(of app: String, boot: Int64) -> Int64? {
        guard lines[app]?.waiting.isEmpty == false, lines[app]?.hasRoom(at: boot) == true else {
            return nil
        }
        return lines[app]?.waiting.removeFirst()
    }

    mutating func noteShown(of app: String, boot: Int64) {
        lines[app]?.shown.append(boot)
    }

    /// Apps with somebody in line, by name.
    var appsInLine: [String] { lines.filter { !$0.value.waiting.isEmpty }.keys.sorted() }

    /// When the next of all who wait has room; nil = nobody waits.
    var nextRelease: Int64? { lines.values.compactMap(\.release).min() }

    mutating func noteAbsent(_ number: Int64) {
        if absent.count < Pacing.absentLimit { absent.insert(number) }
    }

    /// Lines a delivery that is back up again, if its turn has passed; false = it has not.
    mutating func takeBack(_ delivery: Delivery) -> Bool {
        guard absent.remove(delivery.number) != nil else { return false }
        lines[delivery.app, default: Line()].waiting.append(delivery.number)
        return true
    }

    /// The second, in microseconds.
    private static let length: Int64 = 1_000_000
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
        let boot = now.boot.microseconds
        for app in pacing.appsInLine {
            while let number = pacing.next(of: app, boot: boot) {
                guard let delivery = waitingDelivery(number) else {
                    // Removed, replaced or given up meanwhile: nothing to show.
                    pacing.noteAbsent(number)
                    continue
                }
                pacing.noteShown(of: app, boot: boot)
                effects.append(.present(delivery, replacing: nil))
            }
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
