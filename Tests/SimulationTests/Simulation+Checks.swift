// The invariants, and the book that the world keeps to see whether they hold.

import CivilTime
import Scheduling
import TestSupport

/// What a history came to; shows that the simulation meets what it is made for.
struct Statistics {
    var turns = 0
    var commits = 0
    var failedCommits = 0
    var deaths = 0
    var fired = 0
    var late = 0
    var missed = 0
    var shown = 0
    var repeats = 0
    var refused = 0
    var evicted = 0
}

/// Watches the pace of late deliveries: at most five of an app come to the screen within a second,
/// without those that were removed or replaced meanwhile, or that a failed commit brought back.
struct LateBursts {
    private var shown: [String: [(number: Int64, at: Int64)]] = [:]
    private var exempted: Set<Int64> = []

    mutating func forget() { shown = [:] }

    mutating func exempt(_ numbers: Set<Int64>) { exempted.formUnion(numbers) }

    /// False if the delivery is one too many.
    mutating func take(
        _ delivery: Delivery, at boot: Int64, isOnRecord: (Int64) -> Bool
    ) -> Bool {
        if exempted.contains(delivery.number) || !isOnRecord(delivery.number) { return true }
        let recent = shown[delivery.app, default: []].filter {
            boot - $0.at < 1_000_000 && isOnRecord($0.number)
        }
        shown[delivery.app] = recent + [(delivery.number, boot)]
        return recent.count < Limits.lateDeliveriesPerSecond
    }
}

extension Simulation {
    // MARK: Decisions

    /// What the model is told of an event; nil = of a delivery that it cannot know.
    func happening(_ event: Event) -> Model.Happening? {
        switch event {
        case .started: return .started
        case .deadlineReached: return .deadlineReached
        case .clockChanged: return .clockChanged
        case .zonesChanged(let local, let named): return .zonesChanged(local: local, named: named)
        case .presented(let number):
            return occurrences[number].map { .presented($0.key, $0.occurrence) }
        case .putOff:
            // The simulated server takes what it is given, if it does anything.
            return nil
        case .dismissed(let number):
            return occurrences[number].map { .dismissed($0.key, $0.occurrence) }
        case .submitted(let batch, _): return .submitted(batch)
        case .removalAsked(let selection, _): return .removalAsked(selection)
        case .dismissalAsked(let selection, _): return .dismissalAsked(selection)
        case .importAsked(let batches, let isDryRun, _):
            return .importAsked(batches, isDryRun: isDryRun)
        }
    }

    /// Holds what the scheduler decided against what the model did.
    mutating func check(_ outcome: Model.Outcome, _ effects: [Effect]) {
        var fired: [RequestKey] = []
        var reply: Reply?
        for effect in effects {
            switch effect {
            case .change(.delivery(let before, let after?)) where before?.number != after.number:
                fired.append(after.key)
                if after.due > now.wall,
                    after.due.microseconds > now.boot.microseconds + model.offset
                {
                    fail("\(after.key) fired before \(after.due.text)")
                }
                guard let shown = model.delivered[after.key] else { break }
                occurrences[after.number] = (after.key, shown.occurrence)
            case .reply(_, let answer): reply = answer
            default: break
            }
        }
        statistics.fired += fired.count
        statistics.late += outcome.fired.count { $0.shown.late }
        for occurrence in outcome.repeated { mayRepeat.insert(occurrence) }
        if fired != outcome.fired.map(\.key) {
            fail("fired \(fired.map(\.identifier)), not \(outcome.fired.map(\.key.identifier))")
        }
        if reply.map(Self.answer) != outcome.answer {
            fail("replied \(reply as Any), not \(outcome.answer as Any)")
        }
    }

    private static func answer(_ reply: Reply) -> Model.Answer {
        switch reply {
        case .added(let added, let evicted):
            .added(
                added.map {
                    Model.Answer.Line(
                        identifier: $0.identifier, next: $0.next.microseconds,
                        replaced: $0.replaced, isBacklogged: $0.isBacklogged)
                },
                evicted: evicted.map {
                    Model.Answer.Line(identifier: $0.identifier, next: $0.next.microseconds)
                })
        case .removed(let keys): .removed(Set(keys))
        case .imported(let items):
            .imported(items.map { Model.Answer.Item(key: $0.key, outcome: $0.outcome) })
        case .refused(.queueFull(_, let limit, let pending, let identifiers)):
            .full(limit: limit, pending: pending, noRoomFor: identifiers)
        case .refused(.invalid(let field, _)): .invalid(field: field)
        case .refused(.neverFires): .neverFires
        case .refused(.inPast): .inPast
        case .refused(.tooLarge(let field, _, _)): .invalid(field: field)
        }
    }

