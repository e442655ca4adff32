// Writes TZif files byte by byte: the ones that zic would never make, and a plain container for a
// footer rule.

/// The parts of a zone file; the defaults make the smallest valid one.
package struct TZifBytes: Sendable {
    package var version = UInt8(ascii: "2")
    package var instants: [Int64] = []
    /// One index into `types` for each instant.
    package var typeIndices: [UInt8] = []
    package var types: [(seconds: Int32, isDST: UInt8, abbreviation: UInt8)] = [(0, 0, 0)]
    package var abbreviations = "UTC\0"
    package var footer = ""

    package init() {}

    /// A file with nothing but a rule in its footer.
    package init(footer: String) {
        version = UInt8(ascii: "3")
        self.footer = footer
    }

    /// The file: both blocks and the footer, or for version 1 the 32-bit block alone.
    package var bytes: [UInt8] {
        if version == 0 { return block(instantBytes: 4) }
        var empty = Self()
        empty.version = version
        return empty.block(instantBytes: 4) + block(instantBytes: 8)
            + Array("\n\(footer)\n".utf8)
    }

    /// Where the 64-bit block begins in `bytes`.
    package static let secondHeader = 44 + 6 + 4

    private func block(instantBytes: Int) -> [UInt8] {
        var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
        let counts = [0, 0, 0, instants.count, types.count, abbreviations.utf8.count]
        for count in counts { bytes += Self.bigEndian(Int64(count), bytes: 4) }
        for instant in instants { bytes += Self.bigEndian(instant, bytes: instantBytes) }
        bytes += typeIndices
        for type in types {
            bytes += Self.bigEndian(Int64(type.seconds), bytes: 4)
            bytes += [type.isDST, type.abbreviation]
        }
        return bytes + Array(abbreviations.utf8)
    }

    private static func bigEndian(_ number: Int64, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: number >> (Int64($0) * 8)) }
    }
}
