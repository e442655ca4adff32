// How the store does, and when to try again after it refused: every call tries it; without calls,
// what has happened and is not written yet is offered every few seconds.

import Scheduling

struct StorageHealth {
    /// Between two attempts to write what no call is waiting for, in microseconds.
    static let retryMicroseconds: Int64 = 2_000_000

    private(set) var isFailing = false
    /// What the store said last, if something is wrong or was lost.
    private(set) var message: String?
    private var lastFailure: Int64 = 0

    init(notices: [StoreNotice]) {
        if !notices.isEmpty {
            message = notices.map(\.description).joined(separator: "; ")
        }
    }

    /// True if this is news.
    mutating func noteFailure(_ text: String, at boot: Int64) -> Bool {
        defer { isFailing = true }
        message = text
        lastFailure = boot
        return !isFailing
    }

    /// True if this is news.
    mutating func noteSuccess() -> Bool {
        guard isFailing else { return false }
        isFailing = false
        message = nil
        return true
    }

    /// Whether a commit should be tried now.
    func mayTry(_ commits: CommitQueue, at boot: Int64) -> Bool {
        !isFailing || commits.hasCalls || boot - lastFailure >= Self.retryMicroseconds
    }

    /// When the next attempt without a call is due; nil = nothing waits for one.
    func nextTry(_ commits: CommitQueue) -> Int64? {
        guard isFailing, !commits.isCommitting, commits.hasWork else { return nil }
        return lastFailure + Self.retryMicroseconds
    }
}
