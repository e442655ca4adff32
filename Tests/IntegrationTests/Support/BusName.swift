// A name on a bus, owned by a test that plays the service behind it.

import CSystemd
import Platform

/// A connection that owns a name. `@safe` because its sd-bus object is its own, and used on the one
/// thread of the test that has it.
@safe
final class BusName {
    let bus: OpaquePointer

    init(_ name: String, on address: String) throws {
        var made: OpaquePointer?
        try Self.check(unsafe sd_bus_new(&made), "making a bus")
        guard let made = unsafe made else { throw TestError.failed("no bus") }
        unsafe bus = made
        try Self.check(unsafe sd_bus_set_address(bus, address), "addressing the bus")
        try Self.check(unsafe sd_bus_set_bus_client(bus, 1), "being a client")
        try Self.check(unsafe sd_bus_start(bus), "connecting")
        try Self.check(unsafe sd_bus_request_name(bus, name, 0), "taking the name")
    }

    deinit { unsafe sd_bus_flush_close_unref(bus) }

    /// Sends a signal to everyone who listens; `fill` appends its arguments.
    func emit(
        _ member: String, of interface: String, at path: String,
        filling fill: (OpaquePointer) -> Int32
    ) throws {
        var made: OpaquePointer?
        try Self.check(
            unsafe sd_bus_message_new_signal(bus, &made, path, interface, member),
            "making a signal")
        guard let signal = unsafe made else { throw TestError.failed("no signal") }
        defer { unsafe sd_bus_message_unref(signal) }
        try Self.check(unsafe fill(signal), "filling a signal")
        try Self.check(unsafe sd_bus_send(bus, signal, nil), "sending a signal")
        try Self.check(unsafe sd_bus_flush(bus), "sending a signal")
    }

    static func check(_ result: Int32, _ doing: String) throws {
        if result < 0 { throw TestError.failed("\(doing): \(Errno(code: -result))") }
    }
}
