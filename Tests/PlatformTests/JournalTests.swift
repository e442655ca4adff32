// Where log lines go and what they look like there. The journal's own protocol is tried with a real
// journald in the integration tests.

import Foundation
import Platform
import Testing

struct JournalTests {
    @Test func `a stream gets one line per line, with its priority`() throws {
        let pipe = try FileDescriptor.pipe()
        let journal = Journal(
            identifier: "schedd", stream: pipe.writing, journalStream: nil)
        #expect(journal.destination == .stream)
        journal.log(.warning, "two\nlines", fields: ["SCHEDD_APP": "org.example"])
        journal.log(.error, "")
        journal.log(.debug, "not wanted")
        #expect(try text(pipe.reading) == "<4>two\n<4>lines\n<3>\n")
    }

    @Test func `the threshold is the least important that is logged`() throws {
        for threshold in Journal.Level.allCases {
            let pipe = try FileDescriptor.pipe()
            let journal = Journal(
                identifier: "schedd", threshold: threshold, stream: pipe.writing,
                journalStream: nil)
            for level in Journal.Level.allCases { journal.log(level, "x") }
            let expected = Journal.Level.allCases.filter { $0.rawValue <= threshold.rawValue }
            #expect(try text(pipe.reading) == expected.map { "<\($0.rawValue)>x\n" }.joined())
        }
    }

    @Test func `a terminal gets bare lines`() throws {
        var primary: Int32 = -1
        var secondary: Int32 = -1
        try #require(unsafe openpty(&primary, &secondary, nil, nil, nil) == 0)
        let screen = FileDescriptor(owning: primary)
        let journal = Journal(
            identifier: "schedd", stream: FileDescriptor(owning: secondary), journalStream: nil)
        #expect(journal.destination == .terminal)
        journal.log(.error, "plain")
        #expect(try screen.read(limitBytes: 100) == .bytes(Array("plain\r\n".utf8)))
    }

    @Test func `the journal is used only when it is behind this very stream`() throws {
        let pipe = try FileDescriptor.pipe()
        let status = try pipe.writing.status()
        let rows: [(String?, Journal.Destination)] = [
            ("\(status.st_dev):\(status.st_ino)", .journal),
            ("\(status.st_dev):\(status.st_ino + 1)", .stream),
            ("\(status.st_dev)", .stream), ("", .stream), (nil, .stream),
        ]
        for (journalStream, destination) in rows {
            let journal = Journal(
                identifier: "schedd", stream: pipe.writing, journalStream: journalStream)
            #expect(journal.destination == destination)
        }
    }

    @Test func `no stream is no failure`() {
        Journal(identifier: "schedd", stream: nil, journalStream: nil).log(.error, "nobody reads")
    }

    @Test(arguments: ["lower", "_LEADING", "", "SP ACE", String(repeating: "A", count: 65)])
    func `a field name that the journal would drop traps`(name: String) async {
        await #expect(processExitsWith: .failure) { [name] in
            Journal(identifier: "schedd", stream: nil, journalStream: nil)
                .log(.error, "x", fields: [name: "value"])
        }
    }
}

/// What is in a pipe now.
private func text(_ pipe: FileDescriptor) throws -> String {
    try pipe.setNonBlocking()
    guard case .bytes(let bytes) = try pipe.read(limitBytes: 4_096) else { return "" }
    return String(decoding: bytes, as: UTF8.self)
}
