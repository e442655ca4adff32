// Readiness of one descriptor as an event on a loop's queue.

/// What a source waits for. That a peer has gone, or an error, is told with either.
package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let reading = Interest(rawValue: 1)
    package static let writing = Interest(rawValue: 2)
}

/// Calls its handler on the loop's queue whenever the descriptor is ready for what is wanted.
///
/// Level-triggered: the handler comes again for as long as something is left. It stops for good
/// with `cancel()` or when the last reference goes; the descriptor is held until then. One loop
/// watches an open descriptor once.
package final class DescriptorSource: Sendable {
    private let loop: EventLoop
    private let token: WatchSet.Token

    package init(
        _ descriptor: FileDescriptor, _ interest: Interest, on loop: EventLoop,
        handler: @escaping @Sendable () -> Void
    ) throws(Errno) {
        self.loop = loop
        token = try loop.watches.add(descriptor, interest, handler: handler)
    }

    deinit { cancel() }

    /// With none, the handler is not called: a peer that goes on sending meets a full socket. A
    /// socket nearly always takes bytes: want to write after a short write only.
    package var interest: Interest {
        get { loop.watches.interest(of: token) }
        set { loop.watches.setInterest(newValue, of: token) }
    }

    /// No handler starts after this, when called on the queue.
    package func cancel() { loop.watches.remove(token) }
}
