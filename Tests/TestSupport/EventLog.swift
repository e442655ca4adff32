// How a test waits for what another thread or process does: everything that happens is written
// down, and a test waits for the first entry that it looks for, with a deadline far beyond what is
// normal. Nothing is missed by looking late, and no test waits for a fixed time.

import Dispatch
import Synchronization

/// A growing list of entries, safe to fill from anywhere.
package final class EventLog<Entry: Sendable>: Sendable {
    private struct State {
        var entries: [Entry] = []
        var waiters:
            [Int: (isDone: ([Entry]) -> Bool, continuation: CheckedContinuation<Bool, Never>)]
        var nextWaiter = 0
    }

    /// Thrown when a deadline passes; says what was there instead.
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    private let state = Mutex(State(waiters: [:]))

    package init() {}

    package var entries: [Entry] { state.withLock { $0.entries } }

    package func append(_ entry: Entry) {
        let done = state.withLock { state in
            state.entries.append(entry)
            let entries = state.entries
            let ready = state.waiters.filter { $0.value.isDone(entries) }
            for key in ready.keys { state.waiters[key] = nil }
            return ready.values.map(\.continuation)
        }
        for continuation in done { continuation.resume(returning: true) }
    }

    /// The first entry that matches, past or future.
    @discardableResult
    package func first(
        within seconds: Int = 20, where matches: @escaping @Sendable (Entry) -> Bool
    ) async throws -> Entry {
        try await all(1, within: seconds, where: matches)[0]
    }

    /// The first `count` entries that match, in order, as soon as there are so many.
    @discardableResult
    package func all(
        _ count: Int, within seconds: Int = 20, where matches: @escaping @Sendable (Entry) -> Bool
    ) async throws -> [Entry] {
        let isDone: @Sendable ([Entry]) -> Bool = { $0.count(where: matches) >= count }
        let found = await withCheckedContinuation { continuation in
            let waiter: Int? = state.withLock { state in
                if isDone(state.entries) { return nil }
                state.nextWaiter += 1
                state.waiters[state.nextWaiter] = (isDone, continuation)
                return state.nextWaiter
            }
            guard let waiter else {
                continuation.resume(returning: true)
                return
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { [self] in
                state.withLock { $0.waiters.removeValue(forKey: waiter) }?.continuation
                    .resume(returning: false)
            }
        }
        guard found else {
            throw Missing(
                description: "not within \(seconds) s; there was only \(entries)")
        }
        return Array(entries.filter(matches).prefix(count))
    }
}
