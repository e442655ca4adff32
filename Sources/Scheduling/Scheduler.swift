// The heart of schedd: one value that knows every request, delivery and deadline, and one function
// that says what an event does to them. No clock, no I/O, no randomness: the same events at the
// same moments give the same effects, which is what the simulation rests on.
//
// All state changes go through `apply`, as a `Change` that carries what it replaced; `undo` takes
// one back when its commit failed. Timers are not state of their own: they follow the changes.

package import CivilTime
import TimingWheel

/// The pending queues, the delivered lists and the wheel.
package struct Scheduler: Sendable {
    /// A pending request as the tables hold it, never changed in place. A reference, so that a
    /// table, half of it empty, takes little, and copying an entry costs one count and not one for
    /// each text.
    final class Kept: Sendable {
        let pending: PendingRequest

        init(_ pending: PendingRequest) { self.pending = pending }
    }

    /// A pending request and its timer.
    struct Slot: Sendable {
        let kept: Kept
        var timer: Wheel.TimerID

        var pending: PendingRequest { kept.pending }
    }

    /// A recorded delivery and the timer of its lateness limit while it waits to be presented.
    struct Record: Sendable {
        var delivery: Delivery
        var timer: Wheel.TimerID?
    }

    /// What one app owns, by identifier.
    struct App: Sendable {
        var pending: [String: Slot] = [:]
        var delivered: [String: Record] = [:]
        /// How many of the delivered ones no server has taken yet.
        var waitingCount = 0
        var missed: [Missed] = []
    }

    var apps: [String: App] = [:]
    /// Finds the request of a timer, by its sequence.
    var keptBySequence: [Int64: Kept] = [:]
    /// Finds the delivery of a timer or of a server's answer, by its number.
    var keysByDelivery: [Int64: RequestKey] = [:]
    var wheel: Wheel
    var pacing = Pacing()
    var localZone: Zone
    var zones: [String: Zone]
    var clock: ClockRecord
    var lastSequence: Int64
    var lastDelivery: Int64
    var lastMissed: Int64

    /// Takes up what the store kept, at `now` in the boot `bootID`, and says what must be stored
    /// anew.
    ///
    /// Nothing fires here: the daemon sends `.started` when it is ready. Intervals of an earlier
    /// boot are carried over by the wall clock; calendar occurrences still to come are computed
    /// afresh, since zones may have changed meanwhile. Those in a zone that cannot be read now stay
    /// as they are: one that `zones` lacks, or the machine's if `localZone` only stands in for it.
    package static func restore(
        _ stored: StoredState, at now: Moment, bootID: String, localZone: Zone,
        isStandIn: Bool = false, zones: [String: Zone]
    ) -> (Scheduler, [Effect]) {
        var scheduler = Scheduler(
            stored, at: now, bootID: bootID, localZone: localZone, zones: zones)
        let effects = scheduler.restore(stored, localIsKnown: !isStandIn, at: now)
        return (scheduler, effects)
    }

    private init(
        _ stored: StoredState, at now: Moment, bootID: String, localZone: Zone,
        zones: [String: Zone]
    ) {
        wheel = Wheel(startingAt: now.boot.microseconds)
        self.localZone = localZone
        self.zones = zones
        clock = ClockRecord(bootID: bootID, offset: now.offset)
        lastSequence = stored.lastSequence
        lastDelivery = stored.lastDelivery
        lastMissed = stored.lastMissed
    }

    /// What `event` does at `now`. Effects are in order; every change precedes what depends on it.
    package mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .started:
            presentWaiting(at: now, &effects)
            expire(at: now, &effects)
        case .submitted(let batch, let call):
            submit(batch, call: call, at: now, &effects)
        case .removalAsked(let selection, let call):
            removePending(selection, call: call, at: now, &effects)
        case .dismissalAsked(let selection, let call):
            removeDelivered(selection, call: call, at: now, &effects)
        case .importAsked(let batches, let isDryRun, let call):
            importBatches(batches, isDryRun: isDryRun, call: call, at: now, &effects)
        case .deadlineReached:
            expire(at: now, &effects)
        case .clockChanged:
            noteClock(at: now, &effects)
            expire(at: now, &effects)
        case .zonesChanged(let local, let named):
            expire(at: now, &effects)
            noteZones(local: local, named: named, at: now, &effects)
        case .presented(let number):
            notePresented(number, at: now, &effects)
        case .putOff(let number):
            pacing.notePutOff(number, boot: now.boot.microseconds)
        case .dismissed(let number):
            noteDismissed(number, at: now, &effects)
        }
        releaseSettledPlaces(at: now)
        return effects
    }

    /// When `handle(.deadlineReached)` is due next; nil = nothing is.
    package var nextDeadline: BootInstant? {
        wheel.nextDeadline().map(BootInstant.init(microseconds:))
    }

    /// Whether a zone of this name is at hand, so that a batch need not bring it.
    package func knows(zone name: String) -> Bool {
        zones[name] != nil
    }

    /// Makes a change and puts it among the effects.
    mutating func apply(_ change: Change, _ effects: inout [Effect]) {
        perform(change)
        effects.append(.change(change))
    }

    /// Takes back a change whose commit failed; the caller goes from the newest to the oldest.
    package mutating func undo(_ change: Change) {
        perform(change.reversed)
    }

    /// Makes a change again after everything that is not stored was taken back: something that
    /// happened and cannot be refused. Returns it as it is now, nil if its request never came to
    /// be.
    mutating func redo(_ change: Change) -> Change? {
        switch change {
        case .pending(let before, _):
            // A request whose call was refused in the meantime has no next occurrence to move to.
            guard let before, let slot = slot(at: before.key),
                slot.pending.sequence == before.sequence
            else { return nil }
        case .delivery(_, let after?):
            let current = apps[after.app]?.delivered[after.identifier]?.delivery
            let now = Change.delivery(before: current, after: after)
            perform(now)
            return now
        case .delivery(let before?, nil):
            guard delivery(before.number) != nil else { return nil }
        case .missed(let before?, nil):
            // It made room for one more; without those of refused requests there may be room.
            guard let kept = apps[before.app]?.missed, kept.count >= Limits.missedPerApp,
                let oldest = kept.first
            else { return nil }
            let now = Change.missed(before: oldest, after: nil)
            perform(now)
            return now
        case .missed, .clock, .delivery(nil, nil):
            break
        }
        perform(change)
        return change
    }
}
