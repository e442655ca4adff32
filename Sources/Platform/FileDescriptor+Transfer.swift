// Moving bytes. "Would block" and "end" are results, not errors: the loop meets them all the time.
// Sockets are written with MSG_NOSIGNAL, so that a client that has gone is EPIPE and never SIGPIPE.

import Glibc

/// What one read gave.
package enum ReadOutcome: Equatable, Sendable {
    /// At least one byte.
    case bytes([UInt8])
    /// The other side sends no more.
    case endOfStream
    /// Nothing there now; only from a non-blocking descriptor.
    case wouldBlock
}

extension FileDescriptor {
    /// read(2) of at most `limitBytes` (at least 1) into a fresh array.
    package func read(limitBytes: Int) throws(Errno) -> ReadOutcome {
        precondition(limitBytes > 0, "a read of no bytes cannot tell the end")
        var failure: Errno?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limitBytes) { buffer, count in
            do throws(Errno) {
                count = try retryingInterrupted {
                    unsafe Glibc.read(rawValue, buffer.baseAddress, limitBytes)
                }
            } catch {
                failure = error
            }
        }
        switch failure {
        case nil: return bytes.isEmpty ? .endOfStream : .bytes(bytes)
        case .wouldBlock: return .wouldBlock
        case .some(let error): throw error
        }
    }

    /// read(2) into the beginning of `buffer`, which is not empty: how many bytes, 0 at the end,
    /// nil when it would block.
    package func read(into buffer: inout [UInt8]) throws(Errno) -> Int? {
        precondition(!buffer.isEmpty, "a read of no bytes cannot tell the end")
        do throws(Errno) {
            let limit = buffer.count
            return try retryingInterrupted { unsafe Glibc.read(rawValue, &buffer, limit) }
        } catch {
            if error == .wouldBlock { return nil }
            throw error
        }
    }

    /// Everything up to the end; EFBIG when that is more than `limitBytes`.
    package func readToEnd(limitBytes: Int) throws(Errno) -> [UInt8] {
        var all: [UInt8] = []
        while true {
            switch try read(limitBytes: min(65_536, limitBytes - all.count + 1)) {
            case .bytes(let bytes):
                all += bytes
                if all.count > limitBytes { throw Errno(code: EFBIG) }
            case .endOfStream:
                return all
            case .wouldBlock:
                throw .wouldBlock
            }
        }
    }

    /// send(2) on a connected socket: how many of `bytes` the kernel took, 0 when it would block.
    ///
    /// A peer that has gone is `Errno.brokenPipe` or `.connectionReset`.
    package func send(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int {
        unsafe try transfer(bytes) { descriptor, start, count in
            unsafe Glibc.send(descriptor, start, count, Int32(MSG_NOSIGNAL))
        }
    }

    /// write(2): how many of `bytes` the kernel took, 0 when it would block. Not for sockets.
    package func write(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int {
        unsafe try transfer(bytes) { descriptor, start, count in
            unsafe Glibc.write(descriptor, start, count)
        }
    }

    /// write(2) until all is taken; `wouldBlock` is thrown if the descriptor is non-blocking.
    package func writeAll(_ bytes: [UInt8]) throws(Errno) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try write(rest)
            if count == 0 { throw .wouldBlock }
            rest = rest.dropFirst(count)
        }
    }

    private func transfer(
        _ bytes: ArraySlice<UInt8>,
        _ call: (Int32, UnsafeRawPointer?, Int) -> Int
    ) throws(Errno) -> Int {
        if bytes.isEmpty { return 0 }
        do throws(Errno) {
            return try retryingInterrupted {
                unsafe bytes.withUnsafeBytes { unsafe call(rawValue, $0.baseAddress, $0.count) }
            }
        } catch {
            if error == .wouldBlock { return 0 }
            throw error
        }
    }
}

/// The program's own output and error streams, written without the C library's buffer.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Writes all of `text`; EPIPE when the reader has gone, as in `schedctl list | head -1`.
    package func write(_ text: String) throws(Errno) {
        // The duplicate gives the number an owner here without closing the stream itself.
        try FileDescriptor(duplicating: rawValue).writeAll(Array(text.utf8))
    }

    package var isTerminal: Bool { isatty(rawValue) == 1 }
}
