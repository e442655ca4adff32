// schedd under load, killed again and again at any instant, and compared after every restart with
// all that it had acknowledged. The load follows from the seed; the kernel's timing does not.

import Foundation
import Platform
import TestSupport
import Testing

@Suite(.serialized)
struct CrashTests {
    /// 5,000 crashes with SCHEDD_LONG=1.
    static let seeds: Range<UInt64> =
        ProcessInfo.processInfo.environment["SCHEDD_LONG"] == nil ? 0..<2 : 0..<200

    @Test(arguments: seeds)
    func `B56: killed 25 times under load, it has what it acknowledged`(seed: UInt64) throws {
        try TestBed.run { bed in
            var run = try CrashRun(bed, seed: seed)
            for _ in 0..<25 where run.faults.isEmpty { try run.cycle() }
            if run.faults.isEmpty { try run.settle() }
            #expect(
                run.faults.isEmpty,
                "seed \(seed), crash \(run.crashes): \(run.faults.joined(separator: "\n"))")
            // A load that does nothing proves nothing.
            #expect(run.record.firedCount > 25, "seed \(seed)")
            #expect(run.acknowledged > 250, "seed \(seed)")
            #expect(run.dismissals > 0, "seed \(seed)")
            #expect(run.backlogged > 0, "seed \(seed)")
        }
    }
}

/// The run of one seed.
struct CrashRun {
    /// What schedd is killed after; the number counts from the start of the cycle.
    private enum Kill {
        case acknowledgements(Int)
        case fired(Int)
        case shown(Int)
        case answered(Int)
    }

    private let bed: TestBed
    private let bus: PrivateBus
    private let server: NotificationServer
    private var random: SplitMix64
    private var clients: [CrashClient]
    private var subscription: RawConnection?
    private var unanswered: [(notify: NotificationServer.Notify, rounds: Int)] = []
    private(set) var record = CrashRecord()
    private(set) var faults: [String] = []
    private(set) var crashes = 0
    private(set) var dismissals = 0
    /// How many were found in the backlog, over all restarts.
    private(set) var backlogged = 0
    private var answered = 0

    init(_ bed: TestBed, seed: UInt64) throws {
        self.bed = bed
        bus = try PrivateBus(in: bed)
        server = try NotificationServer(on: bus.address)
        random = SplitMix64(seed: seed)
        clients = (0..<4).map {
            CrashClient(
                app: "app\($0)", index: $0, habit: $0 < 3 ? .replacing : .queueing, seed: seed)
        }
    }

    var acknowledged: Int { clients.map(\.acknowledged).reduce(0, +) }

    /// Start, compare, load, kill.
    mutating func cycle() throws {
        let daemon = try start()
        guard faults.isEmpty else { return }
        let kill = nextKill()
        let before = (acknowledged, record.firedCount, server.calls.count, answered)
        let deadline = Deadline.usual
        while faults.isEmpty {
            try round(isLoaded: true)
            let isTime =
                switch kill {
                case .acknowledgements(let count): acknowledged - before.0 >= count
                case .fired(let count): record.firedCount - before.1 >= count
                case .shown(let count): server.calls.count - before.2 >= count
                case .answered(let count): answered - before.3 >= count
                }
            if isTime { break }
            if deadline.isPast { throw TestError.failed("nothing happens: \(kill)") }
        }
        // Part of the load: anywhere in what schedd does next.
        let instant = Deadline.after(seconds: Double(random.below(3_000)) / 1_000_000)
        while !instant.isPast {}
        daemon.crash()
        crashes += 1
        for index in clients.indices { faults += try clients[index].drain() }
        try readEvents(.usual)
        subscription = nil
        try takeCalls()
        // Nobody hears an answer any more.
        unanswered = []
    }

    /// Without load: everything that is due fires, and all of it is shown.
    mutating func settle() throws {
        let daemon = try start()
        let control = try bed.connect()
        let apps = clients.map(\.app)
        // What repeats would never be done.
        let repeating = Set(clients.flatMap { $0.versions.values }.filter(\.repeats).map(\.title))
        for app in apps {
            let pending = try control.call("io.schedd.Scheduler.ListPending", ["app": app])
            let ends = (pending["parameters"]["pending"].array ?? []).filter {
                repeating.contains($0["content"]["title"].string ?? "")
            }
            _ = try control.call(
                "io.schedd.Scheduler.RemovePending",
                ["app": app, "identifiers": ends.compactMap { $0["identifier"].string }])
        }
        // What is late is shown at 5 a second per app: too long a wait for the large one.
        for client in clients where client.habit == .queueing {
            _ = try control.call(
                "io.schedd.Scheduler.RemoveDelivered", ["app": client.app, "all": true])
        }
        let deadline = Deadline.after(seconds: 60)
        let hour = Set(
            clients.flatMap { $0.versions.values }.filter { !$0.maySoonFire }.map(\.title))
        let isSettled = try deadline.waits {
            try round(isLoaded: false)
            let pending = try control.call("io.schedd.Manager.ListPending")
            let status = try control.call("io.schedd.Manager.GetStatus")
            return status["parameters"]["waiting"].int == 0
                && (pending["parameters"]["pending"].array ?? []).allSatisfy {
                    hour.contains($0["content"]["title"].string ?? "")
                }
        }
        if !isSettled { faults.append("what is due does not fire, or is not shown") }
        let delivered = try control.call("io.schedd.Manager.ListDelivered")
        for delivery in delivered["parameters"]["delivered"].array ?? [] {
            let title = delivery["content"]["title"].string ?? ""
            if !repeating.contains(title), !record.shownTitles.contains(title) {
                faults.append("\(title) is in the delivered list and was never shown")
            }
        }
        daemon.stop()
    }

