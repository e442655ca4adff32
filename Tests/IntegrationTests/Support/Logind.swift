// What schedd hears of logind, from a test that plays it (org.freedesktop.login1(5)).

import CSystemd

/// The owner of `org.freedesktop.login1` on a bus of the test's own.
@safe
final class Logind {
    private let name: BusName

    init(on address: String) throws {
        name = try BusName("org.freedesktop.login1", on: address)
    }

    /// Tells everyone that the machine goes to sleep, or that it is awake again.
    func prepareForSleep(_ begins: Bool) throws {
        try unsafe name.emit(
            "PrepareForSleep", of: "org.freedesktop.login1.Manager", at: "/org/freedesktop/login1"
        ) { signal in
            var flag: Int32 = begins ? 1 : 0
            return unsafe sd_bus_message_append_basic(signal, CChar(UInt8(ascii: "b")), &flag)
        }
    }
}
