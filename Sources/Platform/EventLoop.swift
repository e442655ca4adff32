// Readiness of descriptors as events on a queue, by epoll(7), and work that may take long beside
// it. Two threads wait for the same set. The one that is woken enters the queue by `sync`, which
// runs the handlers on that very thread: one wake-up from the kernel to the handler, where a
// Dispatch source wakes one thread to wake another. What a handler offloads, a commit for one, is
// run by the same thread once it has left the queue, again without a wake-up; meanwhile the other
// thread serves whatever comes. A descriptor is watched for one event at a time (EPOLLONESHOT) and
// again when its handler has returned, so that no two threads ever have the same one.

package import Dispatch
import Synchronization

/// Calls the handlers of `DescriptorSource`s on one serial queue, for as long as it lives.
///
/// Sources keep their loop alive.
package final class EventLoop: Sendable {
    /// The queue on which every handler runs.
    package let queue: DispatchQueue
    let watches: WatchSet
    private let turn = Mutex(Turn())
    /// Runs what is offloaded by those who are on the queue without the loop.
    private let spare: DispatchQueue

    /// More than one thread beside the one that is busy with what was offloaded would never have
    /// anything to do: the queue lets in one at a time.
    private static let threadCount = 2

    package init(queue: DispatchQueue) throws(SystemError) {
        self.queue = queue
        spare = DispatchQueue(label: "\(queue.label).offloaded")
        watches = try describing("making an epoll set") { () throws(Errno) in
            try WatchSet()
        }
        for number in 0..<Self.threadCount {
            let waiter = Waiter(watches: watches, queue: queue, loop: self)
            // A serial queue of its own is a thread of its own for as long as its block runs.
            DispatchQueue(label: "\(queue.label).loop\(number)").async { waiter.run() }
        }
    }

    deinit { watches.finish() }

    // MARK: Work beside the queue

    /// Work that was handed over in a turn, and what is to follow it on the queue.
    private typealias Job = @Sendable () -> @Sendable () -> Void

    /// What came up while a thread had the queue that will see to it.
    private struct Turn {
        var isUnderWay = false
        var followUps: [@Sendable () -> Void] = []
        var jobs: [Job] = []
    }

    /// Runs `work` off the queue, then `completion` on it; call it on the queue.
    ///
    /// In a handler it is run by the handler's thread as soon as that has left the queue. Only one
    /// such work may run at a time, or no thread would be left for the events.
    package func offload<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result,
        then completion: @escaping @Sendable (Result) -> Void
    ) {
        dispatchPrecondition(condition: .onQueue(queue))
        let job: Job = {
            let result = work()
            return { completion(result) }
        }
        let isTaken = turn.withLock { turn in
            if turn.isUnderWay { turn.jobs.append(job) }
            return turn.isUnderWay
        }
        if !isTaken { spare.async { [self] in run([job]) } }
    }

    /// Runs `body` on the queue when all handlers of this turn have run; call it on the queue.
    package func afterTurn(_ body: @escaping @Sendable () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        let isTaken = turn.withLock { turn in
            if turn.isUnderWay { turn.followUps.append(body) }
            return turn.isUnderWay
        }
        if !isTaken { spare.async { [self] in take { body() } } }
    }

    /// A turn of the queue, and then what was offloaded in it.
    private func take(_ body: () -> Void) {
        run(queue.sync { jobs(of: body) })
    }

    private func jobs(of body: () -> Void) -> [Job] {
        turn.withLock { $0.isUnderWay = true }
        body()
        while true {
            let next = turn.withLock { turn in
                turn.followUps.isEmpty ? nil : turn.followUps.removeFirst()
            }
            guard let next else { break }
            next()
        }
        return turn.withLock { turn in
            defer { turn = Turn() }
            return turn.jobs
        }
    }

    /// Off the queue, until nothing more comes of it.
    private func run(_ jobs: [Job]) {
        var jobs = jobs
        while !jobs.isEmpty {
            let completions = jobs.map { $0() }
            jobs = queue.sync { self.jobs { for completion in completions { completion() } } }
        }
    }

    fileprivate func serve(_ events: borrowing EventBuffer) {
        take { for index in 0..<events.count { watches.serve(events[index]) } }
    }
}

/// One of the threads that wait.
private struct Waiter: Sendable {
    /// Of one wait; what is left over comes with the next.
    private static let eventsPerTurn = 16

    let watches: WatchSet
    let queue: DispatchQueue
    private weak let loop: EventLoop?

    init(watches: WatchSet, queue: DispatchQueue, loop: EventLoop) {
        self.watches = watches
        self.queue = queue
        self.loop = loop
    }

    func run() {
        var events = EventBuffer(limit: Self.eventsPerTurn)
        while true {
            watches.wait(for: &events)
            // The loop is only held while there is something to do, so that it can end.
            guard let loop, !events.tellsOfEnd else { return }
            loop.serve(events)
        }
    }
}
