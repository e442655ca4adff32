// The daemon's loop as Sources/Service/Daemon has it, around the same Scheduler and CommitQueue,
// with the model beside it.

import CivilTime
import Scheduling

extension Simulation {
    // MARK: Life and death

    mutating func startIfDown() {
        guard life == nil, failure == nil else { return }
        let stored = store.open()
        var zones: [String: Zone] = [:]
        for pending in stored.pending {
            guard case .calendar(let calendar) = pending.request.trigger, let name = calendar.zone
            else { continue }
            zones[name] = zoneFile(name)
        }
        let (scheduler, effects) = Scheduler.restore(
            stored, at: now, bootID: "boot\(bootNumber)", localZone: localZone, zones: zones)
        model = store.current.model
        var life = Life(scheduler: scheduler, local: localZone, zones: zones, base: model)
        rememberUnrecordedShown()
        let happening = Model.Happening.restarted(
            boot: bootNumber, local: localZone, zones: zones)
        let outcome = model.handle(happening, at: now)
        life.log.append(Logged(happening: happening, now: now, outcome: outcome))
        let actions = life.commits.add(.clockChanged, effects, at: now)
        self.life = life
        screen.forget()
        nameDeliveries()
        act(actions)
        turn(.started)
        run(for: 0)
    }

    /// The daemon is gone at once; the commit that ran was written or not.
    mutating func die(keepsInFlight: Bool) {
        effectsLeft = nil
        guard let life else { return }
        if keepsInFlight, let flight = life.flight, !flight.fails,
            let fault = store.commit(flight.commit, model: flight.model)
        {
            fail(fault)
        }
        if keepsInFlight, let flight = life.flight, !flight.fails {
            noteStored(flight.commit.changes)
        }
        self.life = nil
        screen.forget()
        news = []
        statistics.deaths += 1
    }

    // MARK: A turn

    mutating func turn(_ event: Event) {
        decide(event)
        finishTurn()
    }

    /// `titlesBefore` is given for a call that was decided before.
    mutating func decide(_ event: Event, titlesBefore: Int? = nil) {
        guard life != nil, failure == nil, let happening = happening(event) else { return }
        let outcome = model.handle(happening, at: now)
        let effects = life?.scheduler.handle(event, at: now) ?? []
        statistics.turns += 1
        check(outcome, effects)
        let isUnheard = event.delivery != nil && !effects.contains(where: \.isChange)
        life?.log.append(
            Logged(
                happening: happening, now: now, outcome: outcome, call: event.call,
                isUnheard: isUnheard))
        if let call = event.call { remember(call, event, effects, titlesBefore) }
        let actions = life?.commits.add(event, effects, at: now) ?? []
        if life?.commits.isCommitting == false, life?.commits.hasWork == false {
            life?.base = model
            life?.log = []
        }
        act(actions)
        if !isUndoing { compareStates() }
    }

    mutating func finishTurn() {
        guard failure == nil else { return }
        bringToScreen()
        guard var life, !life.isFailing || life.commits.hasCalls || isRetryDue(life),
            let commit = life.commits.nextCommit()
        else { return }
        life.flight = Flight(
            commit: commit, model: model, log: life.log, endsAt: endOfCommit, fails: diskFails)
        life.log = []
        self.life = life
    }

    mutating func bringToScreen() {
        guard life != nil else { return }
        while let shown = screen.proceed(at: now.boot.microseconds) { noteShown(shown) }
    }

    private func isRetryDue(_ life: Life) -> Bool {
        now.boot.microseconds - life.lastFailure >= Self.retryMicroseconds
    }

    /// As in the daemon's StorageHealth.
    static let retryMicroseconds: Int64 = 2_000_000

    var endOfCommit: Int64? {
        switch disk {
        case .works(let span), .fails(let span): now.boot.microseconds + span
        case .stalls: nil
        }
    }

    private var diskFails: Bool {
        if case .fails = disk { true } else { false }
    }

    mutating func commitEnded() {
        guard let flight = life?.flight else { return }
        life?.flight = nil
        statistics.commits += 1
        if flight.fails || diskFails {
            commitFailed(flight)
        } else {
            if let fault = store.commit(flight.commit, model: flight.model) { return fail(fault) }
            life?.isFailing = false
            life?.base = flight.model
            noteStored(flight.commit.changes)
            let actions = life?.commits.committed() ?? []
            act(actions)
        }
        compareStates()
        finishTurn()
    }

