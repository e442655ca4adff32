// The event log's positions and the parts of long answers, on their own.

import SchedulerInterface
import Service
import TestSupport
import Testing
import Varlink

@Suite struct EventHistoryTests {
    private func event(_ number: Int, app: String = "a") -> Wire.Event {
        Wire.Event(kind: .added, app: app, identifier: "\(number)", atUsec: Int64(number))
    }

    private func log(events: Int) -> EventHistory {
        var log = EventHistory(run: "r")
        for number in 0..<events { log.append(event(number, app: number % 2 == 0 ? "a" : "b")) }
        return log
    }

    @Test func `a cursor leads back to its position`() {
        let log = log(events: 10)
        let found = log.position(of: log.cursor(at: 4))
        #expect(found == 4)
        #expect(
            log.events(from: 4, app: nil, limit: 3)?.events.map(\.identifier) == ["4", "5", "6"])
        #expect(log.events(from: 4, app: nil, limit: 3)?.next == 7)
        #expect(log.events(from: 10, app: nil, limit: 3)?.events.isEmpty == true)
    }

    @Test func `an event comes back with all that it had and nothing else`() {
        let plain = event(1)
        var events = [
            Wire.Event(
                kind: .missed, app: "org.example.Clock", identifier: "noon", atUsec: 1,
                nextUsec: 2, dueUsec: 3, delivery: 4, late: true, missedCount: 5, title: "Noon",
                removal: .ended, missed: .skipped)
        ]
        let fields: [(inout Wire.Event) -> Void] = [
            { $0.nextUsec = 2 }, { $0.dueUsec = 3 }, { $0.delivery = 4 }, { $0.late = false },
            { $0.missedCount = 5 }, { $0.title = "Noon" }, { $0.removal = .evicted },
            { $0.missed = .zoneChanged },
        ]
        for set in fields {
            var event = plain
            set(&event)
            events.append(event)
        }
        for kind in Wire.EventKind.allCases {
            var event = plain
            event.kind = kind
            events.append(event)
        }
        var log = EventHistory(run: "r")
        for event in events { log.append(event) }
        #expect(log.events(from: 0, app: nil, limit: 100)?.events == events)
    }

    @Test func `an app's subscriber passes over the others' events`() {
        let log = log(events: 10)
        let found = log.events(from: 0, app: "b", limit: 2)
        #expect(found?.events.map(\.identifier) == ["1", "3"])
        #expect(found?.next == 4)
    }

    @Test(arguments: [
        "", "r", "r-", "r-x", "r--1", "r-11", "s-4", "r-4-4", "r-99999999999999999999",
    ])
    func `a cursor that is not of this log is not taken up`(cursor: String) {
        #expect(log(events: 10).position(of: cursor) == nil)
    }

    @Test func `a position that has been forgotten is told apart from one that has nothing new`() {
        let log = log(events: EventHistory.capacity * 2 + 10)
        #expect(log.position(of: "r-0") == nil)
        #expect(log.events(from: 0, app: nil, limit: 1) == nil)
        let oldest = log.end - EventHistory.capacity
        #expect(log.position(of: log.cursor(at: oldest)) == oldest)
        #expect(log.events(from: oldest, app: nil, limit: 1)?.events.first == event(oldest))
    }

    @Test func `after the past is forgotten no old cursor is good`() {
        var log = log(events: 10)
        let cursor = log.cursor(at: 4)
        log.forget()
        #expect(log.position(of: cursor) == nil)
        #expect(log.position(of: log.cursor(at: log.end)) == log.end)
    }
}

@Suite struct PartStreamTests {
    private struct Part: JSONWritable {
        var rows: [Int]

        func write(to text: inout JSONText) {
            text.object { text in text.member("rows", rows.map(Int64.init)) }
        }
    }

    /// The rows of each part, made to the end.
    private func parts(_ rows: [Int], weight: Int) -> [[Int]] {
        var made: [[Int]] = []
        let stream = PartStream(rows: rows, weight: { _ in weight }) { part, isLast in
            made.append(Array(part))
            return isLast ? .reply(Part(rows: Array(part))) : .update(Part(rows: Array(part)))
        }
        var steps = 0
        while steps < 1_000 {
            steps += 1
            let (message, isLast) = stream.makeNext()
            #expect(message.continues == !isLast)
            if isLast { break }
        }
        return made
    }

    @Test func `rows are cut into parts by weight, in order`() {
        let weight = PartStream.partBytes / 4
        let made = parts(Array(0..<10), weight: weight)
        #expect(made.flatMap(\.self) == Array(0..<10))
        #expect(made.map(\.count) == [4, 4, 2])
    }

    @Test func `a row that is heavier than a part goes alone`() {
        #expect(parts([1, 2], weight: PartStream.partBytes * 2).map(\.count) == [1, 1])
    }

    @Test func `no rows are one empty part`() {
        #expect(parts([], weight: 1) == [[]])
    }
}
