// Why a zone file was refused. Offsets are bytes from the start of the file, so that a broken file
// can be looked at with a hex dump.

/// What is wrong with a TZif file, and where.
package enum TZifError: Error, Equatable {
    /// The file is longer than any zone file needs to be.
    case tooLarge(limit: Int)
    /// The file ends before what begins at this offset.
    case truncated(offset: Int)
    case badMagic(offset: Int)
    case unsupportedVersion(UInt8, offset: Int)
    /// A count of the header is impossible, or beyond what is accepted.
    case badCount(TZifCount, UInt32, offset: Int)
    /// The file counts leap seconds (a `right/` zone); system time does not.
    case leapSeconds(offset: Int)
    /// Transitions do not follow one another in time.
    case unsortedTransitions(offset: Int)
    /// An instant beyond 18 billion years from now.
    case instantOutOfRange(offset: Int)
    /// An index points past the types or the abbreviations.
    case badIndex(offset: Int)
    /// More than 26 hours from UTC.
    case offsetOutOfRange(offset: Int)
    /// A flag that is neither 0 nor 1.
    case badFlag(UInt8, offset: Int)
    /// An abbreviation has a byte outside of printable ASCII, or has no end.
    case badAbbreviation(offset: Int)
    case missingFooter(offset: Int)
    /// The footer, at this offset, is not a rule.
    case badFooter(PosixRuleError, offset: Int)
}

/// The six counts of a TZif header, in the order in which they stand there.
package enum TZifCount: Int, Sendable, CaseIterable {
    case utcIndicators
    case standardIndicators
    case leapSeconds
    case transitions
    case types
    case abbreviationBytes
}

extension TZifError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLarge(let limit): "larger than \(limit) bytes"
        case .truncated(let offset): "ends in the middle of what begins at byte \(offset)"
        case .badMagic(let offset): "no TZif header at byte \(offset)"
        case .unsupportedVersion(let version, let offset):
            "unknown TZif version \(version) at byte \(offset)"
        case .badCount(let count, let value, let offset):
            "impossible count of \(count), \(value), at byte \(offset)"
        case .leapSeconds(let offset):
            "counts leap seconds (byte \(offset)): a 'right/' zone cannot be used"
        case .unsortedTransitions(let offset): "transitions out of order at byte \(offset)"
        case .instantOutOfRange(let offset): "transition out of range at byte \(offset)"
        case .badIndex(let offset): "index out of range at byte \(offset)"
        case .offsetOutOfRange(let offset): "more than 26 hours from UTC at byte \(offset)"
        case .badFlag(let value, let offset): "flag \(value) at byte \(offset) is not 0 or 1"
        case .badAbbreviation(let offset): "bad abbreviation at byte \(offset)"
        case .missingFooter(let offset): "no footer at byte \(offset)"
        case .badFooter(let error, let offset): "footer at byte \(offset): \(error)"
        }
    }
}
