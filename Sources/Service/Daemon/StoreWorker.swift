// The bridge between the daemon's queue and the store's: a commit goes over, its result comes back.

import Dispatch
import Scheduling

/// Runs commits on the store's queue and reports on the daemon's.
struct StoreWorker: Sendable {
    let store: Store
    let queue: DispatchQueue

    func commit(
        _ commit: CommitQueue.Commit, completion: @escaping @Sendable (StoreError?) -> Void
    ) {
        store.queue.async { [store, queue] in
            var failure: StoreError?
            do throws(StoreError) {
                try store.commit(commit.changes, durable: commit.isDurable)
            } catch {
                failure = error
            }
            queue.async { [failure] in completion(failure) }
        }
    }

    /// Closes the store after everything that was committed.
    func close() {
        store.queue.sync { store.close() }
    }
}
