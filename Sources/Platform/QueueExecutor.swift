// An actor's executor over a serial Dispatch queue, so that the daemon's state is owned by one
// queue and an event source's handler on that queue may enter the actor by `assumeIsolated`, at
// once and without a task. (Dispatch's own DispatchSerialQueue is not there on Linux.)

package import Dispatch

/// Runs an actor's jobs on one serial queue, in the order in which they were enqueued.
package final class QueueExecutor: SerialExecutor {
    /// The queue; sources whose handlers enter the actor are made on it.
    package let queue: DispatchQueue

    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The block holds the executor, so that it is there until its last job has run.
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Traps unless it is called on the queue.
    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
