// Histories drawn from a seed. Every run has its own weights, some of them zero, so that one run is
// all reboots and the next has none: what hides in rare combinations comes up sooner that way.

import CivilTime
import Scheduling
import TestSupport

/// The source of one history.
struct Scenario {
    private var random: SplitMix64
    private let apps: Int
    private let identifiers: Int
    private let isCrowd: Bool
    private let weights: [Kind: Int]
    private let spans: [Int64]
    private let starts: WallInstant
    private let triggers: [TriggerKind: Int]

    private enum Kind: CaseIterable {
        case add, takeIn, remove, dismiss, pass, suspend, setClock, setZone, replaceZoneFile,
            server, disk
        case close, crash, powerCut, reboot, start
    }

    private enum TriggerKind: CaseIterable {
        case now, date, interval, calendar
    }

    /// Instants near which something happens to the zones of the simulation, or to the calendar.
    private static let beginnings = [
        "2026-03-28T20:00:00Z", "2026-10-24T22:00:00Z", "2026-03-07T20:00:00Z",
        "2026-10-31T20:00:00Z", "2026-10-03T10:00:00Z", "2026-04-04T10:00:00Z",
        "2026-12-31T20:00:00Z", "2028-02-28T12:00:00Z", "2026-06-01T08:59:58Z",
    ].map { WallInstant($0) }

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        apps = Int.random(in: 1...3, using: &random)
        // A crowd fills the queue of an app.
        isCrowd = Int.random(in: 0..<8, using: &random) == 0
        identifiers = isCrowd ? 90 : Int.random(in: 2...12, using: &random)
        var weights: [Kind: Int] = [:]
        for kind in Kind.allCases {
            let isOn = kind == .add || kind == .pass || Int.random(in: 0..<5, using: &random) > 1
            weights[kind] = isOn ? Int.random(in: 1...6, using: &random) : 0
        }
        weights[.add] = Int.random(in: 6...16, using: &random)
        weights[.pass] = Int.random(in: 6...16, using: &random)
        self.weights = weights
        var triggers: [TriggerKind: Int] = [:]
        for kind in TriggerKind.allCases {
            triggers[kind] = Int.random(in: 0...4, using: &random)
        }
        triggers[.calendar, default: 0] += 1
        // One request that is refused would refuse its whole batch.
        self.triggers = isCrowd ? [.date: 2, .interval: 1] : triggers
        // Runs of seconds, of hours, of months, and of all of them.
        let scales: [[Int64]] = [
            [1_000, 100_000, 1_000_000, 30_000_000], [60_000_000, 3_600_000_000],
            [3_600_000_000, 86_400_000_000, 864_000_000_000],
            [1_000, 1_000_000, 60_000_000, 3_600_000_000, 86_400_000_000, 31_536_000_000_000],
        ]
        spans = scales[Int.random(in: 0..<scales.count, using: &random)]
        starts = Self.beginnings[Int.random(in: 0..<Self.beginnings.count, using: &random)]
        self.random = random
    }

    static func history(seed: UInt64) -> History {
        var scenario = Scenario(seed: seed)
        let count = scenario.number(10...45)
        return History(
            start: scenario.starts, timerLag: [0, 80, 4_000][scenario.number(0...2)],
            steps: (0..<count).map { _ in scenario.step() })
    }

    // MARK: Steps

    private mutating func step() -> Step {
        switch pick(weights) {
        case .add: .add(app: number(0...apps - 1), drafts(), policy())
        case .takeIn:
            .takeIn(
                Dictionary(
                    [number(0...apps - 1), number(0...apps - 1)].map { ($0, drafts()) },
                    uniquingKeysWith: { _, new in new }), isDryRun: chance(4))
        case .remove: .remove(app: someApp(), someIdentifiers())
        case .dismiss: .dismiss(app: someApp(), someIdentifiers())
        case .pass: .pass(span())
        case .suspend: .suspend(span())
        case .setClock: .setClock(by: chance(2) ? span() : -span(), newsAfter: delay())
        case .setZone: .setZone(number(0...SimulatedZones.names.count - 1), newsAfter: delay())
        case .replaceZoneFile:
            .replaceZoneFile(number(0...SimulatedZones.names.count - 1), newsAfter: delay())
        case .server:
            .server(
                [.gone, .answers(after: delay()), .answers(after: 1_000), .silent][number(0...3)])
        case .disk:
            .disk(
                [
                    .works(after: 0), .works(after: 20_000), .fails(after: delay()),
                    .fails(after: 400_000), .stalls, .works(after: 600_000),
                ][number(0...5)])
        case .close: .close(number(0...5))
        case .crash: .crash(afterEffects: number(0...6), keepsInFlight: chance(2))
        case .powerCut: .powerCut(keeping: number(0...3), downFor: span(), clockOff: clockOff())
        case .reboot: .reboot(downFor: span(), clockOff: clockOff())
        case .start: .start
        }
    }

    private mutating func policy() -> FullPolicy {
        [.fail, .fail, .keepSoonest, .keepLatestAdded, .queue][number(0...4)]
    }

    private mutating func someApp() -> Int? {
        chance(6) ? nil : number(0...apps - 1)
    }

    private mutating func someIdentifiers() -> [Int]? {
        if chance(5) { return nil }
        return (0..<number(1...3)).map { _ in number(0...identifiers - 1) }
    }

    private mutating func drafts() -> [Draft] {
        let isTwice = chance(30)
        var drafts: [Draft] = []
        for _ in 0..<number(1...(isCrowd ? 80 : 3)) {
            let draft = draft()
            if isTwice || !drafts.contains(where: { $0.identifier == draft.identifier }) {
                drafts.append(draft)
            }
        }
        return drafts
    }

    private mutating func draft() -> Draft {
        let when: Draft.When
        switch pick(triggers) {
        case .now: when = .now
        case .date: when = .date(!isCrowd && chance(20) ? -span() : span())
        case .interval:
            let repeats = chance(2)
            let periods: [Int64] = [60_000_000, 900_000_000, 3_600_000_000, 86_400_000_000]
            let period = chance(2) ? periods[number(0...3)] : max(span(), 1)
            when = .interval(repeats ? max(period, 60_000_000) : period, repeats: repeats)
        case .calendar:
            when = calendar()
        }
        var draft = Draft(identifier: number(0...identifiers - 1), when: when)
        if draft.repeats, !isCrowd { bound(&draft) }
        if chance(3) { draft.ifMissed = .skip }
        if chance(4) { draft.latenessLimit = chance(3) ? 0 : span() }
        return draft
    }

    private mutating func bound(_ draft: inout Draft) {
        if chance(5) { draft.startsIn = chance(2) ? span() : -span() }
        if chance(5) { draft.endsIn = (draft.startsIn ?? 0) + 4 * span() }
        if chance(4) { draft.maxCount = number(1...6) }
    }

    private mutating func calendar() -> Draft.When {
        let zone = chance(2) ? nil : number(0...SimulatedZones.names.count - 1)
        let repeats = chance(3) == false
        let stride: Stride? =
            repeats && chance(6)
            ? Stride(count: number(2...3), unit: [.day, .week, .month][number(0...2)]) : nil
        let near = CivilDateTime(localSeconds: starts.wholeSeconds)
        while true {
            let drawn = RandomPattern(using: &random, near: near)
            // Patterns of seconds and minutes make every long span expensive.
            if drawn.fields[.hour] == nil, !drawn.fields.keys.contains(where: \.isOfDate),
                !chance(20)
            {
                continue
            }
            if drawn.fields[.hour] == nil,
                drawn.fields[.minute] != nil || drawn.fields[.second] != nil,
                !chance(20)
            {
                continue
            }
            guard let pattern = try? drawn.make() else { continue }
            return .calendar(pattern, zone: zone, repeats: repeats, stride)
        }
    }

    // MARK: Numbers

    private mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    /// True once in `count` times.
    private mutating func chance(_ count: Int) -> Bool { number(1...count) == 1 }

    /// Round ones meet each other, odd ones meet nothing.
    private mutating func span() -> Int64 {
        let unit = spans[number(0...spans.count - 1)]
        return chance(3)
            ? Int64.random(in: 1...unit * 5, using: &random) : unit * Int64(number(1...5))
    }

    /// How long news takes.
    private mutating func delay() -> Int64 {
        chance(2) ? 0 : Int64(number(1...3_000_000))
    }

    private mutating func clockOff() -> Int64 {
        chance(2) ? 0 : (chance(2) ? span() : -span())
    }

    private mutating func pick<Choice: CaseIterable & Hashable>(_ weights: [Choice: Int]) -> Choice
    {
        let total = weights.values.reduce(0, +)
        var left = number(1...total)
        for choice in Choice.allCases {
            left -= weights[choice] ?? 0
            if left <= 0 { return choice }
        }
        preconditionFailure("the weights add up to their total")
    }
}

extension Draft {
    var repeats: Bool {
        switch when {
        case .now, .date: false
        case .interval(_, let repeats), .calendar(_, _, let repeats, _): repeats
        }
    }
}
