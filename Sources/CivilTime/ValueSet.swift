// Sets of small numbers as bit masks: the values of a pattern's fields. A set is a few words
// inside its owner, so that asking for the next occurrence touches no heap.

/// The values of one field from -63 to 63: bit n of `fromStart` is n, bit n of `fromEnd` is -n.
struct ValueSet: Sendable, Hashable {
    var fromStart: UInt64 = 0
    var fromEnd: UInt64 = 0

    init() {}

    /// Every value of a range within 0...63.
    init(_ range: ClosedRange<Int>) {
        fromStart = (UInt64.max >> UInt64(63 - range.count + 1)) << UInt64(range.lowerBound)
    }

    mutating func insert(_ value: Int) {
        if value < 0 {
            fromEnd |= 1 << UInt64(-value)
        } else {
            fromStart |= 1 << UInt64(value)
        }
    }

    var isEmpty: Bool { fromStart | fromEnd == 0 }

    /// All values, smallest first.
    var values: [Int] {
        var result: [Int] = []
        result.reserveCapacity(fromEnd.nonzeroBitCount + fromStart.nonzeroBitCount)
        var rest = fromEnd
        while rest != 0 {
            let value = 63 - rest.leadingZeroBitCount
            result.append(-value)
            rest ^= 1 << UInt64(value)
        }
        rest = fromStart
        while rest != 0 {
            result.append(rest.trailingZeroBitCount)
            // Takes away the lowest bit.
            rest &= rest - 1
        }
        return result
    }
}

/// The values of one field that is not counted from the end: bit n is n.
struct BitSet<Word: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable, Hashable {
    private(set) var bits: Word = 0

    mutating func insert(_ value: Int) {
        precondition(0..<Word.bitWidth ~= value, "the field's range fits the word")
        bits |= 1 << Word(value)
    }

    func contains(_ value: Int) -> Bool { bits >> Word(value) & 1 == 1 }

    /// All values, smallest first.
    var values: [Int] { (0..<Word.bitWidth).filter(contains) }
}

/// Days of the year from 1 to 366 and from -366 to -1; empty until a day is inserted, and then
/// twelve words: six for days counted from the start, six for days counted from the end.
struct YearDaySet: Sendable, Hashable {
    private static let wordsPerHalf = 6
    private var words: [UInt64] = []

    var isEmpty: Bool { words.isEmpty }

    mutating func insert(_ value: Int) {
        if words.isEmpty {
            words = Array(repeating: 0, count: 2 * Self.wordsPerHalf)
        }
        // A day from the end sits where it falls in a leap year: -1 at index 365, -366 at 0.
        let index = value > 0 ? value - 1 : Self.wordsPerHalf * 64 + 366 + value
        words[index >> 6] |= 1 << UInt64(index & 63)
    }

    /// All values, smallest first.
    var values: [Int] {
        guard !words.isEmpty else { return [] }
        let half = Self.wordsPerHalf * 64
        return (0..<366).filter { isSet(half + $0) }.map { $0 - 366 }
            + (0..<366).filter { isSet($0) }.map { $0 + 1 }
    }

    /// Whether day `number` (1...366), counted from the start, is in the set.
    func containsFromStart(_ number: Int) -> Bool {
        !words.isEmpty && isSet(number - 1)
    }

    /// The days of one month as a mask whose bit 0 is the first, of which `index` days of the year
    /// come before; bits beyond the month are undefined.
    func mask(after index: Int, yearLength: Int) -> UInt64 {
        bits(from: index, half: 0) | bits(from: index + 366 - yearLength, half: Self.wordsPerHalf)
    }

    private func isSet(_ index: Int) -> Bool {
        words[index >> 6] >> UInt64(index & 63) & 1 == 1
    }

    private func bits(from index: Int, half: Int) -> UInt64 {
        let word = index >> 6
        let shift = UInt64(index & 63)
        let low = words[half + word] >> shift
        guard shift > 33 && word + 1 < Self.wordsPerHalf else { return low }
        return low | words[half + word + 1] << (64 - shift)
    }
}
