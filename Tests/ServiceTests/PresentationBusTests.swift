// The whole way over a real bus to a server that misbehaves on command. What needs no bus is tested
// without one; here is what only a bus can show: types on the wire, who gets which signal, a
// connection that hangs or breaks.

import Dispatch
import Foundation
import SchedulerInterface
import Service
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2))) struct `Presentation over a bus` {
    /// A server that gives 1, 2, 3...
    static func counting(
        capabilities: [String]? = ["body", "body-markup", "actions"]
    ) throws -> FakeServer {
        let count = Held<UInt32>(0)
        return try FakeServer(capabilities: capabilities) { _ in
            count.set(count.get() + 1)
            return .serverID(count.get())
        }
    }

    static func notifies(_ call: FakeServer.Call) -> Bool {
        if case .notify = call { true } else { false }
    }

    @Test func `everything arrives as it was meant, with the types of the specification`()
        async throws
    {
        let bus = try PrivateBus()
        try await bus.start()
        let server = try Self.counting()
        try await server.start(on: bus.address)
        let desk = try Desk(address: bus.address)
        desk.present(
            Presentation(
                deliveryID: 5, app: "Calendar", title: "Tom & Jerry", subtitle: "at <noon>",
                body: "1 < 2\nünïcode 🇳🇴", urgency: .critical, desktopEntry: "org.example.Calendar",
                expireTimeoutUsec: 500,
                actions: [PresentationAction(key: "default", label: "Open")]))
        try await desk.expect(.presented(deliveryID: 5))
        guard case .notify(var call) = try await server.calls.first(where: Self.notifies) else {
            return
        }
        #expect(call.sender.hasPrefix(":1."))
        call.sender = ""
        #expect(
            call
                == FakeServer.Notify(
                    appName: "Calendar", replacesID: 0, summary: "Tom & Jerry",
                    body: "at &lt;noon&gt;\n1 &lt; 2\nünïcode 🇳🇴", actions: ["default", "Open"],
                    hints: ["urgency": "y 2", "desktop-entry": "s org.example.Calendar"],
                    expireTimeout: 1))
        #expect(desk.summary.serverName?.hasPrefix(":1.") == true)
    }

    @Test func `B69: capabilities are read again when another server takes over`() async throws {
        let bus = try PrivateBus()
        try await bus.start()
        let first = try Self.counting()
        try await first.start(on: bus.address)
        let desk = try Desk(address: bus.address)
        desk.present(Presentation(deliveryID: 1, app: "a", title: "t", body: "1 < 2"))
        try await desk.expect(.presented(deliveryID: 1))
        first.stop()
        let second = try Self.counting(capabilities: ["body"])
        try await second.start(on: bus.address)
        desk.present(Presentation(deliveryID: 2, app: "a", title: "t", body: "1 < 2"))
        try await desk.expect(.presented(deliveryID: 2))
        var bodies: [String] = []
        for case .notify(let call) in first.calls.entries + second.calls.entries {
            bodies.append(call.body)
        }
        #expect(bodies == ["1 &lt; 2", "1 < 2"])
    }

    @Test func `B66: a server that arrives late shows what waited, once and in order`()
        async throws
    {
        let bus = try PrivateBus()
        try await bus.start()
        let desk = try Desk(address: bus.address)
        for key in Int64(1)...3 { desk.present(delivery(key)) }
        try await desk.expect(.failing(reason: "no notification server on the session bus"))
        let server = try Self.counting()
        try await server.start(on: bus.address)
        try await desk.reports.all(3, within: 2) {
            if case .presented = $0 { true } else { false }
        }
        let titles = server.calls.entries.compactMap { call -> String? in
            guard case .notify(let notify) = call else { return nil }
            return notify.summary
        }
        #expect(titles == ["T1", "T2", "T3"])
    }

    @Test func `B66: a bus that arrives late, with its server, shows what waited`() async throws {
        let bus = try PrivateBus()
        let desk = try Desk(address: bus.address)
        desk.present(delivery(1))
        try await desk.reports.first { if case .failing = $0 { true } else { false } }
        #expect(!desk.summary.isConnected)
        try await bus.start()
        let server = try Self.counting()
        try await server.start(on: bus.address)
        try await desk.expect(.presented(deliveryID: 1))
        #expect(server.calls.entries.count(where: Self.notifies) == 1)
    }

    @Test func `a bus that breaks and returns is used again, and nothing is shown twice`()
        async throws
    {
        let bus = try PrivateBus()
        try await bus.start()
        let first = try Self.counting()
        try await first.start(on: bus.address)
        let desk = try Desk(address: bus.address)
        desk.present(delivery(1))
        try await desk.expect(.presented(deliveryID: 1))
        bus.stop()
        desk.present(delivery(2))
        try await desk.reports.first { if case .failing = $0 { true } else { false } }
        first.stop()
        try await bus.start()
        let second = try Self.counting()
        try await second.start(on: bus.address)
        try await desk.expect(.presented(deliveryID: 2))
        #expect(second.calls.entries.count(where: Self.notifies) == 1)
    }

    @Test func `a bus that never answers blocks nothing and is given up`() async throws {
        // A listener that accepts into its backlog and says nothing.
        let folder = try TemporaryFolder()
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        defer { close(listener) }
        let path = folder.url.appending(path: "bus").path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: path.utf8)
        }
        let bound = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0 && listen(listener, 8) == 0)
        var timing = PresenterTiming()
        timing.connectTimeoutUsec = 200_000
        let desk = try Desk(address: "unix:path=\(path)", timing: timing)
        // Each of these would hang if the queue were blocked.
        desk.present(delivery(1))
        #expect(desk.summary.waiting == 1)
        try await desk.expect(.failing(reason: "the session bus does not answer"))
        #expect(!desk.summary.isConnected)
    }

    @Test func `B66: an unanswered Notify is tried again, then given up until another server`()
        async throws
    {
        let bus = try PrivateBus()
        try await bus.start()
        let silent = try FakeServer { _ in .silence }
        try await silent.start(on: bus.address)
        var timing = PresenterTiming()
        timing.answerTimeoutUsec = 50_000
        timing.retryUsec = 10_000...50_000
        let desk = try Desk(address: bus.address, timing: timing)
        desk.present(delivery(1))
        try await silent.calls.all(3, where: Self.notifies)
        try await desk.expect(.failing(reason: "the notification server does not answer"))
        silent.stop()
        let server = try Self.counting()
        try await server.start(on: bus.address)
        try await desk.expect(.presented(deliveryID: 1))
        #expect(silent.calls.entries.count(where: Self.notifies) == 3)
        #expect(server.calls.entries.count(where: Self.notifies) == 1)
    }

    @Test func `B74: a server that refuses three times shows it once`() async throws {
        let bus = try PrivateBus()
        try await bus.start()
        let tries = Held(0)
        let excess = "org.freedesktop.Notifications.Error.ExcessNotificationGeneration"
        let server = try FakeServer { _ in
            tries.set(tries.get() + 1)
            return tries.get() <= 3 ? .error(excess) : .serverID(4)
        }
        try await server.start(on: bus.address)
        var timing = PresenterTiming()
        timing.retryUsec = 10_000...50_000
        let desk = try Desk(address: bus.address, timing: timing)
        desk.present(delivery(1))
        try await desk.expect(
            .failing(reason: "the notification server refused: \(excess)"))
        try await desk.expect(.presented(deliveryID: 1))
        #expect(desk.summary.lastError == nil)
        #expect(server.calls.entries.count(where: Self.notifies) == 4)
    }

    @Test func `B68: a new number on replacing is closed and answered under`() async throws {
        let bus = try PrivateBus()
        try await bus.start()
        let server = try Self.counting()
        try await server.start(on: bus.address)
        let desk = try Desk(address: bus.address)
        desk.present(delivery(1))
        try await desk.expect(.presented(deliveryID: 1))
        desk.present(delivery(2, replaces: 1))
        try await desk.expect(.presented(deliveryID: 2))
        try await server.calls.first { $0 == .close(1) }
        try server.emit(.closed(2, reason: 2))
        try await desk.expect(.closed(deliveryID: 2, reason: .dismissed))
        desk.present(delivery(3))
        desk.withdraw(3)
        try await desk.expect(.closed(deliveryID: 3, reason: .closedByCall))
        #expect(!desk.reports.entries.contains(.closed(deliveryID: 1, reason: .closedByCall)))
    }

    @Test func `B73: an answer before the reply, broadcast or sent to us, counts once`()
        async throws
    {
        let bus = try PrivateBus()
        try await bus.start()
        let server = try FakeServer { call in
            let serverID: UInt32 = call.summary == "T1" ? 7 : 9
            return .signalsFirst(
                [
                    .actionInvoked(serverID, key: "yes"), .closed(serverID, reason: 2),
                    .closed(8, reason: 1),
                ], serverID: serverID)
        }
        try await server.start(on: bus.address)
        let desk = try Desk(address: bus.address)
        desk.present(delivery(1))
        try await desk.expect(.invoked(deliveryID: 1, actionKey: "yes"))
        try server.emit(.actionInvoked(7, key: "again"))
        desk.present(delivery(2))
        try await desk.expect(.invoked(deliveryID: 2, actionKey: "yes"))
        #expect(
            desk.reports.entries == [
                .presented(deliveryID: 1), .invoked(deliveryID: 1, actionKey: "yes"),
                .presented(deliveryID: 2), .invoked(deliveryID: 2, actionKey: "yes"),
            ])
    }

    @Test func `B76: text that D-Bus refuses loses neither connection nor delivery`()
        async throws
    {
        let bus = try PrivateBus()
        try await bus.start()
        let server = try Self.counting(capabilities: ["body"])
        try await server.start(on: bus.address)
        let desk = try Desk(address: bus.address)
        var odd = "a\u{0}b\u{1}c"
        odd.unicodeScalars.append(contentsOf: [0xFFFE, 0xFDD0].compactMap(Unicode.Scalar.init))
        desk.present(
            Presentation(
                deliveryID: 1, app: odd, title: odd, subtitle: odd, body: odd, desktopEntry: odd))
        try await desk.expect(.presented(deliveryID: 1))
        guard case .notify(let call) = try await server.calls.first(where: Self.notifies) else {
            return
        }
        #expect(call.body == "abc\u{FFFD}\u{FFFD}\nabc\u{FFFD}\u{FFFD}")
        #expect(call.summary == "abc\u{FFFD}\u{FFFD}")
    }

    @Test func `B77: a body of two million characters is shown shortened`() async throws {
        let bus = try PrivateBus()
        try await bus.start()
        let server = try Self.counting()
        try await server.start(on: bus.address)
        let desk = try Desk(address: bus.address)
        desk.present(
            Presentation(
                deliveryID: 1, app: "a", title: "t", body: String(repeating: "é", count: 2_000_000))
        )
        desk.present(delivery(2))
        try await desk.expect(.presented(deliveryID: 2))
        guard case .notify(let call) = try await server.calls.first(where: Self.notifies) else {
            return
        }
        #expect(call.body.utf8.count <= NotificationText.bodyLimitBytes)
        #expect(call.body.hasPrefix("ééé") && call.body.hasSuffix("é…"))
    }

    @Test func `a stranger on the bus cannot answer for the server`() async throws {
        let bus = try PrivateBus()
        try await bus.start()
        let server = try Self.counting()
        try await server.start(on: bus.address)
        let desk = try Desk(address: bus.address)
        desk.present(delivery(1))
        try await desk.expect(.presented(deliveryID: 1))
        guard case .notify(let call) = try await server.calls.first(where: Self.notifies) else {
            return
        }
        let forged = try ChildProcess.run(
            "/usr/bin/env",
            [
                "gdbus", "emit", "--address", bus.address, "--dest", call.sender,
                "--object-path", "/org/freedesktop/Notifications",
                "--signal", "org.freedesktop.Notifications.ActionInvoked", "uint32 1", "'forged'",
            ])
        try #require(forged.status == 0, "\(String(decoding: forged.errors, as: UTF8.self))")
        // The bus keeps order, so this comes after the forged one.
        try server.emit(.actionInvoked(1, key: "real"))
        try await desk.expect(.invoked(deliveryID: 1, actionKey: "real"))
        #expect(desk.reports.entries.count == 2)
    }

    @Test func `a server that the bus can start is started for a delivery, and only for one`()
        async throws
    {
        let bus = try PrivateBus()
        let marker = bus.folder.url.appending(path: "started")
        // It lives until somebody has the name.
        let waiting = "gdbus wait --session --timeout 20 org.freedesktop.Notifications"
        try #require(unsafe mkfifo(marker.path, 0o600) == 0)
        let service = """
            [D-BUS Service]
            Name=org.freedesktop.Notifications
            Exec=/bin/sh -c "echo started > \(marker.path); exec \(waiting)"
            """
        try Data(service.utf8).write(
            to: bus.servicesFolder.appending(path: "org.freedesktop.Notifications.service"))
        try await bus.start()
        let starts = EventLog<String>()
        let reading = try FileHandle(forUpdating: marker)
        reading.readabilityHandler = { handle in
            starts.append(String(decoding: handle.availableData, as: UTF8.self))
        }
        defer { reading.readabilityHandler = nil }
        let desk = try Desk(address: bus.address)
        desk.present(delivery(1))
        try await starts.first { $0.contains("started") }
        // The bus takes whoever gets the name as what it started.
        let server = try Self.counting()
        try await server.start(on: bus.address)
        try await desk.expect(.presented(deliveryID: 1))
        #expect(starts.entries.count == 1)
    }

    @Test func `one connection for good: nothing but notifications passes`() async throws {
        let bus = try PrivateBus()
        try await bus.start()
        let server = try Self.counting()
        try await server.start(on: bus.address)
        let desk = try Desk(address: bus.address)
        for key in Int64(1)...200 { desk.present(delivery(key)) }
        try await desk.expect(.presented(deliveryID: 200))
        var senders: Set<String> = []
        for case .notify(let call) in server.calls.entries { senders.insert(call.sender) }
        #expect(senders.count == 1)
        #expect(server.calls.entries.count == 201)
    }
}
