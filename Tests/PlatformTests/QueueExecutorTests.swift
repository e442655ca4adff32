// An actor on a Dispatch queue: sources enter it without a task, and everybody else is kept out.

import Dispatch
import Platform
import Testing

private actor Counter {
    private let executor = QueueExecutor(label: "Counter")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }
    nonisolated var queue: DispatchQueue { executor.queue }
    private(set) var count = 0

    func add() { count += 1 }

    nonisolated func addFromHandler() { assumeIsolated { $0.add() } }
}

@Suite(.timeLimit(.minutes(1)))
struct QueueExecutorTests {
    @Test func `handlers on the queue and awaited calls meet in one state`() async {
        let counter = Counter()
        for _ in 0..<100 { counter.queue.async { counter.addFromHandler() } }
        for _ in 0..<100 { await counter.add() }
        #expect(await counter.count == 200)
    }

    @Test func `entering from elsewhere traps`() async {
        await #expect(processExitsWith: .failure) {
            Counter().addFromHandler()
        }
    }
}
