// Readiness of a descriptor as an event on a queue, by Dispatch. A source holds its descriptor
// until Dispatch has forgotten the number (the cancel handler), which is what makes closing safe.
// Dispatch traps when a suspended source is freed; `SourceSwitch` is the one place that knows.
//
// Dispatch is not shown the descriptor itself but an epoll(7) set that holds nothing else. A set is
// readable or not, never writable, and never hangs up: Dispatch takes sources apart at a hang-up
// while it walks their lists, and a daemon was seen to die in its walk of the write sources.

import CLinux
package import Dispatch
import Glibc

/// Calls its handler on the queue whenever the descriptor can be read or has ended.
///
/// Level-triggered: the handler comes again for as long as there is something left. It stops for
/// good with `cancel()` or when the last reference goes.
package final class ReadSource {
    private let source: SourceSwitch

    package init(
        _ descriptor: FileDescriptor, on queue: DispatchQueue,
        handler: @escaping @Sendable () -> Void
    ) throws(Errno) {
        source = try SourceSwitch(descriptor, EPOLLIN, on: queue, handler: handler)
        source.isOn = true
    }

    /// False while the reader wants no more: the peer then meets a full socket. True at first.
    package var isOn: Bool {
        get { source.isOn }
        set { source.isOn = newValue }
    }

    /// No handler starts after this, when called on the queue.
    package func cancel() { source.cancel() }
}

/// Calls its handler on the queue whenever the descriptor takes bytes; off at first.
///
/// A socket nearly always takes bytes: turn it on after a short write, off when all is sent.
package final class WriteSource {
    private let source: SourceSwitch

    package init(
        _ descriptor: FileDescriptor, on queue: DispatchQueue,
        handler: @escaping @Sendable () -> Void
    ) throws(Errno) {
        source = try SourceSwitch(descriptor, EPOLLOUT, on: queue, handler: handler)
    }

    package var isOn: Bool {
        get { source.isOn }
        set { source.isOn = newValue }
    }

    /// No handler starts after this, when called on the queue.
    package func cancel() { source.cancel() }
}

/// A Dispatch source with an idempotent switch instead of a suspension count.
private final class SourceSwitch {
    private let source: any DispatchSourceProtocol
    private var isSuspended = true
    private var isCancelled = false

    init(
        _ descriptor: FileDescriptor, _ event: EPOLL_EVENTS, on queue: DispatchQueue,
        handler: @escaping @Sendable () -> Void
    ) throws(Errno) {
        let set = try FileDescriptor(
            owning: retryingInterrupted { epoll_create1(O_CLOEXEC) })
        var interest = unsafe epoll_event(
            events: event.rawValue, data: epoll_data(fd: descriptor.rawValue))
        _ = try retryingInterrupted {
            unsafe epoll_ctl(set.rawValue, EPOLL_CTL_ADD, descriptor.rawValue, &interest)
        }
        source = DispatchSource.makeReadSource(fileDescriptor: set.rawValue, queue: queue)
        source.setEventHandler(handler: handler)
        source.setCancelHandler { withExtendedLifetime((descriptor, set)) {} }
    }

    deinit { cancel() }

    var isOn: Bool {
        get { !isSuspended && !isCancelled }
        set {
            if isCancelled || newValue == !isSuspended { return }
            isSuspended = !newValue
            if newValue { source.resume() } else { source.suspend() }
        }
    }

    func cancel() {
        if isCancelled { return }
        isCancelled = true
        source.cancel()
        // A suspended source neither runs its cancel handler nor may be freed.
        if isSuspended { source.resume() }
    }
}
