// What the loop promises beside readiness: work off the queue by whoever is there, with the other
// events going on meanwhile.

import Dispatch
import Glibc
import Platform
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EventLoopTests {
    private let queue: DispatchQueue
    private let loop: EventLoop

    init() throws {
        queue = DispatchQueue(label: "EventLoopTests")
        loop = try EventLoop(queue: queue)
    }

    @Test(arguments: [Cause.descriptor, .timer, nil])
    func `what is offloaded runs off the queue, and what follows on it`(
        handlerOf cause: Cause?
    ) async throws {
        let results = AsyncStream.makeStream(of: Int.self)
        let offload = { @Sendable [loop, queue] in
            loop.offload {
                // It would wait for ever if it were on the queue.
                queue.sync { 41 }
            } then: { result in
                dispatchPrecondition(condition: .onQueue(queue))
                results.continuation.yield(result + 1)
            }
        }
        let called = try cause?.call(on: loop, offload)
        if cause == nil { queue.sync(execute: offload) }
        var iterator = results.stream.makeAsyncIterator()
        #expect(await iterator.next(isolation: #isolation) == 42)
        withExtendedLifetime(called) {}
    }

    @Test(arguments: Cause.allCases)
    func `events go on while what was offloaded takes long, one work after the other`(
        handlerOf cause: Cause
    ) async throws {
        let gate = DispatchSemaphore(value: 0)
        let finished = AsyncStream.makeStream(of: Int.self)
        let called = try cause.call(on: loop) { [loop] in
            loop.offload {
                gate.wait()
            } then: {
                finished.continuation.yield(1)
                // The end of one work may be the beginning of the next.
                loop.offload {
                    gate.wait()
                } then: {
                    finished.continuation.yield(2)
                }
            }
        }
        var iterator = finished.stream.makeAsyncIterator()
        for number in 1...2 {
            for index in 0..<20 {
                var events = Events()
                let other = Cause.allCases[index % Cause.allCases.count]
                let served = try other.call(on: loop, events.handler)
                await events.next()
                withExtendedLifetime(served) {}
            }
            gate.signal()
            #expect(await iterator.next(isolation: #isolation) == number)
        }
        withExtendedLifetime(called) {}
    }

    @Test(arguments: Cause.allCases)
    func `what is for the end of the turn comes after all its handlers, in order`(
        handlerOf cause: Cause
    ) async throws {
        let order = AsyncStream.makeStream(of: Int.self)
        let called = try cause.call(on: loop) { [loop] in
            loop.afterTurn {
                order.continuation.yield(2)
                loop.afterTurn { order.continuation.yield(4) }
            }
            loop.afterTurn { order.continuation.yield(3) }
            order.continuation.yield(1)
        }
        queue.sync { loop.afterTurn { order.continuation.yield(0) } }
        var received: [Int] = []
        var iterator = order.stream.makeAsyncIterator()
        while received.count < 5, let next = await iterator.next(isolation: #isolation) {
            received.append(next)
        }
        // The one from outside of a handler comes whenever the queue is free.
        #expect(received.filter { $0 != 0 } == [1, 2, 3, 4])
        withExtendedLifetime(called) {}
    }

    @Test(arguments: UInt64(0)..<4)
    func `no event is lost among many descriptors, and none comes to two threads`(
        seed: UInt64
    ) async throws {
        var random = SplitMix64(seed: seed)
        let pairs = try (0..<20).map { _ in try UnixConnection.pair() }
        let received = Mutex(0)
        let sources = try pairs.map { ours, _ in
            try DescriptorSource(ours, .reading, on: loop) { [loop] in
                guard case .bytes(let bytes)? = try? ours.read(limitBytes: 3) else { return }
                received.withLock { $0 += bytes.count }
                loop.afterTurn { [loop] in loop.offload({}, then: {}) }
            }
        }
        var sent = 0
        for _ in 0..<2_000 {
            let count = Int.random(in: 1...8, using: &random)
            let pair = pairs[Int.random(in: pairs.indices, using: &random)]
            sent += try pair.1.send([UInt8](repeating: 7, count: count)[...])
        }
        while received.withLock(\.self) < sent {
            var events = Events()
            let timer = TimerSource(on: loop, handler: events.handler)
            timer.arm(at: Clock.bootMicroseconds() + 1_000)
            await events.next()
        }
        #expect(received.withLock(\.self) == sent)
        withExtendedLifetime(sources) {}
    }

    @Test(arguments: Cause.allCases)
    func `its threads end with it`(afterHandlerOf cause: Cause) throws {
        weak var watched: EventLoop?
        let ended = DispatchSemaphore(value: 0)
        do {
            let mortal = try EventLoop(queue: DispatchQueue(label: "mortal"))
            watched = mortal
            let called = try cause.call(on: mortal) { ended.signal() }
            ended.wait()
            withExtendedLifetime(called) {}
        }
        // The thread that served the event may still be on its way out of the turn.
        let deadline = Clock.bootMicroseconds() + 20_000_000
        while watched != nil, Clock.bootMicroseconds() < deadline { sched_yield() }
        #expect(watched == nil)
    }
}
