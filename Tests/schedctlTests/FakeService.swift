// A service in a thread of the test: it answers each call as the test says, by Varlink's own server
// state, over a real socket in a folder of its own.

import Foundation
import Platform
import Synchronization
import TestSupport
import Varlink

/// Serves one connection after the other until it is told to stop.
final class FakeService: Sendable {
    /// What becomes of a connection after the replies to a call.
    enum Answer: Sendable {
        case replies([ReplyMessage])
        case repliesThenClose([ReplyMessage])
        case silence
    }

    let path: String
    private let folder: TemporaryFolder
    private let calls = Mutex<[String]>([])
    private let isStopped = Atomic(false)

    /// The names of the methods called so far.
    var methods: [String] { calls.withLock { $0 } }

    /// Answers by the method's name, its parameters and how many calls came before.
    init(_ answer: @escaping @Sendable (Call, Int) -> Answer) throws {
        folder = try TemporaryFolder()
        try folder.makePrivate()
        path = folder.url.appending(path: "s").path
        let listener = try UnixListener(binding: path)
        Thread { [weak self] in
            while let service = self, !service.isStopped.load(ordering: .relaxed) {
                // Short waits, so that a service that nobody holds any more ends soon.
                let isReady = try? listener.descriptor.wait(
                    for: .reading, timeoutMilliseconds: 20)
                guard isReady == true, let socket = try? listener.accept() else { continue }
                service.serve(socket, answer)
            }
        }.start()
    }

    deinit { isStopped.store(true, ordering: .relaxed) }

    private func serve(
        _ socket: FileDescriptor, _ answer: @Sendable (Call, Int) -> Answer
    ) {
        var server = ServerConnection()
        while true {
            while let event = server.nextEvent() {
                switch event {
                case .call(let call):
                    let before = calls.withLock { calls in
                        calls.append(call.method)
                        return calls.count - 1
                    }
                    let isLast: Bool
                    switch answer(call, before) {
                    case .replies(let messages):
                        isLast = false
                        for message in messages { server.reply(to: call.id, message) }
                    case .repliesThenClose(let messages):
                        isLast = true
                        for message in messages { server.reply(to: call.id, message) }
                    case .silence: isLast = false
                    }
                    guard flush(&server, socket), !isLast else { return }
                case .refused, .abandoned: break
                case .close: return
                }
            }
            guard (try? socket.wait(for: .reading, timeoutMilliseconds: 10_000)) == true,
                case .bytes(let bytes)? = try? socket.read(limitBytes: 65_536)
            else { return }
            server.receive(bytes)
        }
    }

    private func flush(_ server: inout ServerConnection, _ socket: FileDescriptor) -> Bool {
        while !server.pendingOutput.isEmpty {
            guard let count = try? socket.send(server.pendingOutput) else { return false }
            server.outputWritten(count)
            if count == 0 { _ = try? socket.wait(for: .writing, timeoutMilliseconds: 10_000) }
        }
        return true
    }
}

extension TemporaryFolder {
    /// Mode 0700, without which no socket is bound in it.
    func makePrivate() throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700], ofItemAtPath: url.path)
    }
}
