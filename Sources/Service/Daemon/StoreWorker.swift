// The bridge between the daemon's queue and the store's: a commit goes over, its result comes back.

import Dispatch
import Platform
import Scheduling

/// Runs commits on the store's queue and reports on the daemon's.
struct StoreWorker: Sendable {
    let store: Store
    let loop: EventLoop

    /// Call it on the daemon's queue, when no commit is under way.
    ///
    /// The thread that asks does it, once it has left the daemon's queue: a commit often takes less
    /// time than to wake another thread.
    func commit(
        _ commit: CommitQueue.Commit, completion: @escaping @Sendable (StoreError?) -> Void
    ) {
        loop.offload(
            { [store] in store.queue.sync { Self.outcome(of: commit, in: store) } },
            then: completion)
    }

    private static func outcome(of commit: CommitQueue.Commit, in store: Store) -> StoreError? {
        do throws(StoreError) {
            try store.commit(commit.changes, durable: commit.isDurable)
            return nil
        } catch {
            return error
        }
    }

    /// Closes the store after everything that was committed.
    func close() {
        store.queue.sync { store.close() }
    }
}
