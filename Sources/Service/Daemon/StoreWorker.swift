// The bridge between the daemon's queue and the store's: a commit goes over, its result comes back.

import Dispatch
import Platform
import Scheduling

/// Runs commits on the store's queue and reports on the daemon's.
struct StoreWorker: Sendable {
    let store: Store
    let loop: EventLoop

    /// What came of a commit.
    struct Outcome: Sendable {
        var error: StoreError?
        /// Whether `tidy` is due. Whoever waits for the commit does not wait for that.
        var needsTidying: Bool
    }

    /// Call it on the daemon's queue, when nothing is under way.
    ///
    /// The thread that asks does it, once it has left the daemon's queue: a commit often takes less
    /// time than to wake another thread.
    func commit(
        _ commit: CommitQueue.Commit, completion: @escaping @Sendable (Outcome) -> Void
    ) {
        loop.offload(
            { [store] in store.queue.sync { Self.outcome(of: commit, in: store) } },
            then: completion)
    }

    private static func outcome(of commit: CommitQueue.Commit, in store: Store) -> Outcome {
        do throws(StoreError) {
            try store.commit(commit.changes, durable: commit.isDurable)
            return Outcome(error: nil, needsTidying: store.needsTidying)
        } catch {
            return Outcome(error: error, needsTidying: false)
        }
    }

    /// Call it on the daemon's queue, when nothing is under way.
    func tidy(completion: @escaping @Sendable () -> Void) {
        loop.offload({ [store] in store.queue.sync { store.tidy() } }, then: completion)
    }

    /// Closes the store after everything that was committed.
    func close() {
        store.queue.sync { store.close() }
    }
}
