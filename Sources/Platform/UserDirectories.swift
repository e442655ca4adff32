// Where the socket and the state live, by the XDG Base Directory rules, made strict: a variable
// that is wrong is an error that names it, never a silent fall-back to a place that others can
// write to.

import Glibc

/// Why a directory could not be settled; every text names the variable to look at.
package enum DirectoryError: Error, Equatable, Sendable {
    /// Unset or empty, and the place that systemd would have made is not there or not usable.
    case runtimeDirectoryUnset(fallback: String)
    case relative(variable: String, value: String)
    case unusable(variable: String, reason: SocketError)
    case noHome
}

extension DirectoryError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .runtimeDirectoryUnset(let fallback):
            "XDG_RUNTIME_DIR is not set and \(fallback) is not a directory of mode 0700 of this "
                + "user; log in through systemd-logind, set XDG_RUNTIME_DIR, or give --socket PATH"
        case .relative(let variable, let value):
            "\(variable) must be an absolute path, not \"\(value)\""
        case .unusable(let variable, let reason):
            "\(variable) cannot be used: \(reason)"
        case .noHome:
            "HOME is not set and the user has no home directory; set HOME or XDG_STATE_HOME"
        }
    }
}

/// The places of one user's files.
package enum UserDirectories {
    /// The checked runtime directory, and a warning to log when it was guessed.
    package struct Runtime: Equatable, Sendable {
        package let path: String
        package let warning: String?

        package init(path: String, warning: String?) {
            self.path = path
            self.warning = warning
        }
    }

    /// `$XDG_RUNTIME_DIR`, which must be absolute, ours and 0700. When it is unset, `/run/user/UID`
    /// is used with a warning if that is ours and 0700.
    package static func runtime(
        _ environment: Environment = .process, userRoot: String = "/run/user"
    ) throws(DirectoryError) -> Runtime {
        let variable = "XDG_RUNTIME_DIR"
        guard let path = environment.nonEmpty(variable) else {
            let fallback = "\(userRoot)/\(geteuid())"
            guard (try? PrivateDirectory(opening: fallback)) != nil else {
                throw .runtimeDirectoryUnset(fallback: fallback)
            }
            return Runtime(
                path: fallback, warning: "\(variable) is not set; using \(fallback)")
        }
        guard path.hasPrefix("/") else { throw .relative(variable: variable, value: path) }
        do throws(SocketError) {
            _ = try PrivateDirectory(opening: path)
        } catch {
            throw .unusable(variable: variable, reason: error)
        }
        return Runtime(path: path, warning: nil)
    }

    /// The path of schedd's socket: `SCHEDD_SOCKET` when set, else `schedd/io.schedd` in the
    /// runtime directory. Options come before both and are the caller's business.
    package static func socket(
        _ environment: Environment = .process, userRoot: String = "/run/user"
    ) throws(DirectoryError) -> Runtime {
        if let path = environment.nonEmpty("SCHEDD_SOCKET") {
            return Runtime(path: path, warning: nil)
        }
        let runtime = try runtime(environment, userRoot: userRoot)
        return Runtime(path: "\(runtime.path)/schedd/io.schedd", warning: runtime.warning)
    }

    /// `$XDG_STATE_HOME/schedd`, by default `~/.local/state/schedd`; it is not created here.
    ///
    /// The XDG specification has relative values ignored; we refuse them, since requests that are
    /// kept where nobody looks for them are lost.
    package static func state(
        _ environment: Environment = .process
    ) throws(DirectoryError) -> String {
        if let base = environment.nonEmpty("XDG_STATE_HOME") {
            guard base.hasPrefix("/") else {
                throw .relative(variable: "XDG_STATE_HOME", value: base)
            }
            return "\(base)/schedd"
        }
        return try home(environment) + "/.local/state/schedd"
    }

    /// `$HOME`, else the home directory of the user database.
    private static func home(_ environment: Environment) throws(DirectoryError) -> String {
        if let home = environment.nonEmpty("HOME") {
            guard home.hasPrefix("/") else { throw .relative(variable: "HOME", value: home) }
            return home
        }
        guard let entry = unsafe getpwuid(geteuid()), let home = unsafe entry.pointee.pw_dir,
            unsafe home.pointee == CChar(bitPattern: UInt8(ascii: "/"))
        else { throw .noHome }
        return unsafe String(cString: home)
    }
}
