// Bytes out, bytes in, and replies out of them. Every wait ends at one deadline for the whole call,
// on the clock that stops while the machine sleeps: a laptop that was closed has not kept schedd
// waiting.

import Platform
import Varlink

extension SchedulerConnection {
    func decode<Method: VarlinkMethod>(
        _ payload: Payload, of method: Method.Type
    ) throws(ClientError) -> Method.Reply {
        do throws(ServiceError) {
            return try payload.decodeTolerantly(Method.Reply.self)
        } catch {
            guard case .invalidParameter(let parameter) = error else {
                throw .rejected(.service(error))
            }
            throw .unreadableReply(method: method.name, parameter: parameter)
        }
    }

    /// The next reply to the call in flight; without a limit it may take for ever.
    func reply(
        within limit: Duration?
    ) throws(ClientError) -> (payload: Payload, isLast: Bool) {
        let deadline = limit.map { SuspendingClock.now.advanced(by: $0) }
        try flush(until: deadline)
        while true {
            switch connection.nextEvent() {
            case .reply(_, let payload, let isLast): return (payload, isLast)
            case .failure(_, let reply): throw .rejected(Rejection(reply))
            case .closed(let reason): throw .closed(reason)
            case nil: try receive(until: deadline)
            }
        }
    }

    private func flush(until deadline: SuspendingClock.Instant?) throws(ClientError) {
        while !connection.pendingOutput.isEmpty {
            do throws(Errno) {
                let count = try descriptor.send(connection.pendingOutput)
                connection.outputWritten(count)
                if count > 0 { continue }
            } catch {
                throw .transferFailed(error)
            }
            try wait(for: .writing, until: deadline)
        }
    }

    private func receive(until deadline: SuspendingClock.Instant?) throws(ClientError) {
        try wait(for: .reading, until: deadline)
        do throws(Errno) {
            switch try descriptor.read(limitBytes: 65_536) {
            case .bytes(let bytes): connection.receive(bytes)
            case .endOfStream: connection.inputEnded()
            case .wouldBlock: break
            }
        } catch {
            throw .transferFailed(error)
        }
    }

    private func wait(
        for readiness: FileDescriptor.Readiness, until deadline: SuspendingClock.Instant?
    ) throws(ClientError) {
        var milliseconds: Int32?
        if let deadline {
            let left = SuspendingClock.now.duration(to: deadline)
            if left <= .zero { throw .timedOut(timeout) }
            // Rounded up, so that the last wait is no busy loop.
            milliseconds = Int32(clamping: Int64(left / .milliseconds(1)) + 1)
        }
        do throws(Errno) {
            if try descriptor.wait(for: readiness, timeoutMilliseconds: milliseconds) { return }
        } catch {
            throw .transferFailed(error)
        }
        throw .timedOut(timeout)
    }
}
