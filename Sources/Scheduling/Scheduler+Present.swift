// From fired to presented. Late deliveries are paced per app, so that a machine that wakes up after
// a week does not bury its user; none is lost by it.

import CivilTime
import TimingWheel

/// Which late deliveries wait for their turn, per app, in order of due time.
///
/// A place is taken from when a delivery is handed over until a second after the notification
/// server took it: so the pace is that of the screen, also when the server comes late.
struct Pacing: Sendable {
    /// What one app was shown in the last second, what is on its way, and who waits.
    private struct Line: Sendable {
        /// Instants of the boot-time clock, oldest first.
        var shown: [Int64] = []
        /// Handed over, and not taken by a server yet.
        var underWay: [Int64] = []
        var waiting: [Int64] = []

        mutating func hasRoom(at boot: Int64) -> Bool {
            shown.removeAll { boot - $0 >= Pacing.length }
            return shown.count + underWay.count < Limits.lateDeliveriesPerSecond
        }

        /// When there is room for the first that waits; nil = nobody waits, or the server has to
        /// take something first.
        var release: Int64? {
            if waiting.isEmpty { return nil }
            let taken = shown.count + underWay.count
            if taken < Limits.lateDeliveriesPerSecond { return 0 }
            return shown.first.map { $0 + Pacing.length }
        }
    }

    private var lines: [String: Line] = [:]
    /// Whose turn came while they were removed or replaced: a failed commit may bring them back.
    private var absent: Set<Int64> = []
    /// The same of those that were under way.
    private var absentUnderWay: Set<Int64> = []
    /// Older ones beyond so many are forgotten: their removal is on disk by then.
    private static let absentLimit = Limits.waitingPerApp
    /// The instant for which a timer is in the wheel.
    private var armedRelease: Int64?
    private var lastDropped: Int64 = 0

    /// Takes a place of `app`; false = the delivery has to wait.
    mutating func reserve(app: String, number: Int64, boot: Int64) -> Bool {
        dropIdleLines(at: boot)
        let isFirst = lines[app, default: Line()].waiting.isEmpty
        let goes = isFirst && lines[app, default: Line()].hasRoom(at: boot)
        if goes {
            lines[app]?.underWay.append(number)
        } else {
            lines[app]?.waiting.append(number)
        }
        return goes
    }

    /// Takes the next delivery out of the line of `app`, if there is room for it; `noteHandedOver`
    /// is due if it is handed over.
    mutating func next(of app: String, boot: Int64) -> Int64? {
        guard lines[app]?.waiting.isEmpty == false, lines[app]?.hasRoom(at: boot) == true else {
            return nil
        }
        return lines[app]?.waiting.removeFirst()
    }

    mutating func noteHandedOver(_ number: Int64, of app: String) {
        lines[app]?.underWay.append(number)
    }

    /// Those that no server has taken yet, as far as is known.
    var underWay: [(app: String, number: Int64)] {
        lines.flatMap { app, line in line.underWay.map { (app, $0) } }
    }

    /// One that was under way is shown, or is not to be shown any more: its place is free in a
    /// second, as it may have been on the screen.
    mutating func noteSettled(_ number: Int64, of app: String, isAbsent: Bool, boot: Int64) {
        lines[app]?.underWay.removeAll { $0 == number }
        lines[app]?.shown.append(boot)
        if isAbsent { Self.remember(number, in: &absentUnderWay) }
    }

    /// As `noteSettled` for one that a server does not take for now, if it has a place.
    mutating func notePutOff(_ number: Int64, boot: Int64) {
        for (app, line) in lines where line.underWay.contains(number) {
            noteSettled(number, of: app, isAbsent: false, boot: boot)
        }
    }

    /// Apps with somebody in line, by name.
    var appsInLine: [String] { lines.filter { !$0.value.waiting.isEmpty }.keys.sorted() }

    /// The instant to put into the wheel: when the next of all who wait has room, unless the wheel
    /// has it already.
    mutating func arm() -> Int64? {
        let release = lines.values.compactMap(\.release).min()
        guard let release, release < armedRelease ?? .max else { return nil }
        armedRelease = release
        return release
    }

    /// The timer has gone off.
    mutating func noteTimer() {
        armedRelease = nil
    }

    /// Forgets the apps whose last late delivery was long ago; at most once a second, since it
    /// looks at all of them.
    private mutating func dropIdleLines(at boot: Int64) {
        guard boot - lastDropped >= Pacing.length else { return }
        lastDropped = boot
        lines = lines.filter { _, line in
            !line.waiting.isEmpty || !line.underWay.isEmpty
                || line.shown.contains { boot - $0 < Pacing.length }
        }
    }

    mutating func noteAbsent(_ number: Int64) {
        Self.remember(number, in: &absent)
    }

    /// The oldest half goes now and then, so that a number costs the same at any length.
    private static func remember(_ number: Int64, in numbers: inout Set<Int64>) {
        numbers.insert(number)
        if numbers.count > 2 * absentLimit { numbers = Set(numbers.sorted().suffix(absentLimit)) }
    }

    /// Lines a delivery that is back up again, if its turn has passed.
    mutating func requeue(_ delivery: Delivery) {
        if absentUnderWay.remove(delivery.number) != nil {
            lines[delivery.app, default: Line()].underWay.append(delivery.number)
        }
        guard absent.remove(delivery.number) != nil else { return }
        lines[delivery.app, default: Line()].waiting.append(delivery.number)
    }

    /// The second, in microseconds.
    private static let length: Int64 = 1_000_000
}

extension Scheduler {
    /// Has a recorded delivery presented now, or in its turn if it is late.
    mutating func present(
        _ delivery: Delivery, replacing older: Int64?, at now: Moment, _ effects: inout [Effect]
    ) {
        let mayGo =
            !delivery.late
            || pacing.reserve(
                app: delivery.app, number: delivery.number, boot: now.boot.microseconds)
        if mayGo {
            effects.append(.present(delivery, replacing: older))
        } else if let older {
            // What it takes the place of must not outlast it.
            effects.append(.withdraw(delivery: older))
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
                pacing.noteHandedOver(number, of: app)
                effects.append(.present(delivery, replacing: nil))
            }
        }
    }

    /// Frees the places of what is under way no more, and sees to those who wait for one.
    mutating func releaseSettledPlaces(at now: Moment) {
        for (app, number) in pacing.underWay where waitingDelivery(number) == nil {
            pacing.noteSettled(
                number, of: app, isAbsent: delivery(number) == nil, boot: now.boot.microseconds)
        }
        armPacing()
    }

    /// Puts the next release into the wheel.
    mutating func armPacing() {
        guard let release = pacing.arm() else { return }
        _ = wheel.add(deadline: release, payload: TimerPayload.pacing.bits)
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
        trimDelivered(of: delivery.app, at: now, &effects)
    }

    mutating func noteDismissed(_ number: Int64, at now: Moment, _ effects: inout [Effect]) {
        // Removed by a call in the same moment: that removal has said it.
        guard let delivery = delivery(number) else { return }
        remove(delivery, reason: .dismissed, at: now, &effects)
    }
}
