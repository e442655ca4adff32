// From nothing to READY, and back: everything that can fail is made first, each failure with its
// own message; then the queue is loaded, the socket answers, and only then the manager hears of it.

import CivilTime
import Dispatch
import Glibc
package import Platform
import Scheduling
import SchedulerInterface
import Varlink

/// Why schedd cannot start; the description is the last thing that it says.
package enum StartFailure: Error, CustomStringConvertible {
    case listen(ListenError)
    case socket(SocketError)
    case store(StoreError)
    case system(SystemError)

    package var description: String {
        switch self {
        case .listen(let error): "\(error)"
        case .socket(let error): "\(error)"
        case .store(let error): "\(error)"
        case .system(let error): "\(error)"
        }
    }
}

/// What is made before the daemon.
struct DaemonParts: Sendable {
    let executor: QueueExecutor
    let loop: EventLoop
    let configuration: Configuration
    let journal: Journal
    let moment: Moment
    let listener: UnixListener
    /// Random: names this run of the event log.
    let run: String
    let worker: StoreWorker
    let service: ServiceDescription
    let scheduler: Scheduler
    let notices: [StoreNotice]
    let zones: ZoneSource
}

/// Event sources that live as long as the daemon.
struct EventSources {
    var clock: ClockChangeSource?
    var sleep: SleepWatch?
    var zoneFiles: DirectoryWatch?
    var localtime: DirectoryWatch?
    var signals: [SignalSource] = []
}

extension Daemon {
    /// Makes a daemon that is ready to start. `passed` is the socket that systemd opened, if any.
    package static func prepare(
        _ configuration: Configuration, journal: Journal, notifier: sending ServiceNotifier,
        passed: UnixListener?
    ) throws(StartFailure) -> Daemon {
        let executor = QueueExecutor(label: "io.schedd")
        let loop = try eventLoop(on: executor.queue)
        let boot = Clock.bootMicroseconds()
        let moment = Moment(
            wall: WallInstant(microseconds: boot + Clock.wallOffsetMicroseconds()),
            boot: BootInstant(microseconds: boot))
        let (store, stored, notices) = try open(configuration.stateDirectory, at: moment)
        for notice in notices { journal.log(.warning, "\(notice)") }
        var zones = ZoneSource(configuration)
        for problem in zones.load(names: stored.zoneNames) { journal.log(.warning, problem) }
        let (listener, run, bootID) = try systemParts(configuration, passed: passed)
        let (scheduler, effects) = Scheduler.restore(
            stored, at: moment, bootID: bootID, localZone: zones.local,
            isStandIn: zones.localProblem != nil, zones: zones.named)
        let daemon = Daemon(
            DaemonParts(
                executor: executor, loop: loop, configuration: configuration, journal: journal,
                moment: moment, listener: listener, run: run,
                worker: StoreWorker(store: store, loop: loop),
                service: description, scheduler: scheduler, notices: notices, zones: zones),
            notifier: notifier)
        executor.queue.sync { daemon.assumeIsolated { $0.commitRestored(effects, at: moment) } }
        return daemon
    }

    private static func open(
        _ directory: String, at moment: Moment
    ) throws(StartFailure) -> (Store, StoredState, [StoreNotice]) {
        do throws(StoreError) {
            return try Store.open(directory: directory, now: moment.wall)
        } catch {
            throw .store(error)
        }
    }

    private static func eventLoop(on queue: DispatchQueue) throws(StartFailure) -> EventLoop {
        do throws(SystemError) {
            return try EventLoop(queue: queue)
        } catch {
            throw .system(error)
        }
    }

    private static func systemParts(
        _ configuration: Configuration, passed: UnixListener?
    ) throws(StartFailure) -> (listener: UnixListener, run: String, bootID: String) {
        do {
            let listener = try passed ?? UnixListener(binding: configuration.socketPath)
            let run = try SystemRandom.bytes(count: 8).map { String($0, radix: 16) }.joined()
            return (listener, run, try Clock.bootID())
        } catch let error as SocketError {
            throw .socket(error)
        } catch let error as SystemError {
            throw .system(error)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private static var description: ServiceDescription {
        ServiceDescription(
            vendor: "schedd", product: "schedd", version: SchedulerVersion.text,
            url: "man:schedd(8)",
            interfaces: [
                .init(
                    name: SchedulerMethod.interface, text: SchedulerMethod.interfaceText,
                    methods: SchedulerMethod.allCases.map(\.rawValue)),
                .init(
                    name: ManagerMethod.interface, text: ManagerMethod.interfaceText,
                    methods: ManagerMethod.allCases.map(\.rawValue)),
            ])
    }

    /// What restoring changed is committed with the first turn.
    private func commitRestored(_ effects: [Effect], at moment: Moment) {
        for effect in commits.add(.clockChanged, effects, at: moment) { act(effect) }
    }

    /// Starts everything and tells the manager; call it once, from outside the daemon's queue.
    package nonisolated func start() throws(StartFailure) {
        let result: Result<Void, SystemError> = executor.queue.sync {
            assumeIsolated { daemon in
                Result { () throws(SystemError) in try daemon.startSources() }
            }
        }
        do throws(SystemError) {
            try result.get()
        } catch {
            throw .system(error)
        }
    }

    private func startSources() throws(SystemError) {
        timer = TimerSource(on: loop) { [weak self] in
            self?.assumeIsolated { $0.timerFired() }
        }
        sources.clock = try ClockChangeSource(on: loop) { [weak self] in
            self?.assumeIsolated { $0.clockChanged() }
        }
        sources.sleep = SleepWatch(on: loop) { [weak self] in
            self?.assumeIsolated { $0.clockChanged() }
        }
        for signal in [SignalSource.Signal.terminate, .interrupt] {
            sources.signals.append(
                SignalSource(signal, on: executor.queue) { [weak self] in
                    self?.assumeIsolated { $0.stop() }
                })
        }
        watchZones()
        connectPresentation()
        try endpoint.start { [weak self] wake in
            self?.assumeIsolated { $0.handle(wake) }
        }
        send(.ready(status: statusLine))
        journal.log(.info, "ready: \(statusLine)")
        turn(.started)
    }

    // MARK: The end

    /// SIGTERM: accepts no more, writes what is under way or was refused, and leaves.
    func stop() {
        guard !isStopping else { return }
        isStopping = true
        owesLastTry = true
        send(.stopping)
        finishTurn(at: readClocks())
    }

    func finishStopping() {
        endpoint.stop()
        bus?.stop()
        worker.close()
        journal.log(.info, "stopped")
        exit(0)
    }
}

extension StoredState {
    /// Every zone that a pending request names.
    var zoneNames: Set<String> {
        var names: Set<String> = []
        for pending in pending {
            if case .calendar(let calendar) = pending.request.trigger, let name = calendar.zone {
                names.insert(name)
            }
        }
        return names
    }
}
