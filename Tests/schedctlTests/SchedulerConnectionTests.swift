// The client against a service that answers as the test wants: replies, parts, errors, ends.

import Foundation
import Platform
import SchedulerClient
import SchedulerInterface
import TestSupport
import Testing
import Varlink

struct SchedulerConnectionTests {
    private typealias List = ManagerMethod.ListPending

    private static func request(_ identifier: String) -> Wire.PendingRequest {
        Wire.PendingRequest(
            app: "a", identifier: identifier, content: .init(title: "T"), trigger: .init(),
            ifMissed: .deliver, addedUsec: 0, nextUsec: 1, occurrenceCount: 0)
    }

    private static func part(_ identifiers: String...) -> List.Reply {
        .init(pending: identifiers.map(request))
    }

    @Test func `a call has its reply`() throws {
        let service = try FakeService { call, _ in
            #expect(call.method == "io.schedd.Manager.ListPending")
            #expect((try? call.parameters(of: List.self))?.app == "a")
            return .replies([.reply(Self.part("x"))])
        }
        let connection = try SchedulerConnection.connect(path: service.path)
        let reply = try connection.call(List.self, .init(app: "a"))
        #expect(reply == Self.part("x"))
        #expect(try connection.call(List.self, .init(app: "a")) == reply)
    }

    @Test func `the parts of a listing are joined`() throws {
        let service = try FakeService { call, _ in
            #expect(call.mode == .more)
            return .replies([
                .update(Self.part("x", "y")), .update(Self.part()), .reply(Self.part("z")),
            ])
        }
        let connection = try SchedulerConnection.connect(path: service.path)
        let all = try connection.collect(List.self, .init(), part: \.pending)
        #expect(all.map(\.identifier) == ["x", "y", "z"])
        #expect(try connection.collect(List.self, .init(), part: \.pending).count == 3)
    }

