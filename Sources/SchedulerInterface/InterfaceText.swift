// The interface texts themselves, compiled in, so that the daemon can describe itself to any
// client.

/// The texts of the .varlink files beside this file.
package enum InterfaceText {
    package static let scheduler = text(PackageResources.io_schedd_Scheduler_varlink)
    package static let manager = text(PackageResources.io_schedd_Manager_varlink)

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
