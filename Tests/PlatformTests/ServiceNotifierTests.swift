// Messages to a service manager, on real datagram sockets; the environment forms in processes of
// their own.

import Foundation
import Platform
import Testing

struct ServiceNotifierTests {
    @Test(arguments: [false, true])
    func `B88: each message is one datagram at the manager's address`(isAbstract: Bool) throws {
        let directory = try TemporaryDirectory()
        // The directory's name is unique, which makes the abstract name so.
        let manager = try DatagramSocket(path: directory.file("notify"), isAbstract: isAbstract)
        let notifier = ServiceNotifier(address: manager.address)
        let messages: [ServiceNotifier.Message] = [
            .ready(status: "2 pending\nREADY=0"), .status("3 pending"), .watchdog, .stopping,
        ]
        for message in messages { #expect(notifier.send(message) == nil) }
        #expect(
            try manager.receivedTexts() == [
                "READY=1\nSTATUS=2 pending READY=0", "STATUS=3 pending", "WATCHDOG=1", "STOPPING=1",
            ])
    }

    @Test func `B88: without an address nothing happens`() {
        #expect(ServiceNotifier(address: nil).send(.ready(status: "")) == nil)
    }

    @Test(arguments: [
        ("4", EAFNOSUPPORT), ("@", EAFNOSUPPORT), ("vsock:2:1234", EAFNOSUPPORT),
        ("relative/path", EAFNOSUPPORT), ("/" + String(repeating: "n", count: 199), ENAMETOOLONG),
    ])
    func `B88: an address that cannot be used is told once`(address: String, code: Int32) {
        let notifier = ServiceNotifier(address: address)
        let expected = SystemError(
            doing: "using NOTIFY_SOCKET \"\(address)\"", errno: Errno(code: code))
        #expect(notifier.send(.ready(status: "")) == expected)
        #expect(notifier.send(.watchdog) == nil)
    }

    @Test func `B88: a manager that refuses is told once, and served when it is back`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("notify")
        // A stream socket takes no datagram.
        let wrong = try UnixListener(binding: path)
        let notifier = ServiceNotifier(address: path)
        #expect(
            notifier.send(.ready(status: ""))
                == SystemError(
                    doing: "notifying the service manager", errno: Errno(code: EPROTOTYPE)))
        #expect(notifier.send(.watchdog) == nil)
        try wrong.unlink()
        let manager = try DatagramSocket(path: path, isAbstract: false)
        #expect(notifier.send(.watchdog) == nil)
        #expect(try manager.receivedTexts() == ["WATCHDOG=1"])
    }

    enum WatchdogID: Int, CaseIterable, Codable { case own, absent, foreign, malformed }

    @Test(arguments: WatchdogID.allCases)
    func `B92: pings are wanted from the process that is named, or from any`(id: WatchdogID) async {
        await #expect(processExitsWith: .exitCode(expectedExit)) { [id] in
            let path = "/nowhere/notify"
            setEnvironment("NOTIFY_SOCKET", path)
            setEnvironment("WATCHDOG_USEC", "2000000")
            switch id {
            case .own: setEnvironment("WATCHDOG_PID", "\(getpid())")
            case .absent: setEnvironment("WATCHDOG_PID", nil)
            case .foreign: setEnvironment("WATCHDOG_PID", "1")
            case .malformed: setEnvironment("WATCHDOG_PID", "x")
            }
            let notifier = ServiceNotifier()
            let expected: Int64? = id == .own || id == .absent ? 2_000_000 : nil
            let isTaken = notifier.send(.watchdog)?.errno == .notFound
            let names = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]
            // A child meets none of them.
            let areGone = names.allSatisfy { Environment.process[$0] == nil }
            leave(notifier.watchdogMicroseconds == expected && isTaken && areGone)
        }
    }

    @Test func `no watchdog, no interval`() async {
        await #expect(processExitsWith: .exitCode(expectedExit)) {
            for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] {
                setEnvironment(name, nil)
            }
            let notifier = ServiceNotifier()
            leave(notifier.watchdogMicroseconds == nil && notifier.send(.stopping) == nil)
        }
    }
}

/// The manager's end: a bound datagram socket.
private struct DatagramSocket {
    let descriptor: FileDescriptor
    /// As NOTIFY_SOCKET has it.
    let address: String

    init(path: String, isAbstract: Bool) throws {
        // Close-on-exec, or the processes of exit tests would keep it open.
        let type = SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let number = socket(AF_UNIX, Int32(type), 0)
        descriptor = FileDescriptor(owning: number)
        address = isAbstract ? "@\(path)" : path
        let bytes = isAbstract ? [0] + Array(path.utf8) : Array(path.utf8) + [0]
        try bindUnix(descriptor, to: bytes)
    }

    func receivedTexts() throws -> [String] {
        var texts: [String] = []
        while case .bytes(let bytes) = try descriptor.read(limitBytes: 4_096) {
            texts.append(String(decoding: bytes, as: UTF8.self))
        }
        return texts
    }
}