    private mutating func commitFailed(_ flight: Flight) {
        guard var life else { return }
        statistics.failedCommits += 1
        let before = life.scheduler.deliveries(of: .everything).map(\.number)
        let failure = life.commits.failed(&life.scheduler)
        // What was removed or replaced and is back comes on top of those that took its place.
        life.burst.exempt(
            Set(life.scheduler.deliveries(of: .everything).map(\.number)).subtracting(before))
        life.isFailing = true
        life.lastFailure = now.boot.microseconds
        let gathered = life.log
        // The model goes back as well: what happened by itself is done again, calls are not.
        // So is what was said of deliveries that are there again: it comes once more.
        let old = flight.log.filter { $0.call == nil && !$0.isUnheard }
        let new = gathered.filter { $0.call == nil && !$0.isUnheard }
        model = life.base
        for logged in old { replay(logged) }
        life.base = model
        for logged in new { replay(logged) }
        life.log = new
        self.life = life
        let refused = Set(flight.log.compactMap(\.call)).intersection(life.calls.keys)
        if Set(failure.refused) != refused {
            fail("refused \(failure.refused) instead of \(refused) after a failed commit")
        }
        for call in failure.refused { self.life?.calls[call] = nil }
        act(failure.actions)
        isUndoing = true
        defer { isUndoing = false }
        for event in failure.again {
            let earlier = event.call.flatMap { self.life?.calls.removeValue(forKey: $0) }
            decide(event, titlesBefore: earlier?.titlesBefore)
        }
    }

    private mutating func replay(_ logged: Logged) {
        let orders = model.orders
        _ = model.handle(logged.happening, at: logged.now, past: logged.outcome)
        model.orders = max(orders, model.orders)
    }

    // MARK: Acting

    mutating func act(_ effects: [Effect]) {
        for effect in effects {
            if effectsLeft == 0 { die(keepsInFlight: crashKeepsFlight) }
            guard life != nil, failure == nil else { return }
            if let left = effectsLeft { effectsLeft = left - 1 }
            switch effect {
            case .change: fail("a change is to be acted upon")
            case .reply(let call, let reply): noteReply(call, reply)
            case .present(let delivery, let older):
                checkHandover(delivery)
                screen.present(delivery, replacing: older)
            case .withdraw(let number): screen.withdraw(number)
            case .publish: break
            }
        }
    }

    // MARK: Time

    /// Lets the world run for `span`; at most so many events of it.
    mutating func run(for span: Int64) {
        let end = now.boot.microseconds + span
        let boot = bootNumber
        for _ in 0..<Self.eventLimit {
            guard failure == nil, bootNumber == boot, let (instant, what) = nextHappening(),
                instant <= end
            else { break }
            elapse(max(0, instant - now.boot.microseconds))
            happen(what)
        }
        if failure == nil, bootNumber == boot, (nextHappening()?.0 ?? .max) > end {
            elapse(max(0, end - now.boot.microseconds))
        }
    }

    static let eventLimit = 120

    enum Happens {
        case commitEnded, answered, heard(Int), timer
    }

    private func nextHappening() -> (Int64, Happens)? {
        guard let life else { return nil }
        var next: [(Int64, Happens)] = []
        if let end = life.flight?.endsAt { next.append((end, .commitEnded)) }
        if let answer = screen.current?.answerAt { next.append((answer, .answered)) }
        for (index, item) in news.enumerated() { next.append((item.at, .heard(index))) }
        var timer = [life.scheduler.nextDeadline, life.commits.patienceEnds].compactMap {
            $0?.microseconds
        }
        if life.isFailing, !life.commits.isCommitting, life.commits.hasWork {
            timer.append(life.lastFailure + Self.retryMicroseconds)
        }
        if let deadline = timer.min() {
            // A timer that is overdue again takes a moment, as every turn does.
            let instant = deadline > life.lastTimer ? deadline : life.lastTimer + 1_000
            next.append((instant + timerLag, .timer))
        }
        return next.min { $0.0 < $1.0 }
    }

    private mutating func happen(_ what: Happens) {
        switch what {
        case .commitEnded: commitEnded()
        case .answered:
            if let number = screen.answer() { turn(.presented(delivery: number)) }
        case .heard(let index):
            switch news.remove(at: index).what {
            case .clock:
                turn(.clockChanged)
                readZones()
            case .zones: readZones()
            }
        case .timer:
            life?.lastTimer = now.boot.microseconds
            decide(.deadlineReached)
            let overdue = life?.commits.overdue(at: now.boot) ?? []
            act(overdue)
            finishTurn()
        }
    }

    /// As the daemon's ZoneSource reads them.
    private mutating func readZones() {
        guard var life else { return }
        var changed: [String: Zone] = [:]
        for (name, old) in life.zones {
            guard let new = zoneFile(name), new != old else { continue }
            life.zones[name] = new
            changed[name] = new
        }
        guard life.local != localZone || !changed.isEmpty else { return }
        life.local = localZone
        self.life = life
        turn(.zonesChanged(local: localZone, named: changed))
    }
}

extension Effect {
    var isChange: Bool {
        if case .change = self { true } else { false }
    }
}

extension Event {
    /// What it tells of.
    var delivery: Int64? {
        switch self {
        case .presented(let number), .putOff(let number), .dismissed(let number): number
        case .started, .submitted, .removalAsked, .dismissalAsked, .importAsked, .deadlineReached,
            .clockChanged, .zonesChanged:
            nil
        }
    }
}
