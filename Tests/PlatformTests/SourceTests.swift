// Events from the kernel on a queue: real descriptors, a real timer, a real clock change.

import Dispatch
import Foundation
import Platform
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SourceTests {
    private let queue: DispatchQueue
    private let loop: EventLoop

    init() throws {
        queue = DispatchQueue(label: "SourceTests")
        loop = try EventLoop(queue: queue)
    }

    @Test func `a source tells bytes and the end`() async throws {
        let (ours, theirs) = try UnixConnection.pair()
        let outcomes = AsyncStream.makeStream(of: ReadOutcome?.self)
        let source = try DescriptorSource(ours, .reading, on: loop) {
            outcomes.continuation.yield(try? ours.read(limitBytes: 10))
        }
        var iterator = outcomes.stream.makeAsyncIterator()
        _ = try theirs.send([7])
        #expect(await iterator.next(isolation: #isolation) == .bytes([7]))
        try theirs.shutDown()
        #expect(await iterator.next(isolation: #isolation) == .endOfStream)
        queue.sync { source.cancel() }
    }

    @Test func `what a handler leaves is told again`() async throws {
        let (ours, theirs) = try UnixConnection.pair()
        let bytes = AsyncStream.makeStream(of: ReadOutcome?.self)
        let source = try DescriptorSource(ours, .reading, on: loop) {
            bytes.continuation.yield(try? ours.read(limitBytes: 1))
        }
        _ = try theirs.send([1, 2, 3])
        var iterator = bytes.stream.makeAsyncIterator()
        for byte: UInt8 in 1...3 {
            #expect(await iterator.next(isolation: #isolation) == .bytes([byte]))
        }
        source.cancel()
    }

    @Test func `a source without interest leaves the bytes where they are`() async throws {
        let (ours, theirs) = try UnixConnection.pair()
        let count = Mutex(0)
        var events = Events()
        let handler = events.handler
        let source = try DescriptorSource(ours, .reading, on: loop) {
            _ = try? ours.read(limitBytes: 10)
            count.withLock { $0 += 1 }
            handler()
        }
        source.interest = []
        _ = try theirs.send([1])
        // Another descriptor's event comes later, and by the same threads.
        try await turnOfTheLoop()
        #expect(count.withLock(\.self) == 0)
        source.interest = .reading
        await events.next()
        #expect(count.withLock(\.self) == 1)
    }

    @Test func `a peer that goes while nobody listens is told once somebody does`() async throws {
        let (ours, theirs) = try UnixConnection.pair()
        let count = Mutex(0)
        var events = Events()
        let handler = events.handler
        let source = try DescriptorSource(ours, [], on: loop) {
            count.withLock { $0 += 1 }
            handler()
        }
        try theirs.shutDown()
        try await turnOfTheLoop()
        #expect(count.withLock(\.self) == 0)
        source.interest = .reading
        await events.next()
        queue.sync { source.cancel() }
    }

    @Test func `a source for writing tells when there is room again`() async throws {
        let (ours, theirs) = try UnixConnection.pair()
        let block = [UInt8](repeating: 1, count: 65_536)
        while try ours.send(block[...]) > 0 {}
        var events = Events()
        let source = try DescriptorSource(ours, .writing, on: loop, handler: events.handler)
        while case .bytes = try theirs.read(limitBytes: 65_536) {}
        await events.next()
        source.interest = []
    }

    @Test func `a handler may end its source, and no other comes`() async throws {
        let (ours, theirs) = try UnixConnection.pair()
        let count = Mutex(0)
        let source = Mutex<DescriptorSource?>(nil)
        var events = Events()
        let handler = events.handler
        let made = try DescriptorSource(ours, .reading, on: loop) {
            count.withLock { $0 += 1 }
            source.withLock { $0?.cancel() }
            handler()
        }
        source.withLock { $0 = made }
        _ = try theirs.send([1])
        await events.next()
        try await turnOfTheLoop()
        #expect(count.withLock(\.self) == 1)
    }

    @Test func `a descriptor is closed when its last source has gone, and not before`() async throws
    {
        var pair: (FileDescriptor, FileDescriptor)? = try UnixConnection.pair()
        let theirs = try #require(pair?.1)
        var source = try pair.map { try DescriptorSource($0.0, .reading, on: loop) {} }
        pair = nil
        #expect(try theirs.read(limitBytes: 1) == .wouldBlock)
        withExtendedLifetime(source) {}
        source = nil
        var events = Events()
        let peer = try DescriptorSource(theirs, .reading, on: loop, handler: events.handler)
        await events.next()
        #expect(try theirs.read(limitBytes: 1) == .endOfStream)
        peer.cancel()
    }

    /// Comes back when the loop has served a descriptor that is ready now, and what was there
    /// before it.
    private func turnOfTheLoop() async throws {
        var events = Events()
        let (ours, theirs) = try UnixConnection.pair()
        let source = try DescriptorSource(ours, .reading, on: loop, handler: events.handler)
        try theirs.shutDown()
        await events.next()
        queue.sync { source.cancel() }
    }

    @Test(arguments: UInt64(0)..<8)
    func `a timer fires once per arming and never early`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var events = Events()
        let timer = TimerSource(on: loop, handler: events.handler)
        for _ in 0..<5 {
            let deadline =
                Clock.bootMicroseconds() + Int64.random(in: -1_000...5_000, using: &random)
            timer.arm(at: deadline)
            await events.next()
            #expect(Clock.bootMicroseconds() >= deadline)
        }
    }

    @Test func `a timer armed anew or disarmed forgets the old instant`() async throws {
        let count = Mutex(0)
        var events = Events()
        let handler = events.handler
        let timer = TimerSource(on: loop) {
            count.withLock { $0 += 1 }
            handler()
        }
        // Due at once, but taken back in the same turn of the queue that would deliver it.
        queue.sync {
            timer.arm(at: 0)
            timer.arm(at: nil)
            timer.arm(at: -5)
            timer.arm(at: .max)
        }
        queue.sync { timer.arm(at: Clock.bootMicroseconds() + 2_000) }
        await events.next()
        #expect(count.withLock(\.self) == 1)
        // The same deadline again is a new arming once it has passed.
        let passed = Clock.bootMicroseconds()
        timer.arm(at: passed)
        await events.next()
        timer.arm(at: passed)
        await events.next()
        #expect(count.withLock(\.self) == 3)
    }

    @Test(.enabled(if: canSetClock))
    func `setting the clock is told, and told again`() async throws {
        var events = Events()
        let source = try ClockChangeSource(on: loop, handler: events.handler)
        for _ in 0..<3 {
            try SystemClock.exclusively { try $0.step() }
            await events.next()
        }
        source.cancel()
    }

    @Test func `the clocks advance, and the boot has a name`() throws {
        let wall = Clock.wallMicroseconds()
        let boot = Clock.bootMicroseconds()
        #expect(abs(Double(wall) - Date().timeIntervalSince1970 * 1_000_000) < 60_000_000)
        #expect(Clock.bootMicroseconds() >= boot && boot > 0)
        let id = try Clock.bootID()
        #expect(UUID(uuidString: id) != nil)
        #expect(try Clock.bootID() == id)
    }

    @Test func `a signal comes to the queue, each kind`() async {
        await #expect(processExitsWith: .exitCode(expectedExit)) {
            let queue = DispatchQueue(label: "signals")
            var sources: [SignalSource] = []
            var received: [SignalSource.Signal] = []
            let stream = AsyncStream.makeStream(of: SignalSource.Signal.self)
            for signal in SignalSource.Signal.allCases {
                sources.append(
                    SignalSource(signal, on: queue) { stream.continuation.yield(signal) })
            }
            var iterator = stream.stream.makeAsyncIterator()
            for signal in SignalSource.Signal.allCases {
                kill(getpid(), signal.number)
                if let next = await iterator.next() { received.append(next) }
            }
            withExtendedLifetime(sources) {}
            leave(received == SignalSource.Signal.allCases)
        }
    }

    @Test func `random bytes are asked for in full`() throws {
        let first = try SystemRandom.bytes(count: 1_000)
        #expect(first.count == 1_000)
        #expect(try SystemRandom.bytes(count: 1_000) != first)
        #expect(try SystemRandom.bytes(count: 0) == [])
    }
}

/// CAP_SYS_TIME is bit 25 of the effective capabilities.
private let canSetClock: Bool = {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    let mask = line.flatMap {
        UInt64($0.dropFirst(7).trimmingPrefix { $0.isWhitespace }, radix: 16)
    }
    return (mask ?? 0) & (1 << 25) != 0
}()
