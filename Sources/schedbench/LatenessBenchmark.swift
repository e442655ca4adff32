// How late a running schedd fires: one-shot dates at random instants, from due to the decision (the
// `fired` event) and to the Notify call as it arrives at the other end of schedd's connection to
// the bus, beside a bare timerfd and epoll loop that waits for other random instants meanwhile.

import Foundation
import Platform
import SchedulerClient
import SchedulerInterface

enum LatenessBenchmark {
    private static let perSecond = 5
    private static let unit = "us"

    static func run(_ settings: BenchmarkSettings) throws -> [ReportRow] {
        let bus = try NotificationRecorder()
        let daemon = try ScratchDaemon(busAddress: bus.address)
        try daemon.start()
        let connection = try daemon.connect()
        let start = Self.now() + 1_000_000
        let end = start + Int64(settings.seconds) * 1_000_000
        let count = settings.seconds * perSecond
        let dues = (0..<count).map { _ in Int64.random(in: start..<end) }
        try add(dues, over: connection)
        let bare = BareTimerLoop(dues: (0..<count).map { _ in Int64.random(in: start..<end) })
        bare.start()
        let fired = try decisions(count, of: daemon)
        let reference = bare.wait()
        return rows(fired, reference) + notifyRows(dues, bus)
    }

    private static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1e6) }

    private static func add(_ dues: [Int64], over connection: SchedulerConnection) throws {
        for first in stride(from: 0, to: dues.count, by: SampleRequests.perApp) {
            let numbers = first..<min(first + SampleRequests.perApp, dues.count)
            let requests = numbers.map { number in
                Wire.Request(
                    identifier: "\(number)", content: Wire.Content(title: "\(number)"),
                    trigger: Wire.Trigger(date: Wire.DateTrigger(atUsec: dues[number])))
            }
            _ = try connection.call(
                SchedulerMethod.Add.self,
                .init(app: SampleRequests.app(first), requests: requests))
        }
    }

    /// Microseconds from due to fired, for so many firings.
    private static func decisions(_ count: Int, of daemon: ScratchDaemon) throws -> [Int64] {
        let connection = try daemon.connect()
        var events = connection.stream(ManagerMethod.Subscribe.self, .init(app: nil, cursor: nil))
        var times: [Int64] = []
        while times.count < count, let part = try events.next() {
            for event in part.events ?? [] where event.kind == .fired {
                if let due = event.dueUsec { times.append(event.atUsec - due) }
            }
        }
        return times.sorted()
    }

    private static func rows(_ ours: [Int64], _ bare: [Int64]) -> [ReportRow] {
        var rows: [ReportRow] = [("p50", 0.5), ("p99", 0.99)].map { name, part in
            .compared(
                "due to decision, \(name)", ours: percentile(ours, part),
                to: percentile(bare, part), of: "bare timerfd and epoll", unit: unit, atMost: 1.5)
        }
        rows.append(
            .compared(
                "due to decision, max", ours: percentile(ours, 1), to: percentile(bare, 1),
                of: "bare timerfd and epoll", unit: unit, atLeast: nil))
        rows.append(
            .limited(
                "early firings", Double(ours.count { $0 < 0 }), unit: "of \(ours.count)", to: 0))
        return rows
    }

    private static func notifyRows(_ dues: [Int64], _ bus: NotificationRecorder) -> [ReportRow] {
        // The last call may still be on its way.
        Clock.pause(milliseconds: 200)
        let times = bus.calls.compactMap { call in
            Int(call.title).flatMap { dues.indices.contains($0) ? call.at - dues[$0] : nil }
        }.sorted()
        guard times.count == dues.count else {
            let text = "\(times.count) of \(dues.count) came"
            return [.missing("due to Notify, p99", unit: unit, because: text)]
        }
        return [
            .shown("due to Notify, p50", percentile(times, 0.5), unit: unit),
            .limited("due to Notify, p99", percentile(times, 0.99), unit: unit, to: 1_000),
            .shown("due to Notify, max", percentile(times, 1), unit: unit),
        ]
    }

    private static func percentile(_ sorted: [Int64], _ part: Double) -> Double {
        guard !sorted.isEmpty else { return .infinity }
        return Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))])
    }
}
