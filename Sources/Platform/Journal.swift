// The program's log. Started by systemd, an entry goes to the journal with its fields; otherwise it
// is a line on standard error: bare on a terminal, with the priority prefix of sd-daemon(3)
// elsewhere.

import CSystemd
import Glibc

/// Writes log entries; safe from any thread, and it never fails: a log that cannot be written is
/// let go of.
package struct Journal: Sendable {
    /// The priorities of syslog(3) that schedd uses.
    package enum Level: Int32, Sendable, Comparable, CaseIterable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
        case debug = 7

        /// "At least as important as" is `<=`.
        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    package enum Destination: Equatable, Sendable { case journal, terminal, stream }

    package let destination: Destination
    /// Less important entries are dropped.
    package var threshold: Level
    private let stream: FileDescriptor?
    private let identifier: String

    /// `identifier` is the program's name, as SYSLOG_IDENTIFIER.
    package init(identifier: String, threshold: Level = .info) {
        self.init(
            identifier: identifier, threshold: threshold,
            stream: try? FileDescriptor(duplicating: StandardStream.error.rawValue),
            journalStream: Environment.process["JOURNAL_STREAM"])
    }

    /// `journalStream` is "device:inode" of the stream that systemd connected to the journal.
    package init(
        identifier: String, threshold: Level = .info, stream: FileDescriptor?,
        journalStream: String?
    ) {
        self.identifier = identifier
        self.threshold = threshold
        self.stream = stream
        destination =
            if let status = try? stream?.status(), let journalStream,
                journalStream == "\(status.st_dev):\(status.st_ino)"
            {
                .journal
            } else if stream?.isTerminal == true {
                .terminal
            } else {
                .stream
            }
    }

    /// One entry. Field names are upper-case words as the journal wants them ("SCHEDD_APP"); fields
    /// show only in the journal, so the message says by itself what happened, and to whom.
    package func log(
        _ level: Level, _ message: String, fields: KeyValuePairs<String, String> = [:]
    ) {
        guard level <= threshold else { return }
        precondition(fields.allSatisfy { Self.isFieldName($0.key) }, "not a journal field name")
        switch destination {
        case .journal:
            var entry = ["PRIORITY=\(level.rawValue)", "SYSLOG_IDENTIFIER=\(identifier)"]
            entry.append("MESSAGE=\(message)")
            entry += fields.map { "\($0.key)=\($0.value)" }
            Self.send(entry.map { Array($0.utf8) })
        case .terminal:
            try? stream?.writeAll(Array("\(message)\n".utf8))
        case .stream:
            // Each line of a message is an entry of its own to whoever reads the stream.
            let newline = UInt8(ascii: "\n")
            let prefix = Array("<\(level.rawValue)>".utf8)
            var bytes = prefix
            for byte in message.utf8 {
                bytes.append(byte)
                if byte == newline { bytes += prefix }
            }
            try? stream?.writeAll(bytes + [newline])
        }
    }

    /// sd_journal_sendv(3) of "NAME=value" fields.
    private static func send(_ fields: [[UInt8]]) {
        let joined = fields.flatMap(\.self)
        unsafe joined.withUnsafeBytes { bytes in
            guard
                var start = unsafe bytes.baseAddress.map({
                    unsafe UnsafeMutableRawPointer(mutating: $0)
                })
            else { return }
            var vectors: [iovec] = unsafe []
            for field in fields {
                unsafe vectors.append(iovec(iov_base: start, iov_len: field.count))
                unsafe start += field.count
            }
            _ = unsafe sd_journal_sendv(vectors, Int32(vectors.count))
        }
    }

    /// systemd.journal-fields(7): upper-case letters, digits and underscores, up to 64, starting
    /// with a letter. (A leading underscore is the journal's own.)
    private static func isFieldName(_ name: String) -> Bool {
        let bytes = name.utf8
        let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = bytes.first, letters.contains(first), bytes.count <= 64 else {
            return false
        }
        return bytes.allSatisfy {
            letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "_")
        }
    }
}