    private mutating func nextKill() -> Kill {
        switch random.below(5) {
        case 0: .fired(1 + random.below(8))
        case 1: .shown(1 + random.below(8))
        case 2: .answered(1 + random.below(8))
        default: .acknowledgements(1 + random.below(80))
        }
    }

    // MARK: After a restart

    private mutating func start() throws -> Daemon {
        let daemon = try bed.daemon(environment: bus.environment)
        let connection = try bed.connect()
        var seen = Array(repeating: [String: CrashModel.State](), count: clients.count)
        let reply = try connection.call("io.schedd.Manager.ListBacklog")
        let backlog = (reply["parameters"]["backlog"].array ?? []).compactMap { version(of: $0) }
        backlogged += backlog.count
        try connection.send(
            message: RawConnection.call("io.schedd.Manager.Subscribe", more: true))
        while let reply = try connection.receive() {
            for pending in reply["parameters"]["pending"].array ?? [] {
                guard let (index, version) = version(of: pending) else { continue }
                seen[index][version.identifier, default: .init()].pending = version
            }
            for delivery in reply["parameters"]["delivered"].array ?? [] {
                guard let (index, version) = version(of: delivery) else { continue }
                seen[index][version.identifier, default: .init()].delivered = version
                if let fault = record.check(listed: delivery) { faults.append(fault) }
                // No server has answered since the start, so this was read from the disk.
                if delivery["presentedUsec"].int != nil, !version.repeats {
                    record.notePresented(version.title)
                }
            }
            if reply["parameters"]["ready"].bool == true { break }
        }
        subscription = connection
        // What was in the backlog a moment ago is there, or in the queue, or has fired since then.
        for (index, version) in backlog {
            let state = seen[index][version.identifier] ?? .init()
            if state.pending == nil, state.delivered != version {
                seen[index][version.identifier, default: .init()].pending = version
            }
        }
        for index in clients.indices {
            faults += clients[index].compare(with: seen[index])
            try clients[index].connect(bed.socketPath)
        }
        return daemon
    }

    private mutating func version(of entry: JSON) -> (index: Int, Version)? {
        let title = entry["content"]["title"].string ?? ""
        guard let index = clients.firstIndex(where: { $0.app == entry["app"].string }),
            let version = clients[index].versions[title],
            version.identifier == entry["identifier"].string
        else {
            faults.append("nobody added \(entry)")
            return nil
        }
        return (index, version)
    }

    // MARK: Under load

    private mutating func round(isLoaded: Bool) throws {
        if isLoaded {
            for index in clients.indices { faults += try clients[index].step() }
        }
        try readEvents(.after(seconds: 0.001))
        try takeCalls(isLoaded: isLoaded)
        for index in unanswered.indices { unanswered[index].rounds -= 1 }
        for (notify, _) in unanswered.filter({ $0.rounds < 0 }) {
            try server.answer(notify)
            answered += 1
            if isLoaded, random.below(6) == 0 { try dismiss(notify) }
        }
        unanswered.removeAll { $0.rounds < 0 }
    }

    private mutating func dismiss(_ notify: NotificationServer.Notify) throws {
        for index in clients.indices {
            guard let version = clients[index].versions[notify.summary] else { continue }
            clients[index].note(dismissed: version)
            dismissals += 1
        }
        try server.dismiss(notify)
    }

    private mutating func takeCalls(isLoaded: Bool = true) throws {
        for notify in try server.take() {
            unanswered.append((notify, isLoaded ? random.below(6) : 0))
            let version = clients.lazy.compactMap { $0.versions[notify.summary] }.first
            guard let version else {
                faults.append("nobody added \(notify.summary), which was shown")
                continue
            }
            guard !version.repeats else { continue }
            if let fault = record.noteShown(version.title, by: notify.sender) {
                faults.append(fault)
            }
        }
    }

    /// Reads what has come; with a longer deadline, to the end of the connection.
    private mutating func readEvents(_ deadline: Deadline) throws {
        while let reply = try subscription?.receive(deadline) {
            for event in reply["parameters"]["events"].array ?? [] { note(event) }
        }
    }

    private mutating func note(_ event: JSON) {
        guard let index = clients.firstIndex(where: { $0.app == event["app"].string }) else {
            faults.append("an event of nobody: \(event)")
            return
        }
        switch event["kind"].string {
        case "fired":
            let title = event["title"].string ?? ""
            guard let version = clients[index].versions[title] else {
                faults.append("nobody added what fired: \(event)")
                return
            }
            clients[index].note(fired: version)
            if let fault = record.noteFired(event, title: title) { faults.append(fault) }
        case "presented":
            guard let number = event["delivery"].int else { return }
            guard let title = record.title(of: number) else { return }
            if clients[index].versions[title]?.repeats == false { record.notePresented(title) }
        case "removedDelivered":
            if let number = event["delivery"].int { record.noteRemoved(number) }
        default:
            break
        }
    }
}
