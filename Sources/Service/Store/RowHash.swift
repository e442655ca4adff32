// The checksum that every stored row carries, because SQLite has none: a flipped bit in a text or a
// number would be read back as if it had been written. It guards against damage, not against
// people. The algorithm is part of the file format: changing it takes a migration.

/// A 64-bit hash over the values of a row, in column order.
///
/// Each value is preceded by its kind, and each text by its length, so that no two rows run
/// together. The mixing is that of MurmurHash3's finalizer, one round per eight bytes.
package struct RowHash: Equatable {
    private var state: UInt64

    /// `table` keeps a row of one table from passing for a row of another.
    package init(table: StaticString) {
        state = 0x9E37_79B9_7F4A_7C15
        unsafe combine(
            text: UnsafeRawBufferPointer(
                start: table.utf8Start, count: table.utf8CodeUnitCount))
    }

    package var value: Int64 { Int64(bitPattern: state) }

    package mutating func combineNull() {
        mix(0x6E75_6C6C)
    }

    package mutating func combine(_ number: Int64) {
        mix(1)
        mix(UInt64(bitPattern: number))
    }

    package mutating func combine(text: UnsafeRawBufferPointer) {
        mix(2 &+ UInt64(truncatingIfNeeded: text.count) << 8)
        var offset = 0
        while offset + 8 <= text.count {
            let word = unsafe text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            mix(UInt64(littleEndian: word))
            offset += 8
        }
        guard offset < text.count else { return }
        var rest: UInt64 = 0
        while offset < text.count {
            rest = unsafe rest << 8 | UInt64(text[offset])
            offset += 1
        }
        mix(rest)
    }

    private mutating func mix(_ word: UInt64) {
        var mixed = state ^ word
        mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        mixed = (mixed ^ (mixed >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        state = (mixed ^ (mixed >> 33)) &+ 0x9E37_79B9_7F4A_7C15
    }
}
