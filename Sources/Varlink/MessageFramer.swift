// Cuts a stream of bytes into messages at the NUL bytes. Each byte is looked at once, whatever
// pieces the stream arrives in, and no more is kept than one message and the pieces not yet
// taken: that the caller stops appending while it does not take messages keeps memory bounded.

/// A message grew beyond what is accepted.
package struct MessageTooLong: Error, Equatable, Sendable {
    package let limitBytes: Int
}

/// Bytes in, whole messages out.
package struct MessageFramer: Sendable {
    /// What schedd accepts from a client: 1 MiB.
    package static let defaultLimitBytes = 1 << 20
    /// An empty buffer larger than this is given back.
    private static let keptCapacity = 64 << 10

    private let limitBytes: Int
    private var buffer: [UInt8] = []
    /// Start of the first message not yet taken.
    private var start = 0
    /// Bytes before this one are known to hold no further NUL.
    private var searched = 0

    /// `limitBytes` counts a message without its NUL.
    package init(limitBytes: Int = MessageFramer.defaultLimitBytes) {
        self.limitBytes = limitBytes
    }

    /// Bytes received and not yet taken.
    package var bufferedBytes: Int { buffer.count - start }

    package mutating func append(_ bytes: some Collection<UInt8>) {
        compact()
        buffer.append(contentsOf: bytes)
    }

    /// The next whole message without its NUL, or nil until more is appended.
    ///
    /// Throws once the message that is arriving exceeds the limit, and from then on.
    package mutating func next() throws(MessageTooLong) -> [UInt8]? {
        // One byte more than allowed tells enough.
        let end = min(buffer.count, start + limitBytes + 1)
        searched = buffer.span.firstNUL(from: searched, to: end)
        if searched < end {
            let message = Array(buffer[start..<searched])
            searched += 1
            start = searched
            return message
        }
        guard searched - start <= limitBytes else { throw MessageTooLong(limitBytes: limitBytes) }
        return nil
    }

    /// Gives up what has been taken, once it is at least half of the buffer, so that a byte is
    /// moved at most once on average.
    private mutating func compact() {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= MessageFramer.keptCapacity)
        } else if start >= buffer.count / 2 {
            buffer.removeSubrange(..<start)
        } else {
            return
        }
        searched -= start
        start = 0
    }
}
