// schedd itself: the thin loop around the scheduler. Whatever happens comes in as a turn on the one
// queue; the scheduler decides; changes go to the store; what depends on them is done when they are
// on disk. Handlers translate and return, they never wait.

import CivilTime
import Dispatch
import Platform
import Scheduling
import SchedulerInterface
import Varlink

/// The daemon; all of its state belongs to its queue.
package actor Daemon {
    nonisolated let executor: QueueExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// A call that the scheduler will answer.
    struct WaitingCall {
        var address: CallAddress
        var interface: Interface
    }

    /// Which interface a call came by; its errors are named after it.
    enum Interface {
        case scheduler, manager
    }

    let configuration: Configuration
    let journal: Journal
    let started: WallInstant
    let loop: EventLoop
    let endpoint: Endpoint
    let notifier: ServiceNotifier
    let worker: StoreWorker
    let service: ServiceDescription
    var scheduler: Scheduler
    var commits = CommitQueue()
    var storage: StorageHealth
    var zones: ZoneSource
    var beat: Heartbeat
    /// Calls whose replies wait for the disk.
    var waitingCalls: [CallToken: WaitingCall] = [:]
    var lastCall: UInt64 = 0
    var presentationMessage: String?
    /// When the zones are looked at without having been told, on the boot-time clock.
    var nextZoneCheck: Int64?
    var bus: NotificationBus?
    var timer: TimerSource?
    var sources = EventSources()
    var isStopping = false
    /// Since SIGTERM no commit has been tried yet: what the disk refused before gets one more try.
    var owesLastTry = false
    private var isFinishing = false
    /// The store has something to do once those who waited for the commit have been served.
    private var needsTidying = false
    private var isTidying = false
    /// Events of the turn, which are logged when nobody waits for it any more.
    private var unlogged: [SchedulerEvent] = []
    /// The boot-time clock of the last turn: it never goes back, whatever it is taken from.
    private var lastBoot: Int64 = 0

    /// Everything that was made before the daemon, checked and ready.
    init(_ parts: DaemonParts, notifier: sending ServiceNotifier) {
        executor = parts.executor
        configuration = parts.configuration
        journal = parts.journal
        started = parts.moment.wall
        endpoint = Endpoint(
            listener: parts.listener, loop: parts.loop, journal: parts.journal,
            log: EventHistory(run: parts.run))
        loop = parts.loop
        worker = parts.worker
        service = parts.service
        scheduler = parts.scheduler
        storage = StorageHealth(notices: parts.notices)
        zones = parts.zones
        beat = Heartbeat(watchdogMicroseconds: notifier.watchdogMicroseconds)
        self.notifier = notifier
    }

    /// The second reading may be this much later than the first without the clocks having moved.
    private static let readingMicroseconds: Int64 = 500
    /// What two measurements of an unmoved offset may differ by.
    private static let measuringMicroseconds: Int64 = 10

    /// Both clocks, read once for a turn.
    ///
    /// The boot-time clock is taken from the wall clock by the known offset, as long as that is
    /// true: else every turn would see another offset, by the time between its two readings.
    func readClocks() -> Moment {
        let wall = Clock.wallMicroseconds()
        let boot = Clock.bootMicroseconds()
        let known = wall - scheduler.clockOffset
        let isUnmoved = -Self.measuringMicroseconds...Self.readingMicroseconds ~= boot - known
        lastBoot = max(lastBoot, isUnmoved ? known : boot)
        return Moment(
            wall: WallInstant(microseconds: wall), boot: BootInstant(microseconds: lastBoot))
    }

    /// Both clocks with their offset measured anew, for when the wall clock may have been set.
    func measureClocks() -> Moment {
        let measured = Clock.wallOffsetMicroseconds()
        let isUnmoved = abs(measured - scheduler.clockOffset) <= Self.measuringMicroseconds
        let offset = isUnmoved ? scheduler.clockOffset : measured
        let wall = Clock.wallMicroseconds()
        lastBoot = max(lastBoot, wall - offset)
        return Moment(
            wall: WallInstant(microseconds: lastBoot + offset),
            boot: BootInstant(microseconds: lastBoot))
    }

    // MARK: A turn

    /// One event and everything that follows from it at once.
    func turn(_ event: Event) {
        turn(event, at: readClocks())
    }

    func turn(_ event: Event, at now: Moment) {
        decide(event, at: now)
        finishTurn(at: now)
    }

    /// Lets the scheduler decide, and does what needs no commit.
    func decide(_ event: Event, at now: Moment) {
        let effects = scheduler.handle(event, at: now)
        for effect in commits.add(event, effects, at: now) { act(effect) }
    }

    /// Ends the turn once, when all clients that have something now have been heard: what they ask
    /// shares a commit.
    func finishTurnSoon() {
        if isFinishing { return }
        isFinishing = true
        loop.afterTurn { [self] in
            assumeIsolated { daemon in
                daemon.isFinishing = false
                daemon.finishTurn(at: daemon.readClocks())
            }
        }
    }

    /// Sends what the turn produced, starts the next commit, arms the timer.
    func finishTurn(at now: Moment) {
        endpoint.finishTurn { session, call in self.route(call, of: session) }
        commitIfIdle()
        reportHealth(at: now)
        armTimer(at: now)
        for event in unlogged { log(event) }
        unlogged.removeAll(keepingCapacity: true)
        if isStopping, !commits.isCommitting, !isTidying { finishStopping() }
    }

    func act(_ effect: Effect) {
        switch effect {
        case .change:
            preconditionFailure("a change goes to the store, it is not acted upon")
        case .reply(let call, let reply):
            answer(call, reply)
        case .present(let delivery, let older):
            bus?.present(Presentation(delivery, replacing: older))
        case .withdraw(let number):
            bus?.withdraw(deliveryID: number)
        case .publish(let event):
            unlogged.append(event)
            endpoint.publish(Wire.Event(event))
        }
    }

    // MARK: Commits

    private func commitIfIdle() {
        if isTidying { return }
        if needsTidying, !commits.isCommitting {
            needsTidying = false
            isTidying = true
            worker.tidy { [weak self] in self?.assumeIsolated { $0.tidied() } }
            return
        }
        guard owesLastTry || storage.mayTry(commits, at: Clock.bootMicroseconds()),
            let commit = commits.nextCommit()
        else { return }
        owesLastTry = false
        worker.commit(commit) { [weak self] outcome in
            self?.assumeIsolated { $0.commitEnded(outcome) }
        }
    }

    private func tidied() {
        isTidying = false
        finishTurn(at: readClocks())
    }

    private func commitEnded(_ outcome: StoreWorker.Outcome) {
        let now = readClocks()
        needsTidying = outcome.needsTidying
        if let error = outcome.error {
            let failure = commits.failed(&scheduler)
            if storage.noteFailure("\(error)", at: now.boot.microseconds) {
                journal.log(.error, "the disk refuses changes: \(error)")
            }
            endpoint.forgetPast()
            for call in failure.refused { refuse(call, storage: "\(error)") }
            for action in failure.actions { act(action) }
            for event in failure.again { decide(event, at: now) }
        } else {
            if storage.noteSuccess() { journal.log(.notice, "the disk takes changes again") }
            // A notification is late by all that is done before it.
            let actions = commits.committed()
            for action in actions where action.isForScreen { act(action) }
            for action in actions where !action.isForScreen { act(action) }
        }
        finishTurn(at: now)
    }

    // MARK: Time

    /// The one timer of the daemon: whatever is due next.
    func armTimer(at now: Moment) {
        let deadlines = [
            scheduler.nextDeadline.map { Rousing.alarm(for: $0, at: now.boot).microseconds },
            commits.patienceEnds?.microseconds, beat.nextBeat, beat.nextStatus,
            storage.nextTry(commits), nextZoneCheck,
        ]
        timer?.arm(at: deadlines.compactMap(\.self).min())
    }

    func timerFired() {
        let now = readClocks()
        if let check = nextZoneCheck, check <= now.boot.microseconds { checkZones() }
        decide(.deadlineReached, at: now)
        for action in commits.overdue(at: now.boot) { act(action) }
        finishTurn(at: now)
    }
}
