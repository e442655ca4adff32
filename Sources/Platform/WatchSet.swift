// The epoll set of an event loop, and who watches what in it. Tokens instead of descriptors name
// the watches, and no token is used twice: an event that was on its way when its watch ended finds
// nobody. Between the kernel and a handler there is no hashing and no allocation: a firing comes
// after a long sleep, when nothing is in the caches, and each of them is late by that.
//
// Unsafe: the kernel reads one event, or fills an array of events, within one call.

import CLinux
import Glibc
import Synchronization

/// Registers descriptors and waits for them; safe to use from any thread.
final class WatchSet: Sendable {
    typealias Handler = @Sendable () -> Void

    /// Names a watch: where it is kept, and which of those that have been kept there.
    struct Token: Equatable, Sendable {
        let bits: UInt64

        init(bits: UInt64) { self.bits = bits }

        fileprivate init(index: Int, use: UInt32) {
            bits = UInt64(use) << 32 | UInt64(index)
        }

        fileprivate var index: Int { Int(bits & 0xffff_ffff) }

        /// Tells of the end of the loop; no watch has it.
        static let end = Token(bits: .max)
    }

    private struct Watch {
        /// Held until the watch ends, so that its number is not given to another file.
        let descriptor: FileDescriptor
        let handler: Handler
        var interest: Interest
        /// What the kernel was told last and has not answered with an event: it tells once.
        var armed: Interest
        var isInHandler = false
    }

    private struct Place {
        var use: UInt32 = 0
        var watch: Watch?
    }

    private struct State {
        var places: [Place] = []

        subscript(token: Token) -> Watch? {
            get {
                let index = token.index
                guard index < places.count, token == Token(index: index, use: places[index].use)
                else { return nil }
                return places[index].watch
            }
            set {
                let index = token.index
                guard index < places.count, token == Token(index: index, use: places[index].use)
                else { return }
                places[index].watch = newValue
            }
        }

        mutating func add(_ watch: Watch) -> Token {
            let free = places.firstIndex { $0.watch == nil }
            if free == nil { places.append(Place()) }
            let index = free ?? places.count - 1
            places[index].use &+= 1
            places[index].watch = watch
            return Token(index: index, use: places[index].use)
        }
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
        try control(EPOLL_CTL_ADD, end, EPOLLIN.rawValue, .end)
    }

    /// Every `wait` answers with the end from here on.
    func finish() {
        lifeline.withLock { $0 = nil }
    }

    // MARK: Watches

    func add(
        _ descriptor: FileDescriptor, _ interest: Interest, handler: @escaping Handler
    ) throws(Errno) -> Token {
        let watch = Watch(
            descriptor: descriptor, handler: handler, interest: interest, armed: interest)
        let token = state.withLock { $0.add(watch) }
        do {
            try control(EPOLL_CTL_ADD, descriptor, interest.events, token)
        } catch {
            remove(token)
            throw error
        }
        return token
    }

    func interest(of token: Token) -> Interest {
        state.withLock { $0[token]?.interest ?? [] }
    }

    func setInterest(_ interest: Interest, of token: Token) {
        state.withLock { state in
            state[token]?.interest = interest
            arm(token, &state)
        }
    }

    /// The kernel is told only what it does not know, and not before the handler has returned.
    private func arm(_ token: Token, _ state: inout State) {
        guard let watch = state[token], !watch.isInHandler,
            watch.armed != watch.interest
        else { return }
        state[token]?.armed = watch.interest
        do throws(Errno) {
            try control(EPOLL_CTL_MOD, watch.descriptor, watch.interest.events, token)
        } catch {
            // epoll_ctl(2) fails to change a registered descriptor for a wrong argument only.
            preconditionFailure("a descriptor cannot be watched any more: \(error)")
        }
    }

    /// No handler starts after this, when called on the queue that serves.
    func remove(_ token: Token) {
        let removed = state.withLock { state in
            defer { state[token] = nil }
            return state[token]
        }
        guard let removed else { return }
        // It fails when the descriptor never came into the set.
        try? control(EPOLL_CTL_DEL, removed.descriptor, 0, token)
    }

    private func control(
        _ operation: Int32, _ descriptor: FileDescriptor, _ events: UInt32, _ token: Token
    ) throws(Errno) {
        var event = unsafe epoll_event(events: events, data: epoll_data(u64: token.bits))
        _ = try retryingInterrupted {
            unsafe epoll_ctl(set.rawValue, operation, descriptor.rawValue, &event)
        }
    }

    // MARK: Events

    /// Waits until something has happened; `events` says to whom.
    func wait(for events: inout EventBuffer) {
        // epoll_wait(2) fails for nothing that is passed here.
        if (try? events.fill(from: set)) == nil {
            preconditionFailure("the epoll set cannot be waited for")
        }
    }

    /// Calls the handler of one event, if it still has one, and watches on.
    func serve(_ token: Token) {
        let handler = state.withLock { state -> Handler? in
            state[token]?.armed = []
            state[token]?.isInHandler = true
            return state[token].flatMap { $0.interest.isEmpty ? nil : $0.handler }
        }
        handler?()
        state.withLock { state in
            state[token]?.isInHandler = false
            arm(token, &state)
        }
    }
}

/// What one wait brought, in an array that serves for every wait of its thread.
@safe struct EventBuffer {
    private var events: [epoll_event]
    private(set) var count = 0

    init(limit: Int) {
        unsafe events = [epoll_event](repeating: epoll_event(), count: limit)
    }

    fileprivate mutating func fill(from set: FileDescriptor) throws(Errno) {
        let limit = unsafe Int32(events.count)
        count = Int(
            try retryingInterrupted { unsafe epoll_wait(set.rawValue, &events, limit, -1) })
    }

    subscript(index: Int) -> WatchSet.Token {
        unsafe WatchSet.Token(bits: events[index].data.u64)
    }

    /// Whether one of the events is the end of the loop.
    var tellsOfEnd: Bool { (0..<count).contains { self[$0] == .end } }
}

extension Interest {
    /// Nothing, for no interest: a peer that is gone is then told once, and passed over.
    fileprivate var events: UInt32 {
        EPOLLONESHOT.rawValue
            | (contains(.reading) ? EPOLLIN.rawValue : 0)
            | (contains(.writing) ? EPOLLOUT.rawValue : 0)
    }
}
