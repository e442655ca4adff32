// Random bytes from the kernel. Ids are made here, by the shell, and handed to pure code as values.

import CLinux
import Glibc

/// The kernel's random source.
package enum SystemRandom {
    /// `count` bytes of getrandom(2): it waits for the pool at early boot and never fails after.
    package static func bytes(count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            // A request of up to 256 bytes is never cut short; a longer one may be.
            filled += try describing("reading random bytes") { () throws(Errno) in
                try retryingInterrupted {
                    unsafe bytes.withUnsafeMutableBytes {
                        unsafe getrandom(
                            $0.baseAddress?.advanced(by: filled), count - filled, 0)
                    }
                }
            }
        }
        return bytes
    }
}
