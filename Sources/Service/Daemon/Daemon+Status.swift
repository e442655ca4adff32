// What schedd says about itself: to GetStatus, to the service manager, and to the journal.

import CivilTime
import Glibc
import Platform
import Scheduling
import SchedulerInterface

extension Daemon {
    func status() -> ManagerMethod.GetStatus.Reply {
        let counts = scheduler.counts
        let now = readClocks()
        let presentation = bus?.summary
        let state: Wire.PresentationState =
            switch (presentation?.isConnected ?? false, presentation?.serverName) {
            case (true, .some): .connected
            case (true, nil): .noServer
            case (false, _): .noBus
            }
        return ManagerMethod.GetStatus.Reply(
            version: SchedulerVersion.text, processID: Int64(getpid()),
            startedUsec: started.microseconds,
            nowUsec: now.wall.microseconds, apps: Int64(counts.apps),
            pending: Int64(counts.pending), backlog: Int64(counts.backlog),
            delivered: Int64(counts.delivered),
            missed: Int64(counts.missed), nextUsec: scheduler.nextFiring?.microseconds,
            waiting: Int64(counts.waiting), timeZone: scheduler.machineZone.name,
            timeZoneSource: zones.source, stateDirectory: configuration.stateDirectory,
            storage: storage.isFailing ? .failing : .ok, storageMessage: storage.message,
            presentation: state,
            notificationServer: presentation?.serverTitle ?? presentation?.serverName,
            presentationMessage: presentationMessage ?? presentation?.lastError,
            connections: Int64(endpoint.connectionCount))
    }

    /// Pings the watchdog and updates the status line of `systemctl status`.
    func reportHealth(at now: Moment) {
        let boot = now.boot.microseconds
        if beat.beats(at: boot) { send(.watchdog) }
        if let line = beat.status({ statusLine }, at: boot) { send(.status(line)) }
    }

    func send(_ message: ServiceNotifier.Message) {
        if let failure = notifier.send(message) { journal.log(.warning, "\(failure)") }
    }

    var statusLine: String {
        let counts = scheduler.counts
        var text =
            "\(counts.pending) pending in \(counts.apps) \(counts.apps == 1 ? "app" : "apps")"
        if let next = scheduler.nextFiring {
            text += ", next at \(localTime(next))"
        }
        if counts.backlog > 0 { text += ", \(counts.backlog) in the backlog" }
        if counts.waiting > 0 { text += ", \(counts.waiting) waiting for a notification server" }
        if storage.isFailing { text += ", the disk refuses changes" }
        return text
    }

    /// An instant in the machine's zone: "2026-12-01 09:00:00 CET".
    func localTime(_ instant: WallInstant) -> String {
        let zone = scheduler.machineZone
        let seconds = instant.wholeSeconds
        let offset = zone.description(at: seconds)
        let civil = CivilDateTime(localSeconds: seconds + Int64(offset.seconds))
        return "\(civil.text) \(offset.abbreviation)"
    }

    /// One line for what a user may want to look up later. Titles and bodies are not logged: they
    /// are private.
    func log(_ event: SchedulerEvent) {
        let request = "\(event.key.app)/\(event.key.identifier)"
        let text: String
        var level = Journal.Level.info
        switch event.kind {
        case .added(let next, _): text = "added \(request), fires at \(localTime(next))"
        case .rescheduled(let next, _): text = "moved \(request), fires at \(localTime(next))"
        case .removed(let reason): text = "removed \(request): \(reason)"
        case .fired(let delivery, _):
            text =
                delivery.late
                ? "fired \(request) late, due at \(localTime(delivery.due)), "
                    + "\(delivery.missedCount) missed"
                : "fired \(request)"
        case .presented: text = "presented \(request)"
        case .removedDelivered(_, let reason): text = "removed delivered \(request): \(reason)"
        case .missed(let missed):
            level = .notice
            text = "missed \(request), due at \(localTime(missed.due)): \(missed.reason)"
        }
        journal.log(
            level, text,
            fields: [
                "SCHEDD_APP": event.key.app, "SCHEDD_REQUEST": event.key.identifier,
                "SCHEDD_EVENT": event.kind.name,
            ])
    }
}

extension SchedulerEvent.Kind {
    /// The word for it on the wire and in the journal.
    var name: String {
        switch self {
        case .added: "added"
        case .rescheduled: "rescheduled"
        case .removed: "removed"
        case .fired: "fired"
        case .presented: "presented"
        case .removedDelivered: "removedDelivered"
        case .missed: "missed"
        }
    }
}
