// A system bus of a test's own, and on it what schedd hears of logind (org.freedesktop.login1(5)).

import CSystemd
import Platform

/// The owner of `org.freedesktop.login1`. `@safe` because its sd-bus object is its own, and used on
/// the one thread of the test that has it.
@safe
final class Logind {
    private let bus: OpaquePointer

    init(on address: String) throws {
        var made: OpaquePointer?
        try Self.check(unsafe sd_bus_new(&made), "making a bus")
        guard let made = unsafe made else { throw TestError.failed("no bus") }
        unsafe bus = made
        try Self.check(unsafe sd_bus_set_address(bus, address), "addressing the bus")
        try Self.check(unsafe sd_bus_set_bus_client(bus, 1), "being a client")
        try Self.check(unsafe sd_bus_start(bus), "connecting")
        try Self.check(
            unsafe sd_bus_request_name(bus, "org.freedesktop.login1", 0), "taking the name")
    }

    deinit { unsafe sd_bus_flush_close_unref(bus) }

    /// Tells everyone that the machine goes to sleep, or that it is awake again.
    func prepareForSleep(_ begins: Bool) throws {
        var made: OpaquePointer?
        try Self.check(
            unsafe sd_bus_message_new_signal(
                bus, &made, "/org/freedesktop/login1", "org.freedesktop.login1.Manager",
                "PrepareForSleep"), "making a signal")
        guard let signal = unsafe made else { throw TestError.failed("no signal") }
        defer { unsafe sd_bus_message_unref(signal) }
        var flag: Int32 = begins ? 1 : 0
        try Self.check(
            unsafe sd_bus_message_append_basic(signal, CChar(UInt8(ascii: "b")), &flag),
            "filling a signal")
        try Self.check(unsafe sd_bus_send(bus, signal, nil), "sending a signal")
        try Self.check(unsafe sd_bus_flush(bus), "sending a signal")
    }

    private static func check(_ result: Int32, _ doing: String) throws {
        if result < 0 { throw TestError.failed("\(doing): \(Errno(code: -result))") }
    }
}
