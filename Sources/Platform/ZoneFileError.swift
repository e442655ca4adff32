// Why a zone could not be had: an unknown or forbidden name, a file that is none, a system that
// fails. The texts name what the user wrote and what to look at.

package import CivilTime

/// A zone name, zone file or `$TZ` value that cannot be used.
package enum ZoneFileError: Error, Equatable, Sendable {
    /// Empty, absolute, too long, with an empty, `.` or `..` part, or with a character that no zone
    /// name has.
    case badName(String)
    /// There is no such file in the directory.
    case unknownZone(String, directory: String)
    /// A link leads out of the zone directory.
    case leavesDirectory(String, directory: String)
    case tooManyLinks(String)
    /// A directory, a device or the like.
    case notAFile(String)
    case tooLarge(String, limitBytes: Int)
    case malformed(String, TZifError)
    /// `$TZ` is neither a zone of the directory nor a rule; the error is the rule's.
    case badVariable(String, PosixRuleError)
    case system(SystemError)
}

extension ZoneFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badName(let name): "\"\(name)\" cannot be the name of a time zone"
        case .unknownZone(let name, let directory): "no time zone \"\(name)\" in \(directory)"
        case .leavesDirectory(let name, let directory):
            "time zone \"\(name)\" is a link that leads out of \(directory)"
        case .tooManyLinks(let name): "time zone \"\(name)\" is a link to a link without end"
        case .notAFile(let name): "\"\(name)\" is not a zone file"
        case .tooLarge(let name, let limit):
            "\"\(name)\" is larger than any zone file (\(limit) bytes)"
        case .malformed(let name, let error): "zone file \"\(name)\": \(error)"
        case .badVariable(let value, let error):
            "TZ=\"\(value)\" is neither a time zone nor a rule: \(error)"
        case .system(let error): "\(error)"
        }
    }
}
