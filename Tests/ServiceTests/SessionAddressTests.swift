// Where the session bus is looked for: what the environment says, else beside schedd's own socket.

import Foundation
import Glibc
import Platform
import Service
import TestSupport
import Testing

@Suite struct SessionAddressTests {
    static let bus = "DBUS_SESSION_BUS_ADDRESS"
    static let runtime = "XDG_RUNTIME_DIR"

    @Test(
        arguments: [
            ([bus: "unix:path=/a/bus", runtime: "/b"], "unix:path=/a/bus"),
            ([bus: "unix:path=/a/bus"], "unix:path=/a/bus"),
            ([runtime: "/b"], "unix:path=/b/bus"),
            ([runtime: "/b c"], "unix:path=/b%20c/bus"),
        ] as [([String: String], String)])
    func `the bus's own variable goes first, then the runtime directory`(
        variables: [String: String], address: String
    ) {
        #expect(BusConnection.sessionAddress(Environment(variables)) == address)
    }

    @Test(arguments: [[:], [runtime: ""]] as [[String: String]])
    func `with neither, the bus is in the directory that the socket is in`(
        variables: [String: String]
    ) throws {
        let folder = try TemporaryFolder()
        let root = folder.url.path
        let usual = "\(root)/\(geteuid())"
        let environment = Environment(variables)
        #expect(BusConnection.sessionAddress(environment, userRoot: root) == nil)
        try #require(unsafe mkdir(usual, 0o700) == 0)
        #expect(
            BusConnection.sessionAddress(environment, userRoot: root)
                == "unix:path=\(usual)/bus")
        // Not ours alone: neither the socket nor the bus is taken from there.
        try #require(unsafe chmod(usual, 0o755) == 0)
        #expect(BusConnection.sessionAddress(environment, userRoot: root) == nil)
    }
}
