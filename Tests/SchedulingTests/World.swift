// A hand-turned world for the scheduler: two clocks, a store that keeps what was committed, and a
// list of what was shown. Time passes only when a test says so.

import CivilTime
import Scheduling
import TestSupport
import Testing

/// The scheduler with everything around it played by the test.
struct World {
    private(set) var scheduler: Scheduler
    private(set) var now: Moment
    var localZone: Zone
    private var bootID = "boot-1"
    private var stored = StoredRows()
    private var calls: UInt64 = 0
    /// Whether a notification server takes at once what it is shown.
    var hasServer = false

    /// What was shown, withdrawn, answered and published since the last look.
    private(set) var presented: [Delivery] = []
    private(set) var withdrawn: [Int64] = []
    private(set) var replies: [CallToken: Reply] = [:]
    private(set) var events: [SchedulerEvent] = []

    /// Starts empty at `wall`; the machine booted an hour before.
    init(at wall: WallInstant, zone: Zone = .utc) {
        now = Moment(wall: wall, boot: BootInstant(microseconds: 3_600_000_000))
        localZone = zone
        (scheduler, _) = Scheduler.restore(
            StoredState(), at: now, bootID: bootID, localZone: zone, zones: [:])
    }

    // MARK: Time

    /// Lets both clocks run to `wall`, handling each deadline at its instant.
    mutating func run(to wall: WallInstant) {
        let end = wall.microseconds - now.offset
        while let deadline = scheduler.nextDeadline, deadline.microseconds <= end {
            step(to: max(deadline.microseconds, now.boot.microseconds))
            handle(.deadlineReached)
        }
        step(to: end)
    }

    /// Lets time pass without the daemon noticing: a suspend, or a stopped process.
    mutating func suspend(until wall: WallInstant) {
        step(to: wall.microseconds - now.offset)
    }

    /// Sets the wall clock, and tells the daemon.
    mutating func setClock(to wall: WallInstant) {
        now.wall = wall
        handle(.clockChanged)
    }

    /// Sets the wall clock; the news is still on its way to the daemon.
    mutating func setClockUnheard(to wall: WallInstant) {
        now.wall = wall
    }

    private mutating func step(to boot: Int64) {
        precondition(boot >= now.boot.microseconds, "the boot-time clock never goes back")
        let passed = boot - now.boot.microseconds
        now.boot.microseconds += passed
        now.wall.microseconds += passed
    }

    /// Ends the daemon, lets the wall clock run to `wall`, and starts it from what was stored.
    mutating func restart(at wall: WallInstant, rebooted: Bool = false, zones: [String: Zone] = [:])
    {
        if rebooted {
            bootID += "'"
            now = Moment(wall: wall, boot: BootInstant(microseconds: 5_000_000))
        } else {
            suspend(until: wall)
        }
        let (restored, effects) = Scheduler.restore(
            stored.state(of: scheduler), at: now, bootID: bootID, localZone: localZone,
            zones: zones)
        scheduler = restored
        perform(effects)
        handle(.started)
    }

    // MARK: Events

    mutating func handle(_ event: Event) {
        let old = presented.count
        perform(scheduler.handle(event, at: now))
        guard hasServer else { return }
        for delivery in presented[old...] { handle(.presented(delivery: delivery.number)) }
    }

