// What the tests of the store share: directories that go away, a model of what must be stored, and
// seeded random values of everything that can be.

import CivilTime
import Dispatch
import Glibc
import Scheduling
import Service
import TestSupport
import Testing

/// A directory for one test, in memory where that is possible, since the tests make hundreds of
/// stores, each with many syncs; everything in it goes when the value does.
final class StoreFolder: Sendable {
    let path: String

    init() throws {
        let isInMemory = unsafe access("/dev/shm", W_OK | X_OK) == 0
        let parent = isInMemory ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/schedd-store-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }.map {
                unsafe String(cString: $0)
            }
        }
        path = try #require(made)
    }

    deinit { Files.removeAll(path) }

    var database: String { path + "/schedd.db" }
    var log: String { path + "/schedd.db-wal" }

    func open(vfs: String? = nil) throws(StoreError) -> (Store, StoredState, [StoreNotice]) {
        try Store.open(directory: path, now: StoreFolder.now, vfs: vfs)
    }

    /// What is stored, read by opening and closing the store.
    func contents(sourceLocation: SourceLocation = #_sourceLocation) throws -> StoredState {
        let (store, state, notices) = try open()
        store.shut()
        #expect(notices == [], sourceLocation: sourceLocation)
        return state
    }

    /// 2026-11-30T04:00:00Z.
    static let now = WallInstant(seconds: 1_796_011_200)
}

extension Store {
    /// Commits on the store's queue.
    func save(_ changes: [Change], durable: Bool = true) throws {
        try queue.sync {
            try commit(changes, durable: durable)
            tidy()
        }
    }

    /// Closes on the store's queue.
    func shut() {
        queue.sync { close() }
    }
}

/// What the store must hold after changes that were acknowledged.
struct StoreModel {
    private var pending: [Int64: PendingRequest] = [:]
    private var deliveries: [Int64: Delivery] = [:]
    private var missed: [Int64: Missed] = [:]
    private var last: (sequence: Int64, delivery: Int64, missed: Int64) = (0, 0, 0)
    private var clock: ClockRecord?

    mutating func apply(_ changes: [Change]) {
        for change in changes {
            switch change {
            case .pending(let before, let after):
                if let before { pending[before.sequence] = nil }
                if let after { pending[after.sequence] = after }
                last.sequence = max(last.sequence, after?.sequence ?? 0)
            case .delivery(let before, let after):
                if let before { deliveries[before.number] = nil }
                if let after { deliveries[after.number] = after }
                last.sequence = max(last.sequence, after?.sequence ?? 0)
                last.delivery = max(last.delivery, after?.number ?? 0)
            case .missed(let before, let after):
                if let before { missed[before.number] = nil }
                if let after { missed[after.number] = after }
                last.missed = max(last.missed, after?.number ?? 0)
            case .clock(_, let after):
                clock = after
            }
        }
    }

    var state: StoredState {
        StoredState(
            pending: pending.values.sorted { $0.sequence < $1.sequence },
            deliveries: deliveries.values.sorted { $0.number < $1.number },
            missed: missed.values.sorted { $0.number < $1.number }, clock: clock,
            lastSequence: last.sequence, lastDelivery: last.delivery, lastMissed: last.missed)
    }

    /// Changes as a turn makes them: adds, replacements, removals, firings and what follows them.
    func randomChanges(count: Int, using random: inout SplitMix64) -> [Change] {
        var model = self
        var changes: [Change] = []
        for _ in 0..<count {
            let change = model.randomChange(using: &random)
            model.apply([change])
            changes.append(change)
        }
        return changes
    }

    private func randomChange(using random: inout SplitMix64) -> Change {
        // By sorted keys: a dictionary's order differs from run to run.
        let request = pending.keys.sorted().randomElement(using: &random).flatMap { pending[$0] }
        let delivery = deliveries.keys.sorted().randomElement(using: &random)
            .flatMap { deliveries[$0] }
        let newPending = PendingRequest.random(sequence: last.sequence + 1, using: &random)
        switch (UInt8.random(in: 0..<8, using: &random), request, delivery) {
        case (0, let request?, _):
            return .pending(before: request, after: nil)
        case (1, let request?, _):
            return .pending(before: request, after: newPending)
        case (2, let request?, _):
            var fired = request
            fired.occurrenceCount += 1
            fired.fired.insert(request.added, directlyAfter: nil)
            return .pending(before: request, after: fired)
        case (3, _, _):
            let isOfNone = Bool.random(using: &random)
            return .delivery(
                before: nil,
                after: .random(
                    number: last.delivery + 1, of: isOfNone ? nil : request,
                    sequence: last.sequence + 1, using: &random))
        case (4, _, let delivery?):
            var presented = delivery
            presented.presented = .random(using: &random)
            return .delivery(before: delivery, after: presented)
        case (5, _, let delivery?):
            return .delivery(before: delivery, after: nil)
        case (6, _, _):
            return .missed(before: nil, after: .random(number: last.missed + 1, using: &random))
        case (7, _, _):
            let offset = Int64.random(in: -1_000...1_000, using: &random)
            return .clock(before: clock, after: ClockRecord(bootID: "boot", offset: offset))
        default:
            return .pending(before: nil, after: newPending)
        }
    }
}
