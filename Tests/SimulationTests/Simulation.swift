// The whole machine as a value: two clocks, zone files, a disk, a notification server, clients, and
// a daemon that lives and dies. Nothing in it is random: a history of steps is played, and either
// every invariant holds after every event, or `failure` says which did not.

import CivilTime
import Scheduling
import TestSupport

/// One simulated machine.
struct Simulation {
    /// The daemon's own state, gone when it dies.
    struct Life {
        var scheduler: Scheduler
        var commits = CommitQueue()
        var local: Zone
        /// Zones that were read so far.
        var zones: [String: Zone]
        var isFailing = false
        var lastFailure: Int64 = 0
        var flight: Flight?
        /// What happened since the last commit began.
        var log: [Logged] = []
        /// The model as memory would be if all that waits were taken back.
        var base: Model
        var lastTimer = Int64.min
        /// Deliveries that were handed to the screen in this life.
        var handed: Set<Int64> = []
        /// Calls that wait for their answer: what they ask for.
        var calls: [CallToken: Call] = [:]
        var burst = LateBursts()
    }

    /// A commit that the store works on.
    struct Flight {
        var commit: CommitQueue.Commit
        var model: Model
        var log: [Logged]
        var endsAt: Int64?
        var fails: Bool
    }

    /// One thing that the scheduler was told, as the model will need it again if a commit fails.
    struct Logged {
        var happening: Model.Happening
        var now: Moment
        var outcome: Model.Outcome
        var call: CallToken?
        /// Whether it told of a delivery that was not there.
        var isUnheard = false
    }

    struct Call {
        var changesAnything: Bool
        var selection: Selection?
        /// Removing leaves nothing that was added up to here.
        var titlesBefore: Int
    }

    enum News {
        case clock, zones
    }

    var now: Moment
    /// How late the daemon's timer goes off, always.
    let timerLag: Int64
    var bootNumber = 1
    var localIndex = 0
    var fileVersions = [Int](repeating: 0, count: SimulatedZones.names.count)
    var disk = DiskMood.works(after: 0)
    var screen = FakeScreen()
    var store: FakeStore
    var model: Model
    var life: Life?
    var news: [(at: Int64, what: News)] = []
    /// Effects that the daemon still acts upon before it dies; nil = it lives on.
    var effectsLeft: Int?
    var crashKeepsFlight = false
    var failure: String?
    /// A failed commit is being taken back: memory is complete when that is done.
    var isUndoing = false

    // MARK: What the world remembers over all lives of the daemon

    var lastTitle = 0
    var lastCall: UInt64 = 0
    var titles: [RequestKey: [(number: Int, title: String)]] = [:]
    /// Titles whose removal was acknowledged: they must not come back.
    var gone: Set<String> = []
    var goneUntilPowerCut: Set<String> = []
    var ackedVersion = 0
    /// Titles of requests that were on disk at some time.
    var stored: Set<String> = []
    var occurrences: [Int64: (key: RequestKey, occurrence: OccurrenceID)] = [:]
    var shown: Set<OccurrenceID> = []
    /// Shown, but the record of it was lost, or the desktop's answer never came.
    var mayRepeat: Set<OccurrenceID> = []
    var statistics = Statistics()

    init(_ history: History) {
        timerLag = history.timerLag
        now = Moment(wall: history.start, boot: BootInstant(microseconds: 3_600_000_000))
        model = Model(
            offset: now.offset, boot: 1, local: SimulatedZones.versions[0][0], zones: [:])
        store = FakeStore(model: model)
    }

    /// Plays all steps, then lets everything come to rest.
    static func play(_ history: History) -> Simulation {
        var simulation = Simulation(history)
        for (index, step) in history.steps.enumerated() {
            simulation.take(step)
            guard let failure = simulation.failure else { continue }
            simulation.failure =
                "step \(index + 1), \(simulation.now.wall.text): \(failure)"
            return simulation
        }
        simulation.comeToRest()
        return simulation
    }

    mutating func fail(_ text: String) {
        if failure == nil { failure = text }
    }

    // MARK: Steps

