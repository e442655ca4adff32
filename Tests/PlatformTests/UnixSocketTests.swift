// The socket's place: path length, directory, mode, a dead socket and a live one; and what a client
// that goes away does to us.

import Foundation
import Platform
import Testing

@Suite(.timeLimit(.minutes(1)))
struct UnixSocketTests {
    @Test func `B79: a path of 107 bytes works on both sides`() throws {
        let directory = try TemporaryDirectory()
        for suffix in ["", "é"] {
            let path = directory.socketPath(lengthBytes: 107, suffix: suffix)
            let listener = try UnixListener(binding: path)
            let client = try UnixConnection.open(path: path)
            _ = try #require(try listener.accept())
            withExtendedLifetime(client) {}
        }
    }

    @Test(arguments: [108, 109, 200])
    func `B79: a longer path is refused and nothing is bound`(length: Int) throws {
        let directory = try TemporaryDirectory()
        let path = directory.socketPath(lengthBytes: length, suffix: "é")
        let expected = SocketError.pathTooLong(path: path, lengthBytes: length)
        #expect(throws: expected) { try UnixListener(binding: path) }
        #expect(throws: expected) { try UnixConnection.open(path: path) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
        let text = expected.description
        #expect(text.contains(path) && text.contains("\(length) bytes") && text.contains("107"))
    }

    @Test(arguments: ["", "/tmp/a\0b"])
    func `a path that no file can have is refused`(path: String) {
        #expect(throws: SocketError.pathUnusable(path: path)) { try UnixAddress(path: path) }
    }

    @Test(arguments: [("/run/a/b", "/run/a"), ("/b", "/"), ("b", "."), ("a/b", "a")])
    func `the directory of a path is found`(path: String, directory: String) throws {
        #expect(try UnixAddress(path: path).directory == directory)
    }

    @Test func `the socket is 0600 in a directory made 0700`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("schedd/io.schedd")
        let listener = try UnixListener(binding: path)
        #expect(try mode(path) == 0o600)
        #expect(try mode(directory.file("schedd")) == 0o700)
        try listener.unlink()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(arguments: [0o755, 0o701, 0o720] as [mode_t])
    func `a directory that others may enter is refused`(permissions: mode_t) throws {
        let directory = try TemporaryDirectory()
        try #require(unsafe chmod(directory.path, permissions) == 0)
        let expected = SocketError.directoryOpenToOthers(
            path: directory.path, mode: permissions)
        #expect(throws: expected) { try UnixListener(binding: directory.file("s")) }
        #expect(expected.description.contains("0" + String(permissions, radix: 8)))
    }

