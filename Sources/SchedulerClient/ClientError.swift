// What can go wrong between a program and schedd, told so that a user knows what to do next.

package import Platform
package import Varlink

/// Why a call has no reply.
package enum ClientError: Error, Equatable, Sendable {
    /// Where the socket is cannot be told; the text names the variable to set.
    case unknownPath(DirectoryError)
    /// The path cannot be a socket's: too long, empty.
    case unusablePath(SocketError)
    /// There is nothing at the path.
    case noSocket(path: String)
    /// There is a socket, and nobody listens on it.
    case refused(path: String)
    case connectionFailed(SystemError)
    /// The connection broke after it was made.
    case transferFailed(Errno)
    case closed(ClientConnection.CloseReason)
    case timedOut(Duration)
    /// schedd has answered, with an error.
    case rejected(Rejection)
    /// The reply is not of the method's type; the parameter's path.
    case unreadableReply(method: String, parameter: String)

    /// Whether a new connection may do better, as after a restart of schedd.
    package var isDisconnection: Bool {
        switch self {
        case .noSocket, .refused, .transferFailed, .closed(.peerClosed),
            .closed(.violation(.endedInsideMessage)):
            true
        case .unknownPath, .unusablePath, .connectionFailed, .closed, .timedOut, .rejected,
            .unreadableReply:
            false
        }
    }
}

extension ClientError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownPath(let error): "\(error)"
        case .unusablePath(let error): "\(error)"
        case .noSocket(let path):
            "there is no socket \(path): is schedd running? " + Self.startHint
        case .refused(let path):
            "nobody answers on \(path): schedd has stopped. " + Self.startHint
        case .connectionFailed(let error): "\(error)"
        case .transferFailed(let error):
            "the connection to schedd broke: \(error). Its log: journalctl --user -u schedd"
        case .closed(.peerClosed):
            "schedd closed the connection without an answer. Its log: journalctl --user -u schedd"
        case .closed(.violation(let violation)):
            "what answers is not schedd, or is broken: \(violation)"
        case .timedOut(let time):
            "schedd did not answer within \(time.components.seconds) s. "
                + "Its state: systemctl --user status schedd"
        case .rejected(let rejection): "\(rejection)"
        case .unreadableReply(let method, let parameter):
            "schedd answered \(method) with a \(parameter) that this version cannot read; "
                + "install schedd and its clients from one version"
        }
    }

    private static let startHint = "Start it: systemctl --user start schedd.socket"
}

extension ClientError {
    init(connecting error: SocketError, to path: String) {
        self =
            switch error {
            case .system(let failure) where failure.errno == .notFound: .noSocket(path: path)
            case .system(let failure) where failure.errno == .connectionRefused:
                .refused(path: path)
            case .system(let failure): .connectionFailed(failure)
            case .pathTooLong, .pathUnusable, .alreadyServed, .notASocket, .directoryNotADirectory,
                .directoryOfAnotherUser, .directoryOpenToOthers:
                .unusablePath(error)
            }
    }
}
