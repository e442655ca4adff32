// What systemd may pass and what we make of it. The variables are tried in processes of their own.
// In those, descriptor 3 belongs to Dispatch, so that a socket really passed is left to the
// integration tests, which start the daemon.

import Foundation
import Platform
import Testing

struct ListenFileDescriptorsTests {
    @Test func `B90: a listening UNIX stream socket is taken and its file is left alone`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("s")
        let bound = try UnixListener(binding: path).descriptor
        // As systemd passes it.
        try bound.setNonBlocking(false)
        let listener = try #require(try ListenFileDescriptors.listener(from: [bound]))
        #expect(try listener.accept() == nil)
        let client = try UnixConnection.open(path: path)
        #expect(try listener.accept() != nil)
        try listener.unlink()
        #expect(FileManager.default.fileExists(atPath: path))
        withExtendedLifetime(client) {}
    }

    @Test func `B90: nothing passed is no listener, two are one too many`() throws {
        let directory = try TemporaryDirectory()
        let sockets = try ["a", "b"].map {
            try UnixListener(binding: directory.file($0)).descriptor
        }
        #expect(try ListenFileDescriptors.listener(from: []) == nil)
        #expect(throws: ListenError.tooMany(count: 2)) {
            try ListenFileDescriptors.listener(from: sockets)
        }
    }

    enum Wrong: CaseIterable {
        case pipe, datagram, internet, connected, unbound

        var error: ListenError {
            switch self {
            case .pipe, .datagram, .internet: .notUnixStream
            case .connected, .unbound: .notListening
            }
        }

        func make() throws -> FileDescriptor {
            let stream = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
            let datagram = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue
            switch self {
            case .pipe: return try FileDescriptor.pipe().reading
            case .connected: return try UnixConnection.pair().0
            case .datagram: return FileDescriptor(owning: socket(AF_UNIX, Int32(datagram), 0))
            case .unbound: return FileDescriptor(owning: socket(AF_UNIX, Int32(stream), 0))
            case .internet:
                let socket = FileDescriptor(owning: socket(AF_INET, Int32(stream), 0))
                try #require(listen(socket.rawValue, 1) == 0)
                return socket
            }
        }
    }

    @Test(arguments: Wrong.allCases)
    func `B90: anything else is refused`(wrong: Wrong) throws {
        let descriptor = try wrong.make()
        #expect(throws: wrong.error) {
            try ListenFileDescriptors.listener(from: [descriptor])
        }
    }

    struct Variables: Codable, CustomTestStringConvertible {
        let count: String?
        /// nil is this process.
        let process: String?
        /// The malformed variable, "" for a number that makes no sense, nil when there is no error.
        let malformed: String?
        var testDescription: String { "LISTEN_FDS=\(count ?? "-") LISTEN_PID=\(process ?? "own")" }
    }

    @Test(arguments: [
        Variables(count: "1", process: "1", malformed: nil),
        Variables(count: "0", process: nil, malformed: nil),
        Variables(count: nil, process: nil, malformed: nil),
        Variables(count: "x", process: nil, malformed: "LISTEN_FDS"),
        Variables(count: "1", process: "x", malformed: "LISTEN_PID"),
        Variables(count: "-1", process: nil, malformed: ""),
    ])
    func `B90: the variables decide whether anything was passed`(variables: Variables) async {
        await #expect(processExitsWith: .exitCode(expectedExit)) { [variables] in
            setEnvironment("LISTEN_FDS", variables.count)
            setEnvironment("LISTEN_PID", variables.process ?? "\(getpid())")
            setEnvironment("LISTEN_FDNAMES", "varlink")
            setEnvironment("LISTEN_PIDFDID", "1")
            let result = Result { () throws(ListenError) in try ListenFileDescriptors.adopt() }
            let names = ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "LISTEN_PIDFDID"]
            guard names.allSatisfy({ Environment.process[$0] == nil }) else { leave(false) }
            switch result {
            case .success(let listener): leave(variables.malformed == nil && listener == nil)
            case .failure(.malformed(let variable, "x")): leave(variables.malformed == variable)
            case .failure(.system(let error)):
                leave(variables.malformed == "" && error.errno.code == EINVAL)
            case .failure: leave(false)
            }
        }
    }
}
