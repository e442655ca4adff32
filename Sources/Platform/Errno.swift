// How a failed system call is told: the error number as a type, and around it what we were doing.
// `retryingInterrupted` is the only place that knows of EINTR; every call in this module goes
// through it, except close(2), which Linux has done even when it says EINTR.

import Glibc

/// The error number of a failed system call.
package struct Errno: Error, Equatable, Sendable {
    package let code: Int32

    package init(code: Int32) {
        self.code = code
    }

    package static let wouldBlock = Errno(code: EAGAIN)
    package static let notFound = Errno(code: ENOENT)
    package static let brokenPipe = Errno(code: EPIPE)
    package static let connectionRefused = Errno(code: ECONNREFUSED)
    package static let connectionReset = Errno(code: ECONNRESET)
    package static let canceled = Errno(code: ECANCELED)
    package static let addressInUse = Errno(code: EADDRINUSE)
    package static let accessDenied = Errno(code: EACCES)
    package static let notPermitted = Errno(code: EPERM)
    package static let fileExists = Errno(code: EEXIST)
    package static let tooManyOpenFiles = Errno(code: EMFILE)
}

extension Errno: CustomStringConvertible {
    /// The C library's text for the number, in the C locale: "No such file or directory".
    package var description: String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress,
                // The POSIX form: 0 on success, and always a terminated text within the buffer.
                unsafe strerror_r(code, start, buffer.count) == 0
            else { return "Unknown error \(code)" }
            return unsafe String(cString: start)
        }
    }
}

/// A system call that failed, with what it was wanted for; its description is fit for a user.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A phrase with the object in it, such as "binding /run/user/1000/schedd/io.schedd".
    package let doing: String
    package let errno: Errno

    package init(doing: String, errno: Errno) {
        self.doing = doing
        self.errno = errno
    }

    package var description: String { "\(doing): \(errno)" }
}

/// The result of `call`, called again for as long as a signal interrupts it.
func retryingInterrupted<Result: FixedWidthInteger>(
    _ call: () -> Result
) throws(Errno) -> Result {
    while true {
        let result = call()
        if result != -1 { return result }
        let code = errno
        if code != EINTR { throw Errno(code: code) }
    }
}

/// `body` with its bare error number wrapped into what we were doing; the phrase is built only
/// then.
func describing<Result>(
    _ doing: @autoclosure () -> String, _ body: () throws(Errno) -> Result
) throws(SystemError) -> Result {
    do {
        return try body()
    } catch {
        throw SystemError(doing: doing(), errno: error)
    }
}
