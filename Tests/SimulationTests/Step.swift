// One step of a simulated history. Steps are relative to the moment at which they are taken, so
// that a history still makes sense after some of its steps were dropped to find the shortest that
// fails.

import CivilTime
import Scheduling
import TestSupport

/// What happens next in the simulated world. Spans are microseconds.
enum Step: Sendable {
    case add(app: Int, [Draft], FullPolicy)
    /// One batch for each app that a draft is for.
    case takeIn([Int: [Draft]], isDryRun: Bool)
    /// nil = every app, or every identifier.
    case remove(app: Int?, [Int]?)
    case dismiss(app: Int?, [Int]?)
    /// Time passes and the daemon runs.
    case pass(Int64)
    /// Time passes and the daemon stands still: the machine sleeps, or the process is stopped.
    case suspend(Int64)
    case setClock(by: Int64, newsAfter: Int64)
    case setZone(Int, newsAfter: Int64)
    case replaceZoneFile(Int, newsAfter: Int64)
    case server(ServerMood)
    case disk(DiskMood)
    /// The user closes the n-th notification on the screen.
    case close(Int)
    /// The daemon dies after so many effects more; what is with the store then is written or not.
    case crash(afterEffects: Int, keepsInFlight: Bool)
    /// Power is lost: at most `keeping` of the commits that were not synced survive.
    case powerCut(keeping: Int, downFor: Int64, clockOff: Int64)
    case reboot(downFor: Int64, clockOff: Int64)
    case start
}

/// What a simulation plays.
struct History: Sendable {
    var start: WallInstant
    var timerLag: Int64
    var steps: [Step]
}

/// How the notification server behaves.
enum ServerMood: Sendable, Hashable {
    case gone
    case answers(after: Int64)
    /// Shows, and never says so.
    case silent
}

/// How the store's commits end.
enum DiskMood: Sendable, Hashable {
    case works(after: Int64)
    case fails(after: Int64)
    case stalls
}

/// A request to be added, with its instants relative to the moment of adding.
struct Draft: Sendable {
    enum When: Sendable {
        case now
        case date(Int64)
        case interval(Int64, repeats: Bool)
        case calendar(CalendarPattern, zone: Int?, repeats: Bool, Stride?)
    }

    var identifier: Int
    var when: When
    var startsIn: Int64?
    var endsIn: Int64?
    var maxCount: Int?
    var ifMissed = MissedPolicy.deliver
    var latenessLimit: Int64?

    /// The request, made at `now` with a title of its own.
    func request(title: String, at now: Moment) -> Request {
        func instant(_ span: Int64) -> WallInstant {
            WallInstant(microseconds: now.wall.microseconds + span)
        }
        let bounds = Bounds(
            startsAt: startsIn.map(instant), endsAt: endsIn.map(instant), maxCount: maxCount)
        let trigger: Trigger =
            switch when {
            case .now: .now
            case .date(let span): .date(instant(span))
            case .interval(let period, let repeats):
                .interval(IntervalTrigger(period: period, repeats: repeats, bounds: bounds))
            case .calendar(let pattern, let zone, let repeats, let stride):
                .calendar(
                    CalendarTrigger(
                        pattern: pattern, zone: zone.map { SimulatedZones.names[$0] },
                        repeats: repeats, stride: stride, bounds: bounds))
            }
        return Request(
            identifier: "r\(identifier)", content: Content(title: title), trigger: trigger,
            ifMissed: ifMissed, latenessLimit: latenessLimit)
    }
}

/// A few zones of every kind, by rule, each with a second set of rules that an update brings.
enum SimulatedZones {
    private static let rules: [(name: String, first: String, second: String)] = [
        ("Europe/Berlin", "CET-1CEST,M3.5.0,M10.5.0/3", "CET-1"),
        ("America/New_York", "EST5EDT,M3.2.0,M11.1.0", "EDT4"),
        ("Australia/Lord_Howe", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "<+11>-11"),
        ("America/Havana", "CST5CDT,M3.2.0/0,M11.1.0/1", "CST5CDT,M4.1.0/0,M10.1.0/1"),
        ("Asia/Kathmandu", "<+0545>-5:45", "<+0530>-5:30"),
        ("America/Nuuk", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "<-02>2"),
    ]

    static let names = rules.map(\.name)

    /// Two versions of each zone file.
    static let versions: [[Zone]] = rules.map { name, first, second in
        [first, second].map { text in
            guard let zone = try? Zone(name: name, posixRule: text) else {
                preconditionFailure("\(text) is not a rule")
            }
            return zone
        }
    }
}
