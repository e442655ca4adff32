// The byte level of the TZif reader: a position that never leaves the file, and the data block and
// the footer read from it. See TZifFile.swift for the limits.

/// A position in the bytes of a zone file; every read is checked.
struct TZifReader {
    let bytes: [UInt8]
    private(set) var offset = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func skip(_ count: Int) throws(TZifError) {
        _ = try readBytes(count)
    }

    mutating func readBytes(_ count: Int) throws(TZifError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - offset else { throw .truncated(offset: offset) }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    mutating func readByte() throws(TZifError) -> UInt8 {
        guard offset < bytes.count else { throw .truncated(offset: offset) }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// A big-endian number of 4 or 8 bytes in two's complement.
    mutating func read(_ count: Int) throws(TZifError) -> Int64 {
        var number: UInt64 = 0
        for byte in try readBytes(count) { number = number << 8 | UInt64(byte) }
        return count == 4
            ? Int64(Int32(truncatingIfNeeded: number)) : Int64(bitPattern: number)
    }

    /// One data block, with all that it says about time; indicators are for zic alone.
    mutating func readBlock(
        _ header: TZifHeader, instantBytes: Int
    ) throws(TZifError) -> ([TZifFile.Transition], [ZoneOffset]) {
        try header.validate()
        guard header.blockBytes(instantBytes: instantBytes) <= bytes.count - offset else {
            throw .truncated(offset: offset)
        }
        let instants = try readInstants(header[.transitions], bytesEach: instantBytes)
        var transitions: [TZifFile.Transition] = []
        transitions.reserveCapacity(instants.count)
        for instant in instants {
            let type = try readByte()
            guard type < header[.types] else { throw .badIndex(offset: offset - 1) }
            transitions.append(TZifFile.Transition(instant: instant, type: type))
        }
        let types = try readTypes(header)
        try skip(header[.standardIndicators] + header[.utcIndicators])
        return (transitions, types)
    }

    private mutating func readInstants(
        _ count: Int, bytesEach: Int
    ) throws(TZifError) -> [Int64] {
        var instants: [Int64] = []
        instants.reserveCapacity(count)
        for _ in 0..<count {
            let start = offset
            let instant = try read(bytesEach)
            guard TZifFile.instants.contains(instant) else {
                throw .instantOutOfRange(offset: start)
            }
            if let last = instants.last, last >= instant {
                throw .unsortedTransitions(offset: start)
            }
            instants.append(instant)
        }
        return instants
    }

    private mutating func readTypes(_ header: TZifHeader) throws(TZifError) -> [ZoneOffset] {
        let typesOffset = offset
        let abbreviationsOffset = typesOffset + header[.types] * 6
        let abbreviations =
            abbreviationsOffset..<abbreviationsOffset + header[.abbreviationBytes]
        var types: [ZoneOffset] = []
        for _ in 0..<header[.types] {
            let start = offset
            let seconds = Int32(truncatingIfNeeded: try read(4))
            let limit = TZifFile.offsetLimitSeconds
            guard (-limit...limit).contains(seconds) else {
                throw .offsetOutOfRange(offset: start)
            }
            let flag = try readByte()
            guard flag <= 1 else { throw .badFlag(flag, offset: start + 4) }
            let first = abbreviations.lowerBound + Int(try readByte())
            guard abbreviations.contains(first) else { throw .badIndex(offset: start + 5) }
            let abbreviation = try self.abbreviation(in: first..<abbreviations.upperBound)
            types.append(
                ZoneOffset(seconds: seconds, isDST: flag == 1, abbreviation: abbreviation))
        }
        try skip(header[.abbreviationBytes])
        return types
    }

    /// The text from the start of the range to the next NUL, which must be in it.
    private func abbreviation(in range: Range<Int>) throws(TZifError) -> String {
        guard let end = bytes[range].firstIndex(of: 0) else {
            throw .badAbbreviation(offset: range.lowerBound)
        }
        let text = bytes[range.lowerBound..<end]
        guard text.count <= PosixRuleParser.longestAbbreviation,
            text.allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw .badAbbreviation(offset: range.lowerBound) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The TZ string between two newlines; what follows it has no meaning yet and is ignored.
    mutating func readFooter() throws(TZifError) -> PosixRule? {
        let newline = UInt8(ascii: "\n")
        guard offset < bytes.count, bytes[offset] == newline else {
            throw .missingFooter(offset: offset)
        }
        let start = offset + 1
        guard let end = bytes[start...].firstIndex(of: newline) else {
            throw .truncated(offset: offset)
        }
        guard start < end else { return nil }
        do throws(PosixRuleError) {
            return try PosixRule(bytes[start..<end])
        } catch {
            throw .badFooter(error, offset: start)
        }
    }
}
