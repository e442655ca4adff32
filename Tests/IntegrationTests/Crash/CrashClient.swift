// One app under load: it keeps a few calls under way, and takes every reply into its model.

import Platform
import TestSupport

extension SplitMix64 {
    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}

struct CrashClient {
    /// How an app behaves.
    enum Habit {
        /// So few identifiers that most additions replace something, and no limit is ever reached.
        case replacing
        /// More requests than the 64, in large batches, so that some wait in the backlog.
        case queueing

        var identifierCount: Int { self == .queueing ? 200 : 12 }
        var batchLimit: Int { self == .queueing ? 20 : 3 }
        /// Calls under way; every one doubles the futures that have to be compared.
        var window: Int { self == .queueing ? 2 : 4 }
    }

    let app: String
    let habit: Habit
    private var random: SplitMix64
    private(set) var model = CrashModel()
    private(set) var versions: [String: Version] = [:]
    private(set) var acknowledged = 0
    private var connection: RawConnection?
    private var underWay: [Operation] = []
    private let firstVersion: Int

    init(app: String, index: Int, habit: Habit, seed: UInt64) {
        self.app = app
        self.habit = habit
        random = SplitMix64(seed: seed &* 31 &+ UInt64(index))
        firstVersion = index * 1_000_000
    }

    mutating func connect(_ path: String) throws { connection = try RawConnection(path) }

    mutating func note(fired version: Version) { model.noteFired(version) }
    mutating func note(dismissed version: Version) { model.noteDismissed(version) }

    /// Sends as many calls as may be under way, and takes the replies that are there; what does
    /// not fit is returned in words.
    mutating func step() throws -> [String] {
        while underWay.count < habit.window {
            let operation = nextOperation()
            underWay.append(operation)
            try connection?.send(message: call(operation))
        }
        var faults: [String] = []
        while let reply = try connection?.receive(.after(seconds: 0)) { faults += take(reply) }
        return faults
    }

    /// After the crash: what schedd answered before it died was answered.
    mutating func drain() throws -> [String] {
        var faults: [String] = []
        while let reply = try connection?.receive() { faults += take(reply) }
        guard try connection?.isClosed() == true else {
            throw TestError.failed("the socket of a killed schedd stays open")
        }
        connection = nil
        return faults
    }

    /// The calls without an answer were carried out up to some point, in their order: one of these
    /// futures has to be the one that schedd shows after its restart.
    mutating func compare(with seen: [String: CrashModel.State]) -> [String] {
        var futures = [model]
        var latest = [model]
        for operation in underWay {
            for var next in latest {
                // Without an answer everything fits.
                _ = next.apply(operation, nil)
                latest.append(next)
            }
            // The call was carried out, or refused if it could be: then all is as before it.
            if !operation.mayBePast { latest.removeFirst(latest.count / 2) }
            futures += latest
        }
        underWay = []
        var matching: CrashModel?
        var faults: [String] = []
        for var future in futures {
            let differences = future.observe(seen)
            if differences.isEmpty {
                if matching == nil { matching = future } else { matching?.merge(future) }
            } else {
                faults.append("either \(differences.joined(separator: "; "))")
            }
        }
        guard let matching else { return faults.prefix(5).map { "\(app): \($0)" } }
        model = matching
        return []
    }

    private mutating func take(_ reply: JSON) -> [String] {
        guard !underWay.isEmpty else { return ["\(app): a reply to nothing: \(reply)"] }
        let operation = underWay.removeFirst()
        acknowledged += 1
        if let error = reply["error"].string {
            // A date that passed on the way; the whole batch is refused.
            guard error == "io.schedd.Scheduler.InPast", operation.mayBePast else {
                return ["\(app): \(operation) was refused: \(reply)"]
            }
            return model.apply(operation, .refused).map { ["\(app): \($0)"] } ?? []
        }
        let parameters = reply["parameters"]
        let answer: CrashModel.Answer
        switch operation {
        case .add(let batch):
            let added = parameters["added"].array ?? []
            guard added.compactMap({ $0["identifier"].string }) == batch.map(\.identifier),
                parameters["evicted"].array?.isEmpty == true
            else { return ["\(app): \(batch) answered \(reply)"] }
            answer = .added(replaced: added.map { $0["replaced"].bool == true })
        case .removePending, .removeDelivered:
            let identifiers = parameters["identifiers"].array?.compactMap(\.string) ?? []
            guard parameters["count"].int == identifiers.count else {
                return ["\(app): \(operation) answered \(reply)"]
            }
            answer = .removed(Set(identifiers))
        }
        return model.apply(operation, answer).map { ["\(app): \($0) does not fit"] } ?? []
    }

    private mutating func nextOperation() -> Operation {
        switch random.below(10) {
        case 0..<6:
            return .add(identifiers().map { newVersion(of: $0) })
        case 6..<8:
            return .removePending(identifiers())
        default:
            return .removeDelivered(identifiers())
        }
    }

    /// One to `batchLimit` different ones.
    private mutating func identifiers() -> [String] {
        let first = random.below(habit.identifierCount)
        return (0...random.below(habit.batchLimit)).map {
            "r\((first + $0) % habit.identifierCount)"
        }
    }

    private mutating func newVersion(of identifier: String) -> Version {
        let trigger: Version.Trigger =
            switch (random.below(12), habit) {
            case (0, _), (1, .replacing): .now
            case (2, _), (3...5, .replacing): .date(Int64(5_000 + random.below(300_000)))
            case (6, _), (7...8, .replacing): .interval(Int64(1_000 + random.below(300_000)))
            case (9, .replacing): .everySecond
            default: .hour
            }
        let version = Version(
            number: firstVersion + versions.count, identifier: identifier, trigger: trigger)
        versions[version.title] = version
        return version
    }

    private func call(_ operation: Operation) throws -> String {
        switch operation {
        case .add(let batch):
            return try RawConnection.call(
                "io.schedd.Scheduler.Add",
                [
                    "app": app, "requests": batch.map(request),
                    "whenFull": habit == .queueing ? "queue" : "fail",
                ])
        case .removePending(let identifiers):
            return try RawConnection.call(
                "io.schedd.Scheduler.RemovePending", ["app": app, "identifiers": identifiers])
        case .removeDelivered(let identifiers):
            return try RawConnection.call(
                "io.schedd.Scheduler.RemoveDelivered", ["app": app, "identifiers": identifiers])
        }
    }

    private func request(_ version: Version) -> [String: Any] {
        var request: [String: Any] = [
            "identifier": version.identifier, "content": ["title": version.title],
        ]
        switch version.trigger {
        case .now: break
        case .date(let after):
            request["trigger"] = ["date": ["atUsec": Clock.wallMicroseconds() + after]]
        case .interval(let microseconds):
            request["trigger"] = ["interval": ["seconds": Double(microseconds) / 1_000_000]]
        case .everySecond:
            request["trigger"] = [
                "calendar": ["second": Array(0..<60)], "repeats": true,
            ]
        case .hour:
            request["trigger"] = ["interval": ["seconds": 3_600]]
        }
        return request
    }
}
