// Bytes waiting to be written to a stream that takes them in pieces of its own choice.

struct OutputBuffer: Sendable {
    private static let keptCapacity = 64 << 10

    private var bytes: [UInt8] = []
    private var start = 0

    var pending: ArraySlice<UInt8> { bytes[start...] }
    var count: Int { bytes.count - start }

    mutating func append(_ message: [UInt8]) {
        // Half of the buffer is written: moving the rest costs less than the writing did.
        if start > 0, start >= bytes.count / 2 {
            bytes.removeSubrange(..<start)
            start = 0
        }
        bytes.append(contentsOf: message)
    }

    /// The first `count` bytes have been written.
    mutating func consume(_ count: Int) {
        precondition(count >= 0 && count <= self.count, "no more is written than was pending")
        start += count
        if start == bytes.count { removeAll() }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= OutputBuffer.keptCapacity)
        start = 0
    }
}