    mutating func take(_ step: Step) {
        switch step {
        case .add(let app, let drafts, let policy): add(app, drafts, policy)
        case .takeIn(let drafts, let isDryRun): takeIn(drafts, isDryRun: isDryRun)
        case .remove(let app, let identifiers):
            ask(app, identifiers, Event.removalAsked)
        case .dismiss(let app, let identifiers):
            ask(app, identifiers, Event.dismissalAsked)
        case .pass(let span): run(for: span)
        case .suspend(let span):
            elapse(span)
            news.append((now.boot.microseconds, .clock))
            run(for: 0)
        case .setClock(let span, let delay):
            setClock(by: span)
            hear(.clock, after: delay)
        case .setZone(let index, let delay):
            localIndex = index
            hear(.zones, after: delay)
        case .replaceZoneFile(let index, let delay):
            let version = 1 - fileVersions[index]
            fileVersions[index] = version
            hear(.zones, after: delay)
        case .server(let mood):
            if let lost = screen.turn(mood, at: now.boot.microseconds) { allowRepeat(of: lost) }
            // What the server showed is gone with it: the next one begins with an empty screen.
            if mood == .gone { life?.burst.forget() }
            bringToScreen()
            run(for: 0)
        case .disk(let mood):
            disk = mood
            let end = endOfCommit
            if life?.flight?.endsAt == nil { life?.flight?.endsAt = end }
            run(for: 0)
        case .close(let index):
            guard life != nil, let number = screen.close(index) else { return }
            turn(.dismissed(delivery: number))
        case .crash(let count, let keeps):
            effectsLeft = count
            crashKeepsFlight = keeps
        case .powerCut(let keeping, let span, let off):
            die(keepsInFlight: keeping % 2 == 1)
            store.losePower(keeping: keeping)
            goneUntilPowerCut = []
            if store.current.number < ackedVersion {
                fail("a power cut took commit \(ackedVersion), which a reply had acknowledged")
            }
            boot(after: span, clockOff: off)
        case .reboot(let span, let off):
            die(keepsInFlight: true)
            boot(after: span, clockOff: off)
        case .start: startIfDown()
        }
    }

    private mutating func hear(_ what: News, after delay: Int64) {
        news.append((now.boot.microseconds + delay, what))
        run(for: 0)
    }

    mutating func elapse(_ span: Int64) {
        now.boot.microseconds += span
        now.wall.microseconds = Self.clamped(now.wall.microseconds + span)
    }

    private mutating func setClock(by span: Int64) {
        now.wall.microseconds = Self.clamped(now.wall.microseconds + span)
    }

    /// Clocks stay between the years 1975 and 2100 or so.
    private static func clamped(_ wall: Int64) -> Int64 {
        min(max(wall, 160_000_000_000_000), 4_200_000_000_000_000)
    }

    private mutating func boot(after span: Int64, clockOff: Int64) {
        bootNumber += 1
        setClock(by: span + clockOff)
        now.boot = BootInstant(microseconds: 5_000_000)
        news = []
    }

    mutating func allowRepeat(of delivery: Delivery) {
        if let known = occurrences[delivery.number] { mayRepeat.insert(known.occurrence) }
    }

    var localZone: Zone { SimulatedZones.versions[localIndex][fileVersions[localIndex]] }

    func zoneFile(_ name: String) -> Zone? {
        SimulatedZones.names.firstIndex(of: name).map {
            SimulatedZones.versions[$0][fileVersions[$0]]
        }
    }

    // MARK: Clients

    private mutating func add(_ app: Int, _ drafts: [Draft], _ policy: FullPolicy) {
        startIfDown()
        var batch = batch(app, drafts)
        batch.whenFull = policy
        call { .submitted(batch, call: $0) }
    }

    private mutating func takeIn(_ drafts: [Int: [Draft]], isDryRun: Bool) {
        startIfDown()
        var batches = drafts.sorted { $0.key < $1.key }.map { batch($0, $1) }
        // A list that has a request of each app in turn, the last app's first.
        let turns = batches.indices.flatMap { app in
            batches[app].requests.indices.map { (turn: $0, app: app) }
        }
        .sorted { ($0.turn, $1.app) < ($1.turn, $0.app) }
        for (place, entry) in turns.enumerated() {
            batches[entry.app].places = (batches[entry.app].places ?? []) + [place]
        }
        call { .importAsked(batches, isDryRun: isDryRun, call: $0) }
    }

    private mutating func batch(_ app: Int, _ drafts: [Draft]) -> Batch {
        var requests: [Request] = []
        var named: [String: Zone] = [:]
        for draft in drafts {
            lastTitle += 1
            let request = draft.request(title: "#\(lastTitle)", at: now)
            let key = RequestKey(app: "app\(app)", identifier: request.identifier)
            titles[key, default: []].append((number: lastTitle, title: request.content.title))
            requests.append(request)
            if case .calendar(let calendar) = request.trigger, let name = calendar.zone {
                let zone = life?.zones[name] ?? zoneFile(name)
                life?.zones[name] = zone
                named[name] = zone
            }
        }
        return Batch(app: "app\(app)", requests: requests, zones: named)
    }

    private mutating func ask(
        _ app: Int?, _ identifiers: [Int]?, _ event: (Selection, CallToken) -> Event
    ) {
        startIfDown()
        let selection = Selection(
            app: app.map { "app\($0)" }, identifiers: identifiers?.map { "r\($0)" })
        call { event(selection, $0) }
    }

    private mutating func call(_ event: (CallToken) -> Event) {
        guard life != nil else { return }
        lastCall += 1
        turn(event(CallToken(number: lastCall)))
        run(for: 0)
    }
}
