// Why the store could not be opened or could not commit. Each case is one thing that the daemon
// does differently; each description is one line that tells the user what is wrong and where.

/// A failure of SQLite, as SQLite tells it.
package struct SQLiteError: Error, Equatable, CustomStringConvertible {
    /// The extended result code, such as SQLITE_IOERR_FSYNC.
    package let code: Int32
    package let message: String
    /// What was being done: an SQL text or a call.
    package let statement: String

    /// The code's family, such as SQLITE_IOERR.
    package var primaryCode: Int32 { code & 0xFF }

    package var description: String { "\(message) (SQLite \(code), \(statement))" }
}

/// What the store reports upwards.
package enum StoreError: Error, Equatable {
    /// Another process holds the state directory.
    case alreadyInUse(directory: String)
    /// The directory cannot be made, entered or written, or is not ours.
    case directoryUnusable(path: String, reason: String)
    /// A file that is not trusted, such as a symbolic link or one of another user; left as it is.
    case fileRefused(path: String, reason: String)
    /// A database of another program; left as it is.
    case foreignDatabase(path: String, applicationID: Int32)
    /// Written by a later schedd; left as it is.
    case newerVersion(path: String, version: Int, supported: Int)
    /// No space is left. A commit that failed with it changed nothing and may be tried again.
    case diskFull(doing: String, SQLiteError)
    /// The disk or SQLite failed. A commit that failed with it changed nothing and may be tried
    /// again.
    case failed(doing: String, SQLiteError)
    /// A file of the open store is gone from its path, so that nothing written to it would be found
    /// again. Nothing was changed; a commit works again when the file is back.
    case displaced(path: String)
    /// The changes do not fit what is stored, which is a defect of the caller; nothing was changed.
    case inconsistent(doing: String)
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .alreadyInUse(let directory):
            "another schedd already uses the state directory \(directory)"
        case .directoryUnusable(let path, let reason):
            "the state directory \(path) cannot be used: \(reason)"
        case .fileRefused(let path, let reason):
            "\(path) is not used: \(reason)"
        case .foreignDatabase(let path, let applicationID):
            "\(path) is a database of another program (application id \(applicationID))"
        case .newerVersion(let path, let version, let supported):
            "\(path) was written by a later schedd (format \(version), this one knows up to "
                + "\(supported))"
        case .diskFull(let doing, let error):
            "no space left while \(doing): \(error)"
        case .failed(let doing, let error):
            "\(doing) failed: \(error)"
        case .displaced(let path):
            "\(path) was removed or replaced while schedd uses it, so nothing can be saved: put it "
                + "back, or save what is pending with 'schedctl export', restart schedd and "
                + "import that"
        case .inconsistent(let doing):
            "\(doing) does not fit what is stored"
        }
    }
}

/// What opening the store found and did that the user must hear of, in plain words.
package enum StoreNotice: Sendable, Equatable, CustomStringConvertible {
    /// The old file was moved out of the way; `reason` says what was wrong with it.
    case setAside(as: String, reason: String)
    /// What was read from the damaged file and is in the new one.
    case kept(pending: Int, deliveries: Int, missed: Int)
    /// Rows that could not be read; nil when not even their number is known.
    case lost(pending: Int?, deliveries: Int?, missed: Int?)
    /// A replacement of a damaged file that an earlier start had begun was completed.
    case replacementFinished
    /// The file's permissions were not 0600 and have been set so.
    case permissionsRepaired(path: String, mode: UInt32)

    package var description: String {
        switch self {
        case .setAside(let name, let reason):
            "the store was damaged (\(reason)) and has been set aside as \(name)"
        case .kept(let pending, let deliveries, let missed):
            "kept \(pending) pending, \(deliveries) delivered and \(missed) missed notifications"
        case .lost(let pending, let deliveries, let missed):
            "lost \(Self.count(pending)) pending, \(Self.count(deliveries)) delivered and "
                + "\(Self.count(missed)) missed notifications"
        case .replacementFinished:
            "a damaged store had been set aside, and what could be read of it is in use"
        case .permissionsRepaired(let path, let mode):
            "\(path) had the permissions 0\(String(mode, radix: 8)); they are 0600 again"
        }
    }

    private static func count(_ number: Int?) -> String {
        number.map(String.init) ?? "an unknown number of"
    }
}