    @Test(.enabled(if: geteuid() == 0))
    func `a directory of another user is refused`() throws {
        let directory = try TemporaryDirectory()
        try #require(unsafe chown(directory.path, 65_534, 65_534) == 0)
        #expect(
            throws: SocketError.directoryOfAnotherUser(
                path: directory.path, owner: 65_534, expected: 0)
        ) { try UnixListener(binding: directory.file("s")) }
    }

    @Test func `a directory that is a link or a file is refused`() throws {
        let directory = try TemporaryDirectory()
        let link = directory.file("link")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: directory.path)
        #expect(throws: SocketError.directoryNotADirectory(path: link)) {
            try UnixListener(binding: "\(link)/s")
        }
        let file = directory.file("file")
        try Data().write(to: URL(fileURLWithPath: file))
        #expect(throws: SocketError.directoryNotADirectory(path: file)) {
            try UnixListener(binding: "\(file)/s")
        }
        #expect(throws: SocketError.notASocket(path: file)) { try UnixListener(binding: file) }
        #expect(FileManager.default.fileExists(atPath: file))
    }

    @Test func `a socket of a dead process is replaced, a live one is not`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("s")
        try leaveStaleSocket(at: path)
        let living = try UnixListener(binding: path)
        #expect(throws: SocketError.alreadyServed(path: path)) { try UnixListener(binding: path) }
        let client = try UnixConnection.open(path: path)
        // The refused one's probe is in the queue before the client.
        #expect(try living.accept()?.read(limitBytes: 1) == .endOfStream)
        #expect(try living.accept()?.read(limitBytes: 1) == .wouldBlock)
        #expect(try living.accept() == nil)
        withExtendedLifetime(client) {}
    }

    @Test func `a socket that another took over is not removed`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("s")
        let first = try UnixListener(binding: path)
        try FileManager.default.removeItem(atPath: path)
        let second = try UnixListener(binding: path)
        try first.unlink()
        #expect(FileManager.default.fileExists(atPath: path))
        try second.unlink()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `of many that start at once exactly one serves`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("s")
        try leaveStaleSocket(at: path)
        let listeners = await withTaskGroup(of: UnixListener?.self) { group in
            for _ in 0..<16 { group.addTask { try? UnixListener(binding: path) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(listeners.compactMap(\.self).count == 1)
    }

    @Test func `connecting tells a missing server from a silent one`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("s")
        let doing = "connecting to \(path)"
        #expect(throws: SocketError.system(SystemError(doing: doing, errno: .notFound))) {
            try UnixConnection.open(path: path)
        }
        try leaveStaleSocket(at: path)
        #expect(throws: SocketError.system(SystemError(doing: doing, errno: .connectionRefused))) {
            try UnixConnection.open(path: path)
        }
    }

    @Test func `the kernel names the peer`() throws {
        let directory = try TemporaryDirectory()
        let listener = try UnixListener(binding: directory.file("s"))
        let client = try UnixConnection.open(path: directory.file("s"))
        let accepted = try #require(try listener.accept())
        let us = PeerCredentials(processID: getpid(), userID: geteuid(), groupID: getegid())
        #expect(try accepted.peerCredentials() == us)
        #expect(try client.peerCredentials() == us)
    }

    @Test func `every descriptor is close-on-exec, accepted ones do not block`() throws {
        let directory = try TemporaryDirectory()
        let listener = try UnixListener(binding: directory.file("s"))
        let client = try UnixConnection.open(path: directory.file("s"))
        let accepted = try #require(try listener.accept())
        let pipe = try FileDescriptor.pipe()
        let duplicate = try FileDescriptor(duplicating: 0)
        for descriptor in [
            listener.descriptor, client, accepted, pipe.reading, pipe.writing, duplicate,
        ] {
            #expect(fcntl(descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0)
        }
        #expect(try accepted.read(limitBytes: 10) == .wouldBlock)
        #expect(try client.read(limitBytes: 10) == .wouldBlock)
    }

    @Test func `a short write is told, and all bytes arrive in order`() throws {
        let (sender, receiver) = try UnixConnection.pair()
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var rest = bytes[...]
        var received: [UInt8] = []
        var shortWrites = 0
        while received.count < bytes.count {
            let count = try sender.send(rest)
            if count < rest.count { shortWrites += 1 }
            rest = rest.dropFirst(count)
            if case .bytes(let part) = try receiver.read(limitBytes: 65_536) { received += part }
        }
        #expect(received == bytes)
        #expect(shortWrites > 0)
        try sender.shutDown(SHUT_WR)
        #expect(try receiver.read(limitBytes: 1) == .endOfStream)
    }

    @Test func `B84: a client that has gone is an error, and no signal`() async {
        await #expect(processExitsWith: .exitCode(expectedExit)) {
            // The default action of the signal would end this process.
            signal(SIGPIPE, SIG_DFL)
            let (ours, theirs) = try UnixConnection.pair()
            try theirs.shutDown()
            var failure: Errno?
            do throws(Errno) { _ = try ours.send([1]) } catch { failure = error }
            leave(failure == .brokenPipe)
        }
    }

    @Test func `B84: descriptors return to the earlier count`() async {
        await #expect(processExitsWith: .exitCode(expectedExit)) {
            let directory = try TemporaryDirectory()
            let listener = try UnixListener(binding: directory.file("s"))
            let before = openDescriptors()
            for _ in 0..<100 {
                let client = try UnixConnection.open(path: directory.file("s"))
                _ = try client.send([1, 2, 3])
                _ = try listener.accept()?.read(limitBytes: 2)
            }
            // The process's other threads may have opened a few of their own meanwhile.
            leave(openDescriptors() < before + 50)
        }
    }

    @Test func `a write to a pipe without a reader ends nothing once broken pipes are ignored`()
        async
    {
        await #expect(processExitsWith: .exitCode(expectedExit)) {
            signal(SIGPIPE, SIG_DFL)
            SignalSource.ignoreBrokenPipes()
            let writing = try FileDescriptor.pipe().writing
            var failure: Errno?
            do throws(Errno) { try writing.writeAll([1]) } catch { failure = error }
            leave(failure == .brokenPipe)
        }
    }
}

private func mode(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(unsafe lstat(path, &status) == 0)
    return status.st_mode & 0o7777
}

private func openDescriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
}
