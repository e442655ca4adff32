// logind's word that the machine goes to sleep or has woken up. The kernel cancels the clock watch
// at resume as well, so this is a second messenger: where there is no system bus, nobody misses it.

import Glibc
import Platform

/// Calls its handler on the queue at every PrepareForSleep of logind (org.freedesktop.login1(5)).
final class SleepWatch {
    private var connection: BusConnection?

    init(on loop: EventLoop, handler: @escaping () -> Void) {
        do throws(SystemError) {
            // Before sleep and after it alike: looking at the clocks twice does no harm.
            let connection = try BusConnection(
                loop: loop, address: Self.systemBus, onMessage: { _ in handler() },
                onLost: { [weak self] _ in self?.connection = nil })
            try connection.addMatch(
                "type='signal',sender='org.freedesktop.login1',path='/org/freedesktop/login1',"
                    + "interface='org.freedesktop.login1.Manager',member='PrepareForSleep'")
            self.connection = connection
        } catch {
            // No system bus: the clock watch sees the resume by itself.
            connection = nil
        }
    }

    /// Where the system bus is, by the rules of sd-bus.
    private static var systemBus: String {
        // The environment is not changed after the start; the text is copied at once.
        guard let address = unsafe getenv("DBUS_SYSTEM_BUS_ADDRESS") else {
            return "unix:path=/run/dbus/system_bus_socket"
        }
        return unsafe String(cString: address)
    }
}
