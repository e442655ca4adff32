// The store as the simulation sees it: rows, and how much of them would survive what. Commits that
// were not synced survive the end of the daemon, but power that goes takes them, newest first; a
// synced one secures all before it.

import Scheduling

/// Everything that is kept, and the model as it was when that was written.
struct FakeStore {
    struct Rows: Equatable {
        var pending: [RequestKey: PendingRequest] = [:]
        var deliveries: [RequestKey: Delivery] = [:]
        var missed: [Int64: Missed] = [:]
        var clock: ClockRecord?
        var lastSequence: Int64 = 0
        var lastDelivery: Int64 = 0
        var lastMissed: Int64 = 0
    }

    struct Version {
        var number: Int
        var rows: Rows
        var model: Model
    }

    /// The last synced version and those after it, oldest first; never empty.
    private(set) var versions: [Version]

    init(model: Model) {
        versions = [Version(number: 0, rows: Rows(), model: model)]
    }

    var current: Version { versions[versions.count - 1] }

    /// Writes all changes or none; the text says which change does not fit what is there.
    mutating func commit(_ commit: CommitQueue.Commit, model: Model) -> String? {
        var next = current
        for change in commit.changes {
            if let fault = next.rows.apply(change) { return fault }
        }
        next.number += 1
        next.model = model
        if commit.isDurable { versions = [] }
        versions.append(next)
        return nil
    }

    /// Loses all but `keeping` of the versions that are not synced.
    mutating func losePower(keeping: Int) {
        versions = Array(versions.prefix(keeping + 1))
    }

    /// What a start finds; after that all that is there is on disk.
    mutating func open() -> StoredState {
        let rows = current.rows
        return StoredState(
            pending: Array(rows.pending.values), deliveries: Array(rows.deliveries.values),
            missed: Array(rows.missed.values), clock: rows.clock, lastSequence: rows.lastSequence,
            lastDelivery: rows.lastDelivery, lastMissed: rows.lastMissed)
    }
}

extension FakeStore.Rows {
    /// Makes one change; the text says why it does not fit.
    fileprivate mutating func apply(_ change: Change) -> String? {
        let isFitting: Bool
        switch change {
        case .pending(let before, let after):
            isFitting = Self.replace(before, by: after, \.key, in: &pending)
            lastSequence = max(lastSequence, after?.sequence ?? 0)
        case .delivery(let before, let after):
            isFitting = Self.replace(before, by: after, \.key, in: &deliveries)
            lastDelivery = max(lastDelivery, after?.number ?? 0)
        case .missed(let before, let after):
            isFitting = Self.replace(before, by: after, \.number, in: &missed)
            lastMissed = max(lastMissed, after?.number ?? 0)
        case .clock(let before, let after):
            isFitting = clock == before
            clock = after
        }
        return isFitting ? nil : "the store does not hold what this replaces: \(change)"
    }

    private static func replace<Key, Row: Equatable>(
        _ before: Row?, by after: Row?, _ key: (Row) -> Key, in rows: inout [Key: Row]
    ) -> Bool {
        if let before, rows.removeValue(forKey: key(before)) != before { return false }
        if let after, rows.updateValue(after, forKey: key(after)) != nil { return false }
        return before != nil || after != nil
    }
}
