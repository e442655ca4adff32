// A second, naive scheduler, written from the README's rules and not from the first one: plain
// lists, no wheel, no undo, occurrences counted one by one. The simulation holds the real one
// against it after every turn. Of the sources it uses only the civil calendar, which has an oracle
// of its own.

import CivilTime
import Scheduling

/// Names one occurrence of one request: titles are unique in a simulation.
struct OccurrenceID: Hashable {
    var title: String
    /// The due time; for an interval, whose instants a clock change can repeat, its number.
    var instant: Int64
}

/// What should be pending, delivered and missed. Instants are microseconds.
struct Model {
    enum Due: Hashable {
        case wall(Int64)
        case boot(Int64)
    }

    struct Entry {
        var app: String
        var request: Request
        /// Counts up with every request that is added.
        var order: Int
        var added: WallInstant
        /// From which civil date a stride counts.
        var strideDay = 0
        var due: Due
        /// Occurrences that have passed, shown or not.
        var passed = 0
        /// Runs of occurrences that fired one after the other, newest last.
        var runs: [ClosedRange<Int64>] = []
        /// Every occurrence that fired, for good.
        var everFired: Set<Int64> = []

        var key: RequestKey { RequestKey(app: app, identifier: request.identifier) }
        var title: String { request.content.title }
    }

    struct Shown: Hashable {
        var occurrence: OccurrenceID
        var due: Int64
        var late: Bool
        var missedCount: Int
        var limit: Int64?
        var isPresented = false
    }

    struct Miss: Hashable {
        var identifier: String
        var title: String
        var due: Int64
        var count: Int
        var reason: MissedReason
    }

    /// What a call is told; reasons in words are left out.
    enum Answer: Hashable {
        struct Line: Hashable {
            var identifier: String
            var next: Int64
            var replaced = false
            var isBacklogged = false
        }

        struct Item: Hashable {
            var key: RequestKey
            var outcome: ImportedItem.Outcome
        }

        case added([Line], evicted: [Line])
        case removed(Set<RequestKey>)
        case imported([Item])
        case full(limit: Int, pending: Int, noRoomFor: [String])
        case invalid(field: String)
        case neverFires
        case inPast
    }

    /// What an event came to, beside the new state.
    struct Outcome {
        var answer: Answer?
        /// Requests that had come due, whatever became of them.
        var cameDue: Set<Int> = []
        /// What fired, in order.
        var fired: [(key: RequestKey, shown: Shown)] = []
        var gaveUp: Set<OccurrenceID> = []
        /// Fired for a second time because the older runs of firings are forgotten.
        var repeated: [OccurrenceID] = []
    }

    var pending: [RequestKey: Entry] = [:]
    var delivered: [RequestKey: Shown] = [:]
    var missed: [String: [Miss]] = [:]
    /// What the wall clock is ahead of the boot-time clock, as far as the daemon knows.
    var offset: Int64
    var boot: Int
    var local: Zone
    var zones: [String: Zone]
    var orders = 0

    /// One thing that the daemon tells the scheduler.
    enum Happening {
        case restarted(boot: Int, local: Zone, zones: [String: Zone])
        case started, deadlineReached, clockChanged
        case zonesChanged(local: Zone, named: [String: Zone])
        case presented(RequestKey, OccurrenceID)
        case dismissed(RequestKey, OccurrenceID)
        case submitted(Batch)
        case removalAsked(Selection)
        case dismissalAsked(Selection)
        case importAsked([Batch], isDryRun: Bool)
    }

    /// Does what `happening` must do at `now`.
    ///
    /// `past` is what it came to when it first happened, if it is done again after a failed commit:
    /// what had not come due then has not now.
    mutating func handle(
        _ happening: Happening, at now: Moment, past: Outcome? = nil
    ) -> Outcome {
        var outcome = Outcome()
        switch happening {
        case .restarted(let boot, let local, let zones):
            restart(boot: boot, local: local, zones: zones, at: now)
        case .started, .deadlineReached:
            expire(at: now, past: past, &outcome)
        case .clockChanged:
            noteClock(at: now)
            expire(at: now, past: past, &outcome)
        case .zonesChanged(let local, let named):
            expire(at: now, past: past, &outcome)
            noteZones(local: local, named: named, at: now)
        case .presented(let key, let occurrence):
            if delivered[key]?.occurrence == occurrence { delivered[key]?.isPresented = true }
        case .dismissed(let key, let occurrence):
            if delivered[key]?.occurrence == occurrence { delivered[key] = nil }
        case .submitted(let batch):
            outcome.answer = submit(batch, at: now, &outcome)
        case .removalAsked(let selection):
            let keys = pending.keys.filter { $0.isIn(selection) }
            for key in keys { pending[key] = nil }
            outcome.answer = .removed(Set(keys))
        case .dismissalAsked(let selection):
            let keys = delivered.keys.filter { $0.isIn(selection) }
            for key in keys { delivered[key] = nil }
            outcome.answer = .removed(Set(keys))
        case .importAsked(let batches, let isDryRun):
            outcome.answer = take(batches, isDryRun: isDryRun, at: now, &outcome)
        }
        return outcome
    }

    // MARK: Clocks

    func bootTime(_ due: Due) -> Int64 {
        switch due {
        case .boot(let instant): instant
        case .wall(let instant): instant - offset
        }
    }

    func wallTime(_ due: Due) -> Int64 {
        switch due {
        case .boot(let instant): instant + offset
        case .wall(let instant): instant
        }
    }

    func inFiringOrder(_ entries: some Sequence<Entry>) -> [Entry] {
        entries.sorted { (bootTime($0.due), $0.order) < (bootTime($1.due), $1.order) }
    }

    /// All that is pending, in the order of firing.
    var firingOrder: [RequestKey] {
        pending.map { (instant: bootTime($1.due), order: $1.order, key: $0) }
            .sorted { ($0.instant, $0.order) < ($1.instant, $1.order) }
            .map(\.key)
    }

    func zone(of calendar: CalendarTrigger) -> Zone {
        calendar.zone.map { zones[$0] ?? .utc } ?? local
    }

    /// When the daemon has to look again: nothing waits longer than this.
    var nextInstant: Int64? {
        let waiting = delivered.values.compactMap { shown -> Int64? in
            guard !shown.isPresented, let limit = shown.limit else { return nil }
            return bootTime(.wall(shown.due + max(limit, 1_000_000) + 1))
        }
        return (pending.values.map { bootTime($0.due) } + waiting).min()
    }
}

extension RequestKey {
    func isIn(_ selection: Selection) -> Bool {
        (selection.app ?? app) == app && (selection.identifiers?.contains(identifier) ?? true)
    }
}