    @Test func `a listing that breaks off is an error, not a short list`() throws {
        let service = try FakeService { _, _ in .repliesThenClose([.update(Self.part("x"))]) }
        let connection = try SchedulerConnection.connect(path: service.path)
        let error = #expect(throws: ClientError.self) {
            try connection.collect(List.self, .init(), part: \.pending)
        }
        #expect(error == .closed(.peerClosed))
        #expect(error?.isDisconnection == true)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let message: ReplyMessage
        let rejection: Rejection
        var testDescription: String { "\(rejection)" }
    }

    static let refusals: [Refusal] = [
        Refusal(
            message: .failure(
                SchedulerFailure.QueueFull(app: "a", limit: 64, pending: 64, identifiers: ["x"])),
            rejection: .queueFull(.init(app: "a", limit: 64, pending: 64, identifiers: ["x"]))),
        Refusal(
            message: .failure(
                ManagerFailure.QueueFull(app: "a", limit: 9, pending: 8, identifiers: ["x"])),
            rejection: .queueFull(.init(app: "a", limit: 9, pending: 8, identifiers: ["x"]))),
        Refusal(
            message: .failure(SchedulerFailure.InvalidRequest(field: "f", reason: "r")),
            rejection: .invalidRequest(field: "f", reason: "r")),
        Refusal(
            message: .failure(ManagerFailure.InvalidRequest(field: "f", reason: "r")),
            rejection: .invalidRequest(field: "f", reason: "r")),
        Refusal(
            message: .failure(SchedulerFailure.NeverFires(field: "f", reason: "r")),
            rejection: .neverFires(field: "f", reason: "r")),
        Refusal(
            message: .failure(SchedulerFailure.InPast(field: "f", atUsec: 1, nowUsec: 2)),
            rejection: .inPast(.init(field: "f", atUsec: 1, nowUsec: 2))),
        Refusal(
            message: .failure(SchedulerFailure.TooLarge(field: "f", size: 2, limit: 1)),
            rejection: .tooLarge(.init(field: "f", size: 2, limit: 1))),
        Refusal(
            message: .failure(SchedulerFailure.StorageFailed(reason: "r")),
            rejection: .storageFailed(reason: "r")),
        Refusal(
            message: .failure(ManagerFailure.StorageFailed(reason: "r")),
            rejection: .storageFailed(reason: "r")),
        Refusal(
            message: .failure(ServiceError.methodNotFound("x.y.Z")),
            rejection: .service(.methodNotFound("x.y.Z"))),
        Refusal(
            message: .failure(ServiceError.invalidParameter("app")),
            rejection: .service(.invalidParameter("app"))),
    ]

    @Test(arguments: refusals)
    func `an error of the service has its type`(_ refusal: Refusal) throws {
        let service = try FakeService { [message = refusal.message] _, _ in .replies([message]) }
        let connection = try SchedulerConnection.connect(path: service.path)
        #expect(throws: ClientError.rejected(refusal.rejection)) {
            try connection.call(List.self, .init())
        }
        // The connection is as good as before.
        #expect(throws: ClientError.rejected(refusal.rejection)) {
            try connection.call(List.self, .init())
        }
    }

    @Test func `a service that does not answer is given up`() throws {
        let service = try FakeService { _, _ in .silence }
        let connection = try SchedulerConnection.connect(
            path: service.path, timeout: .milliseconds(50))
        #expect(throws: ClientError.timedOut(.milliseconds(50))) {
            try connection.call(List.self, .init())
        }
    }

    @Test func `a reply of another shape names what is wrong`() throws {
        let service = try FakeService { _, _ in
            .replies([.reply(JSONValue.object(["pending": .array([.string("x")])]))])
        }
        let connection = try SchedulerConnection.connect(path: service.path)
        let error = #expect(throws: ClientError.self) {
            try connection.call(List.self, .init())
        }
        #expect(
            error
                == .unreadableReply(
                    method: "io.schedd.Manager.ListPending", parameter: "pending[0]"))
    }

    @Test func `a call and a reply larger than a socket's buffer pass`() throws {
        let long = String(repeating: "x", count: 700_000)
        let service = try FakeService { call, _ in
            let app = try? call.parameters(of: List.self).app
            return .replies([.reply(Self.part(app ?? ""))])
        }
        let connection = try SchedulerConnection.connect(path: service.path)
        let reply = try connection.call(List.self, .init(app: long))
        #expect(reply.pending.map(\.identifier) == [long])
    }

    @Test func `what is wrong with the socket is said with what to do`() throws {
        let folder = try TemporaryFolder()
        try folder.makePrivate()
        let path = folder.url.appending(path: "s").path
        func failure(_ path: String) -> ClientError? {
            do throws(ClientError) {
                _ = try SchedulerConnection.connect(path: path)
                return nil
            } catch {
                return error
            }
        }
        #expect(failure(path) == .noSocket(path: path))
        #expect(failure(path)?.description.contains("systemctl --user start schedd") == true)
        do {
            // Its descriptor closes here, and the socket's file stays.
            _ = try UnixListener(binding: path)
        }
        #expect(failure(path) == .refused(path: path))
        #expect(failure(path)?.description.contains("systemctl --user start schedd") == true)
        let long = "/" + String(repeating: "x", count: 107)
        #expect(failure(long) == .unusablePath(.pathTooLong(path: long, lengthBytes: 108)))
        #expect(failure(long)?.description.contains("107") == true)
    }

    @Test func `the socket is the option's, else the variable's, else in the runtime folder`()
        throws
    {
        let folder = try TemporaryFolder()
        try folder.makePrivate()
        let both = Environment(["SCHEDD_SOCKET": "/v", "XDG_RUNTIME_DIR": folder.url.path])
        let runtime = Environment(["XDG_RUNTIME_DIR": folder.url.path])
        #expect(try SchedulerConnection.socketPath(option: "/o", environment: both) == "/o")
        #expect(try SchedulerConnection.socketPath(option: nil, environment: both) == "/v")
        #expect(
            try SchedulerConnection.socketPath(option: nil, environment: runtime)
                == folder.url.path + "/schedd/io.schedd")
        let error = #expect(throws: ClientError.self) {
            try SchedulerConnection.socketPath(
                option: nil, environment: Environment(["XDG_RUNTIME_DIR": "relative"]))
        }
        #expect(error?.description.contains("XDG_RUNTIME_DIR") == true)
    }
}
