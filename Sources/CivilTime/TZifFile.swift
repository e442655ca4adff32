// Reads a compiled zone file, versions 1 to 4 (RFC 9636). Nothing in the file is believed: every
// length, count and index is checked before it is used, memory is bounded by the limits below
// whatever the header claims, and a bad file is an error with the offset of what is wrong.

/// The contents of a TZif file: checked, but not yet put into any order that is good for lookup.
struct TZifFile {
    struct Transition {
        let instant: Int64
        let type: UInt8
    }

    /// Strictly ascending.
    let transitions: [Transition]
    /// At least one; the first is in force before the first transition.
    let types: [ZoneOffset]
    /// Holds from the last transition on; nil where the file does not say.
    let footer: PosixRule?

    /// The largest file of tzdata has under 4 KiB, of the fattest form under 16 KiB.
    static let largestFile = 256 * 1_024
    /// tzcode accepts 2,000; 400 years of an irregular calendar would take 1,600.
    static let mostTransitions: UInt32 = 10_000
    /// The index of a type is one byte.
    static let mostTypes: UInt32 = 256
    /// The index of an abbreviation is one byte, too; what follows is its end.
    static let mostAbbreviationBytes: UInt32 = 512
    /// zic's own "big bang" is -2^59; an instant beyond that on either side is nonsense.
    static let instants: ClosedRange<Int64> = -(1 << 59)...(1 << 59)
    static let offsetLimitSeconds: Int32 = 26 * 3_600

    init(_ bytes: [UInt8]) throws(TZifError) {
        guard bytes.count <= Self.largestFile else { throw .tooLarge(limit: Self.largestFile) }
        var reader = TZifReader(bytes: bytes)
        var header = try TZifHeader(&reader)
        guard header.version != 0 else {
            (transitions, types) = try reader.readBlock(header, instantBytes: 4)
            footer = nil
            return
        }
        // The 32-bit block is there for old readers only, and often empty: skip it.
        try reader.skip(header.blockBytes(instantBytes: 4))
        header = try TZifHeader(&reader)
        (transitions, types) = try reader.readBlock(header, instantBytes: 8)
        footer = try reader.readFooter()
    }
}

/// The 44 bytes in front of each block.
struct TZifHeader {
    let version: UInt8
    private let counts: [UInt32]
    private let countsOffset: Int

    init(_ reader: inout TZifReader) throws(TZifError) {
        let start = reader.offset
        guard try reader.readBytes(4).elementsEqual("TZif".utf8) else {
            throw .badMagic(offset: start)
        }
        version = try reader.readByte()
        switch version {
        // Later versions only ever gave more meaning to the same layout.
        case 0, UInt8(ascii: "2")...UInt8(ascii: "9"): break
        default: throw .unsupportedVersion(version, offset: start + 4)
        }
        try reader.skip(15)
        countsOffset = reader.offset
        var counts: [UInt32] = []
        for _ in TZifCount.allCases {
            counts.append(UInt32(truncatingIfNeeded: try reader.read(4)))
        }
        self.counts = counts
    }

    subscript(count: TZifCount) -> Int {
        Int(counts[count.rawValue])
    }

    /// The length of the block; cannot overflow, as each count is below 2^32.
    func blockBytes(instantBytes: Int) -> Int {
        let transitions = self[.transitions] * (instantBytes + 1)
        let leapSeconds = self[.leapSeconds] * (instantBytes + 4)
        return transitions + self[.types] * 6 + self[.abbreviationBytes] + leapSeconds
            + self[.standardIndicators] + self[.utcIndicators]
    }

    /// Refuses counts that contradict each other or the limits.
    func validate() throws(TZifError) {
        guard self[.leapSeconds] == 0 else {
            throw .leapSeconds(offset: offset(of: .leapSeconds))
        }
        let types = counts[TZifCount.types.rawValue]
        try check(.types, in: 1...TZifFile.mostTypes)
        try check(.transitions, in: 0...TZifFile.mostTransitions)
        try check(.abbreviationBytes, in: 1...TZifFile.mostAbbreviationBytes)
        for count in [TZifCount.standardIndicators, .utcIndicators] where self[count] != 0 {
            try check(count, in: types...types)
        }
    }

    private func check(_ count: TZifCount, in allowed: ClosedRange<UInt32>) throws(TZifError) {
        let value = counts[count.rawValue]
        guard allowed.contains(value) else {
            throw .badCount(count, value, offset: offset(of: count))
        }
    }

    private func offset(of count: TZifCount) -> Int {
        countsOffset + count.rawValue * 4
    }
}
