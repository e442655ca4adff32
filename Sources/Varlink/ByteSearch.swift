// The two searches that look at every byte of a message. They take eight bytes at a time, as one
// number: a byte's top bit says afterwards whether it is sought, with the usual arithmetic for
// that (Hacker's Delight, 6-1). A borrow can only come out of a byte that is sought itself, so
// the lowest bit found is right, and those above it may not be.

extension Span<UInt8> {
    private static var stride: Int { 8 }
    /// Each byte 1; a multiple of it is that value in each byte.
    private static var ones: UInt64 { 0x0101_0101_0101_0101 }
    private static var topBits: UInt64 { 0x8080_8080_8080_8080 }

    /// Position of the first NUL from `start` on, `end` if there is none before it.
    func firstNUL(from start: Int, to end: Int) -> Int {
        var position = start
        while end - position >= Self.stride {
            let word = word(at: position)
            let found = (word &- Self.ones) & ~word & Self.topBits
            if found != 0 { return position + found.trailingZeroBitCount / 8 }
            position += Self.stride
        }
        while position < end, self[position] != 0 { position += 1 }
        return position
    }

    /// Position of the first byte from `start` on that a JSON string does not hold as it is, or
    /// that is not ASCII; the end if there is none.
    func endOfPlainText(from start: Int) -> Int {
        var position = start
        while count - position >= Self.stride {
            let word = word(at: position)
            let control = word &- Self.ones &* 0x20
            let quote = (word ^ Self.ones &* 0x22) &- Self.ones
            let backslash = (word ^ Self.ones &* 0x5C) &- Self.ones
            let found = (word | control | quote | backslash) & Self.topBits
            if found != 0 { return position + found.trailingZeroBitCount / 8 }
            position += Self.stride
        }
        while position < count, Self.isPlain(self[position]) { position += 1 }
        return position
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): false
        case 0x20..<0x80: true
        default: false
        }
    }

    /// Eight bytes, the first one lowest; compiled to one load, if it is not called.
    @inline(__always)
    private func word(at position: Int) -> UInt64 {
        let bytes = extracting(position..<position + Self.stride)
        var word: UInt64 = 0
        for index in 0..<Self.stride { word |= UInt64(bytes[index]) << UInt64(8 * index) }
        return word
    }
}
