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
    let watches: WatchSet
    private let turns: Turns

    /// More than one thread beside the one that is busy with what was offloaded would never have
    /// anything to do: the queue lets in one at a time.
    private static let threadCount = 2
    /// Of one wait; what is left over comes with the next.
    private static let eventsPerTurn = 16

    package init(queue: DispatchQueue) throws(SystemError) {
        turns = Turns(queue: queue)
        watches = try describing("making an epoll set") { () throws(Errno) in
            try WatchSet()
        }
        for number in 0..<Self.threadCount {
            // A serial queue of its own is a thread of its own for as long as its block runs.
            DispatchQueue(label: "\(queue.label).loop\(number)").async { [watches, turns] in
                Self.serve(watches, in: turns)
            }
        }
    }

    /// Its threads end when they next look.
    deinit { watches.finish() }

    private static func serve(_ watches: WatchSet, in turns: Turns) {
        var events = EventBuffer(limit: eventsPerTurn)
        while true {
            watches.wait(for: &events)
            if events.tellsOfEnd { return }
            turns.runTurn { for index in 0..<events.count { watches.serve(events[index]) } }
        }
    }

    /// The queue on which every handler runs.
    package var queue: DispatchQueue { turns.queue }

    /// Runs `work` off the queue, then `completion` on it; call it on the queue.
    ///
    /// In a handler it is run by the handler's thread as soon as that has left the queue. Only one
    /// such work may run at a time, or no thread would be left for the events.
    package func offload<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result,
        then completion: @escaping @Sendable (Result) -> Void
    ) {
        turns.offload {
            let result = work()
            return { completion(result) }
        }
    }

    /// Runs `body` as a turn of the queue, and what it offloads on the calling thread; call it off
    /// the queue, where a thread has been woken by something else than a descriptor.
    func enter(_ body: () -> Void) { turns.runTurn(body) }

    /// Runs `body` on the queue when all handlers of this turn have run; call it on the queue.
    package func afterTurn(_ body: @escaping @Sendable () -> Void) {
        turns.follow(with: body)
    }
}

/// Who has the queue, and what is to be done when that turn of it is over.
private final class Turns: Sendable {
    /// Work that was handed over in a turn, and what is to follow it on the queue.
    typealias Job = @Sendable () -> @Sendable () -> Void

    private struct Turn {
        /// Whether the thread that has the queue sees to what comes up.
        var isUnderWay = false
        var followUps: [@Sendable () -> Void] = []
        var jobs: [Job] = []
    }

    let queue: DispatchQueue
    /// Sees to what comes up while somebody else has the queue.
    private let spare: DispatchQueue
    private let turn = Mutex(Turn())

    init(queue: DispatchQueue) {
        self.queue = queue
        spare = DispatchQueue(label: "\(queue.label).offloaded")
    }

    func offload(_ job: @escaping Job) {
        dispatchPrecondition(condition: .onQueue(queue))
        let isTaken = turn.withLock { turn in
            if turn.isUnderWay { turn.jobs.append(job) }
            return turn.isUnderWay
        }
        if !isTaken { spare.async { [self] in run([job]) } }
    }

    func follow(with body: @escaping @Sendable () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        let isTaken = turn.withLock { turn in
            if turn.isUnderWay { turn.followUps.append(body) }
            return turn.isUnderWay
        }
        if !isTaken { spare.async { [self] in runTurn(body) } }
    }

    /// A turn of the queue, and then what was offloaded in it, until nothing more comes of it.
    func runTurn(_ body: () -> Void) {
        run(jobs(of: body))
    }

    private func run(_ jobs: [Job]) {
        var jobs = jobs
        while !jobs.isEmpty {
            let completions = jobs.map { $0() }
            jobs = self.jobs { for completion in completions { completion() } }
        }
    }

    /// Runs `body` and its follow-ups on the queue.
    private func jobs(of body: () -> Void) -> [Job] {
        var jobs: [Job] = []
        // The plain form of `sync`, without a result: it goes through less code.
        queue.sync {
            turn.withLock { $0.isUnderWay = true }
            body()
            while let next = nextFollowUp() { next() }
            turn.withLock { turn in
                jobs = turn.jobs
                turn = Turn()
            }
        }
        return jobs
    }

    private func nextFollowUp() -> (@Sendable () -> Void)? {
        turn.withLock { turn in
            turn.followUps.isEmpty ? nil : turn.followUps.removeFirst()
        }
    }
}
