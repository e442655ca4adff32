// The epoll set of an event loop, and who watches what in it. Tokens instead of descriptors name
// the watches, and no token is used twice: an event that was on its way when its watch ended finds
// nobody.
//
// Unsafe: the kernel reads one event, or fills a buffer of events, within one call.

import CLinux
import Glibc
import Synchronization

/// Registers descriptors and waits for them; safe to use from any thread.
final class WatchSet: Sendable {
    typealias Token = UInt64
    typealias Handler = @Sendable () -> Void

    /// Tells `wait` of the end; no watch has it.
    static let endToken: Token = 0

    private struct Watch {
        /// Held until the watch ends, so that its number is not given to another file.
        let descriptor: FileDescriptor
        let handler: Handler
        var interest: Interest
        /// What the kernel was told last and has not answered with an event: it tells once.
        var armed: Interest
        var isInHandler = false
    }

    private struct State {
        var watches: [Token: Watch] = [:]
        var lastToken = WatchSet.endToken
    }

    private let set: FileDescriptor
    private let end: FileDescriptor
    /// Gone at the end, which every thread sees then, each time that it waits.
    private let lifeline: Mutex<FileDescriptor?>
    private let state = Mutex(State())

    init() throws(Errno) {
        set = try FileDescriptor(owning: retryingInterrupted { epoll_create1(O_CLOEXEC) })
        let pipe = try FileDescriptor.pipe()
        end = pipe.reading
        lifeline = Mutex(pipe.writing)
        try control(EPOLL_CTL_ADD, end, EPOLLIN.rawValue, Self.endToken)
    }

    /// Every `wait` answers with `endToken` from here on.
    func finish() {
        lifeline.withLock { $0 = nil }
    }

    // MARK: Watches

    func add(
        _ descriptor: FileDescriptor, _ interest: Interest, handler: @escaping Handler
    ) throws(Errno) -> Token {
        let token = state.withLock { state in
            state.lastToken += 1
            state.watches[state.lastToken] = Watch(
                descriptor: descriptor, handler: handler, interest: interest, armed: interest)
            return state.lastToken
        }
        do {
            try control(EPOLL_CTL_ADD, descriptor, interest.events, token)
        } catch {
            remove(token)
            throw error
        }
        return token
    }

    func interest(of token: Token) -> Interest {
        state.withLock { $0.watches[token]?.interest ?? [] }
    }

    func setInterest(_ interest: Interest, of token: Token) {
        state.withLock { state in
            state.watches[token]?.interest = interest
            arm(token, &state)
        }
    }

    /// The kernel is told only what it does not know, and not before the handler has returned.
    private func arm(_ token: Token, _ state: inout State) {
        guard let watch = state.watches[token], !watch.isInHandler,
            watch.armed != watch.interest
        else { return }
        state.watches[token]?.armed = watch.interest
        // epoll_ctl(2) fails to change a registered descriptor for nothing but a wrong argument.
        try? control(EPOLL_CTL_MOD, watch.descriptor, watch.interest.events, token)
    }

    /// No handler starts after this, when called on the queue that serves.
    func remove(_ token: Token) {
        guard let watch = state.withLock({ $0.watches.removeValue(forKey: token) }) else { return }
        // It fails when the descriptor never came into the set.
        try? control(EPOLL_CTL_DEL, watch.descriptor, 0, token)
    }

    private func control(
        _ operation: Int32, _ descriptor: FileDescriptor, _ events: UInt32, _ token: Token
    ) throws(Errno) {
        var event = unsafe epoll_event(events: events, data: epoll_data(u64: token))
        _ = try retryingInterrupted {
            unsafe epoll_ctl(set.rawValue, operation, descriptor.rawValue, &event)
        }
    }

    // MARK: Events

    /// Waits until something has happened, and says to whom, at most `limit` at a time.
    func wait(limit: Int) -> [Token] {
        unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: limit) { events in
            let count = try? retryingInterrupted {
                unsafe epoll_wait(set.rawValue, events.baseAddress, Int32(limit), -1)
            }
            // epoll_wait(2) fails for nothing else that is passed here.
            guard let count else { preconditionFailure("the epoll set cannot be waited for") }
            return unsafe events.prefix(Int(count)).map { unsafe $0.data.u64 }
        }
    }

    /// Calls the handler of one event, if it still has one, and watches on.
    func serve(_ token: Token) {
        let handler = state.withLock { state in
            state.watches[token]?.armed = []
            state.watches[token]?.isInHandler = true
            return state.watches[token].flatMap { $0.interest.isEmpty ? nil : $0.handler }
        }
        handler?()
        state.withLock { state in
            state.watches[token]?.isInHandler = false
            arm(token, &state)
        }
    }
}

extension Interest {
    /// Nothing, for no interest: a peer that is gone is then told once, and passed over.
    fileprivate var events: UInt32 {
        EPOLLONESHOT.rawValue
            | (contains(.reading) ? EPOLLIN.rawValue : 0)
            | (contains(.writing) ? EPOLLOUT.rawValue : 0)
    }
}