    // MARK: Calls

    mutating func remember(
        _ call: CallToken, _ event: Event, _ effects: [Effect], _ titlesBefore: Int?
    ) {
        var entry = Call(
            changesAnything: effects.contains(where: \.isChange),
            selection: nil, titlesBefore: titlesBefore ?? lastTitle)
        if case .removalAsked(let selection, _) = event { entry.selection = selection }
        life?.calls[call] = entry
    }

    mutating func noteReply(_ call: CallToken, _ reply: Reply) {
        guard let entry = life?.calls.removeValue(forKey: call) else {
            return fail("call \(call.number) is answered twice")
        }
        switch reply {
        case .refused: statistics.refused += 1
        case .added(_, let evicted): statistics.evicted += evicted.count
        case .removed, .imported: break
        }
        if entry.changesAnything {
            if store.versions.count != 1 {
                fail("call \(call.number) is acknowledged before it is safe")
            }
            ackedVersion = store.current.number
        }
        guard let selection = entry.selection, case .removed = reply else { return }
        for (key, list) in titles where key.isIn(selection) {
            for (number, title) in list where number <= entry.titlesBefore {
                // Not there because it fired: power that goes may take the record of that.
                let isSafe = entry.changesAnything || store.versions.count == 1
                if isSafe { gone.insert(title) } else { goneUntilPowerCut.insert(title) }
            }
        }
    }

    // MARK: The screen

    mutating func noteStored(_ changes: [Change]) {
        for change in changes {
            switch change {
            case .pending(_, let after?): stored.insert(after.request.content.title)
            case .delivery(_, let after?): stored.insert(after.content.title)
            default: break
            }
        }
    }

    /// A delivery goes to the presenter: once in a life, and after its record unless the disk is
    /// slow or fails.
    mutating func checkHandover(_ delivery: Delivery) {
        if life?.handed.insert(delivery.number).inserted == false {
            fail("\(delivery.identifier) \(delivery.due.text) is presented twice")
        }
        if !stored.contains(delivery.content.title) {
            fail("\(delivery.identifier) is presented before the request is on disk")
        }
        let isRecorded = store.current.rows.lastDelivery >= delivery.number
        let waited = now.wall.microseconds - delivery.fired.microseconds
        if !isRecorded, life?.isFailing == false, waited < CommitQueue.patienceMicroseconds,
            life?.commits.isCommitting == false
        {
            fail("\(delivery.identifier) \(delivery.due.text) is presented before its record")
        }
    }

    mutating func noteShown(_ delivery: Delivery) {
        statistics.shown += 1
        checkPace(delivery)
        guard let known = occurrences[delivery.number] else {
            return fail("\(delivery.identifier) is shown and was never fired")
        }
        if shown.insert(known.occurrence).inserted { return }
        statistics.repeats += 1
        if mayRepeat.remove(known.occurrence) == nil {
            fail("\(delivery.identifier) \(delivery.due.text) is shown twice")
        }
    }

    private mutating func checkPace(_ delivery: Delivery) {
        guard delivery.late, var life else { return }
        let isInPace = life.burst.take(delivery, at: now.boot.microseconds) {
            life.scheduler.delivery($0) != nil
        }
        self.life = life
        if !isInPace { fail("\(delivery.app) has more than five late deliveries in a second") }
    }

    /// After a death: what is on record as presented must not be shown again, all else may.
    mutating func rememberUnrecordedShown() {
        let recorded = Set(
            model.delivered.values.filter(\.isPresented).map(\.occurrence))
        for occurrence in shown where !recorded.contains(occurrence) {
            // Replaced or removed, on record: only a request that still waits could show it again.
            let isBefore =
                model.delivered.values.contains { $0.occurrence == occurrence }
                || model.pending.values.contains { entry in
                    entry.title == occurrence.title && !entry.everFired.contains(occurrence.instant)
                }
            if isBefore { mayRepeat.insert(occurrence) }
        }
    }

    /// Numbers that were not safe are given again in the next life.
    mutating func nameDeliveries() {
        for delivery in life?.scheduler.deliveries(of: .everything) ?? [] {
            guard let shown = model.delivered[delivery.key] else { continue }
            occurrences[delivery.number] = (delivery.key, shown.occurrence)
        }
    }
}

extension Selection {
    static let everything = Selection(app: nil, identifiers: nil)
}

extension Statistics {
    mutating func add(_ other: Statistics) {
        turns += other.turns
        commits += other.commits
        failedCommits += other.failedCommits
        deaths += other.deaths
        fired += other.fired
        late += other.late
        missed += other.missed
        shown += other.shown
        repeats += other.repeats
        refused += other.refused
        evicted += other.evicted
    }
}