    private mutating func perform(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .change(let change): stored.apply(change)
            case .reply(let call, let reply): replies[call] = reply
            case .present(let delivery, _): presented.append(delivery)
            case .withdraw(let number): withdrawn.append(number)
            case .publish(let event): events.append(event)
            }
        }
    }

    /// Adds a batch and returns the scheduler's answer.
    @discardableResult
    mutating func add(
        _ requests: [Request], app: String = "app", whenFull: FullPolicy = .fail,
        zones: [String: Zone] = [:]
    ) -> Reply? {
        calls += 1
        let call = CallToken(number: calls)
        let batch = Batch(app: app, requests: requests, whenFull: whenFull, zones: zones)
        handle(.submitted(batch, call: call))
        return replies[call]
    }

    @discardableResult
    mutating func remove(_ identifiers: [String]?, app: String? = "app") -> Reply? {
        calls += 1
        let call = CallToken(number: calls)
        handle(.removalAsked(Selection(app: app, identifiers: identifiers), call: call))
        return replies[call]
    }

    @discardableResult
    mutating func dismiss(_ identifiers: [String]?, app: String? = "app") -> Reply? {
        calls += 1
        let call = CallToken(number: calls)
        handle(.dismissalAsked(Selection(app: app, identifiers: identifiers), call: call))
        return replies[call]
    }

    // MARK: Looking

    /// What was presented since the last call, by identifier and due time.
    mutating func takePresented() -> [Shown] {
        defer { presented = [] }
        return presented.map { Shown($0.identifier, due: $0.due, late: $0.late) }
    }

    /// The notification server takes everything that was shown.
    mutating func answerAll() {
        for delivery in presented { handle(.presented(delivery: delivery.number)) }
    }

    func pending(app: String? = nil) -> [PendingRequest] {
        scheduler.pending(of: Selection(app: app, identifiers: nil))
    }

    func next(_ identifier: String, app: String = "app") -> WallInstant? {
        let found = scheduler.pending(of: Selection(app: app, identifiers: [identifier]))
        return found.first.map { scheduler.instant(of: $0) }
    }

    func missed() -> [Missed] { scheduler.missed(of: Selection(app: nil, identifiers: nil)) }
}

/// One presentation, as far as most tests look at it.
struct Shown: Equatable {
    var identifier: String
    var due: WallInstant
    var late: Bool

    init(_ identifier: String, due: WallInstant, late: Bool = false) {
        self.identifier = identifier
        self.due = due
        self.late = late
    }
}

/// What a store would hold: rows by key, changed as the scheduler says.
private struct StoredRows {
    private var pending: [RequestKey: PendingRequest] = [:]
    private var deliveries: [Int64: Delivery] = [:]
    private var missed: [Int64: Missed] = [:]
    private var clock: ClockRecord?

    mutating func apply(_ change: Change) {
        switch change {
        case .pending(let before, let after):
            if let before { #expect(pending.removeValue(forKey: before.key) == before) }
            if let after { pending[after.key] = after }
        case .delivery(let before, let after):
            if let before { #expect(deliveries.removeValue(forKey: before.number) == before) }
            if let after { deliveries[after.number] = after }
        case .missed(let before, let after):
            if let before { #expect(missed.removeValue(forKey: before.number) == before) }
            if let after { missed[after.number] = after }
        case .clock(_, let after):
            clock = after
        }
    }

    func state(of scheduler: Scheduler) -> StoredState {
        StoredState(
            pending: Array(pending.values), deliveries: Array(deliveries.values),
            missed: Array(missed.values), clock: clock,
            lastSequence: pending.values.map(\.sequence).max() ?? 0,
            lastDelivery: deliveries.keys.max() ?? 0, lastMissed: missed.keys.max() ?? 0)
    }
}

/// A request with a title and the trigger given.
func request(
    _ identifier: String, _ trigger: Trigger, ifMissed: MissedPolicy = .deliver,
    latenessLimit: Int64? = nil
) -> Request {
    Request(
        identifier: identifier, content: Content(title: identifier), trigger: trigger,
        ifMissed: ifMissed, latenessLimit: latenessLimit)
}

/// A calendar trigger from field sets.
func calendar(
    _ fields: [CalendarPattern.Field: [Int]], zone: String? = nil, repeats: Bool = true,
    bounds: Bounds = Bounds()
) throws -> Trigger {
    let pattern = try CalendarPattern(
        fields: fields, firstWeekday: nil, minimumDaysInFirstWeek: nil, missingDay: .skip)
    return .calendar(
        CalendarTrigger(pattern: pattern, zone: zone, repeats: repeats, bounds: bounds))
}

func interval(seconds: Double, repeats: Bool = false, bounds: Bounds = Bounds()) -> Trigger {
    .interval(
        IntervalTrigger(period: Int64(seconds * 1_000_000), repeats: repeats, bounds: bounds))
}
