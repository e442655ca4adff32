// Signals as events on a queue. Dispatch takes a signal over some time after its source was
// started, and until then the signal still ends the process; so the initializer waits for that
// moment.

package import Dispatch
import Glibc

/// Calls its handler on the queue after the process got the signal, from `init`'s return on.
package final class SignalSource {
    private let source: any DispatchSourceSignal

    package enum Signal: Sendable, CaseIterable {
        case terminate, interrupt

        package var number: Int32 {
            switch self {
            case .terminate: SIGTERM
            case .interrupt: SIGINT
            }
        }
    }

    package init(
        _ signal: Signal, on queue: DispatchQueue, handler: @escaping @Sendable () -> Void
    ) {
        // A queue of its own, since the caller may be on `queue` and waits here.
        let registering = DispatchQueue(label: "SignalSource")
        source = DispatchSource.makeSignalSource(signal: signal.number, queue: registering)
        source.setEventHandler { queue.async(execute: handler) }
        let isRegistered = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { isRegistered.signal() }
        source.resume()
        isRegistered.wait()
    }

    deinit { source.cancel() }

    /// Makes a write to a pipe or socket without a reader fail with EPIPE instead of ending the
    /// process. Sockets are written with MSG_NOSIGNAL anyway; this covers libraries and stdout.
    package static func ignoreBrokenPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
    }
}
