// A private bus, and a notification server on it that answers when the test says so. Nothing runs
// by itself: the test takes the calls, one after the other, on its own thread.

import CSystemd
import Foundation
import Glibc
import Platform

/// A real dbus-daemon in a test's folder; it ends with the bed.
struct PrivateBus {
    let address: String

    init(in bed: TestBed) throws {
        address = "unix:path=\(bed.root)/bus"
        let path = "\(bed.root)/bus.conf"
        let configuration = """
            <busconfig>
              <type>session</type>
              <listen>\(address)</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
            </busconfig>
            """
        try Data(configuration.utf8).write(to: URL(filePath: path))
        let daemon = try bed.start(
            "/usr/bin/dbus-daemon",
            ["--config-file=\(path)", "--nofork", "--nopidfile", "--print-address=1"])
        guard let line = try daemon.nextLine(), line.hasPrefix("unix:path=") else {
            throw TestError.failed("dbus-daemon did not start: \(daemon.errors)")
        }
    }

    /// What schedd needs to find it.
    var environment: [String: String?] { ["DBUS_SESSION_BUS_ADDRESS": address] }
}

/// The owner of `org.freedesktop.Notifications`. `@safe` because its sd-bus objects are its own,
/// and used on the one thread of the test that has it.
@safe
final class NotificationServer {
    /// A call of Notify, as far as the tests look at it.
    struct Notify {
        /// In the order of arrival, from 0.
        let number: Int
        /// The caller's name on the bus: another one for every run of schedd.
        let sender: String
        let summary: String
        /// When it was taken, on the wall clock.
        let takenUsec: Int64
        /// What the answer will say.
        let serverID: UInt32
    }

    private let name: BusName
    private var bus: OpaquePointer { unsafe name.bus }
    private var unanswered: [Int: OpaquePointer] = unsafe [:]
    private var lastID: UInt32 = 0
    /// Every call so far.
    private(set) var calls: [Notify] = []

    init(on address: String) throws {
        name = try BusName("org.freedesktop.Notifications", on: address)
    }

    deinit {
        unsafe unanswered.values.forEach { unsafe sd_bus_message_unref($0) }
    }

    /// Takes everything that has arrived, without waiting; what is not Notify is answered at once.
    func take() throws -> [Notify] {
        var taken: [Notify] = []
        while true {
            var message: OpaquePointer?
            let result = unsafe sd_bus_process(bus, &message)
            try BusName.check(result, "reading the bus")
            if result == 0 { break }
            guard let message = unsafe message else { continue }
            if let notify = try unsafe receive(message) { taken.append(notify) }
            unsafe sd_bus_message_unref(message)
        }
        return taken
    }

    /// The next call whose summary it is; nil when none came in time.
    func wait(for summary: String, _ deadline: Deadline = .usual) throws -> Notify? {
        var found: Notify?
        _ = try deadline.waits {
            _ = try take()
            found = calls.last { $0.summary == summary }
            return found != nil
        }
        return found
    }

    func answer(_ notify: Notify) throws {
        guard let call = unsafe unanswered.removeValue(forKey: notify.number) else { return }
        defer { unsafe sd_bus_message_unref(call) }
        try unsafe reply(to: call) { reply in
            var serverID = notify.serverID
            return unsafe sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "u")), &serverID)
        }
    }

    /// Takes and answers what comes, until the condition holds; whether it does in time.
    func serve(_ deadline: Deadline = .usual, until isDone: () throws -> Bool) throws -> Bool {
        try deadline.waits {
            for notify in try take() { try answer(notify) }
            return try isDone()
        }
    }

    /// Tells everyone that the user has dismissed it.
    func dismiss(_ notify: Notify) throws {
        try unsafe name.emit(
            "NotificationClosed", of: "org.freedesktop.Notifications",
            at: "/org/freedesktop/Notifications"
        ) { signal in
            for number in [notify.serverID, 2] {
                var number = number
                let result = unsafe sd_bus_message_append_basic(
                    signal, CChar(UInt8(ascii: "u")), &number)
                if result < 0 { return result }
            }
            return 0
        }
    }

    private func receive(_ message: OpaquePointer) throws -> Notify? {
        guard unsafe sd_bus_message_is_method_call(message, nil, nil) > 0 else { return nil }
        let member = unsafe sd_bus_message_get_member(message)
        switch unsafe member.map({ unsafe String(cString: $0) }) {
        case "Notify":
            let notify = unsafe read(message)
            calls.append(notify)
            unsafe unanswered[notify.number] = unsafe sd_bus_message_ref(message)
            return notify
        case "GetCapabilities":
            try unsafe reply(to: message) { reply in
                var result = unsafe sd_bus_message_open_container(
                    reply, CChar(UInt8(ascii: "a")), "s")
                if result >= 0 {
                    result = unsafe sd_bus_message_append_basic(
                        reply, CChar(UInt8(ascii: "s")), "body")
                }
                return result < 0 ? result : unsafe sd_bus_message_close_container(reply)
            }
        default:
            try unsafe reply(to: message) { _ in 0 }
        }
        return nil
    }

    /// The signature is susssasa{sv}i; only the first four are read.
    private func read(_ message: OpaquePointer) -> Notify {
        _ = unsafe readString(message)
        var replaced: UInt32 = 0
        unsafe sd_bus_message_read_basic(message, CChar(UInt8(ascii: "u")), &replaced)
        _ = unsafe readString(message)
        let summary = unsafe readString(message)
        if replaced == 0 { lastID += 1 }
        let sender = unsafe sd_bus_message_get_sender(message)
        return Notify(
            number: calls.count, sender: unsafe sender.map { unsafe String(cString: $0) } ?? "",
            summary: summary, takenUsec: Clock.wallMicroseconds(),
            serverID: replaced == 0 ? lastID : replaced)
    }

    private func readString(_ message: OpaquePointer) -> String {
        var text: UnsafePointer<CChar>?
        guard unsafe sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &text) > 0,
            let text = unsafe text
        else { return "" }
        return unsafe String(cString: text)
    }

    private func reply(
        to message: OpaquePointer, filling fill: (OpaquePointer) -> Int32
    ) throws {
        var made: OpaquePointer?
        try BusName.check(
            unsafe sd_bus_message_new_method_return(message, &made), "making an answer")
        guard let reply = unsafe made else { return }
        defer { unsafe sd_bus_message_unref(reply) }
        try BusName.check(unsafe fill(reply), "filling an answer")
        try BusName.check(unsafe sd_bus_send(bus, reply, nil), "answering")
    }
}
