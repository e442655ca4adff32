// The errors that schedd answers with, as one type, whichever of its interfaces was called.

package import SchedulerInterface
package import Varlink

/// An error reply.
package enum Rejection: Equatable, Sendable {
    case queueFull(SchedulerFailure.QueueFull)
    case invalidRequest(field: String, reason: String)
    case neverFires(field: String, reason: String)
    case inPast(SchedulerFailure.InPast)
    case tooLarge(SchedulerFailure.TooLarge)
    case storageFailed(reason: String)
    /// One of the errors that every Varlink service has.
    case service(ServiceError)
    /// An error that this version does not know.
    case other(ErrorReply)

    package init(_ reply: ErrorReply) {
        if let error = reply.decode(as: SchedulerFailure.QueueFull.self) {
            self = .queueFull(error)
        } else if let error = reply.decode(as: ManagerFailure.QueueFull.self) {
            self = .queueFull(
                SchedulerFailure.QueueFull(
                    app: error.app, limit: error.limit, pending: error.pending,
                    identifiers: error.identifiers))
        } else if let error = reply.decode(as: SchedulerFailure.InvalidRequest.self) {
            self = .invalidRequest(field: error.field, reason: error.reason)
        } else if let error = reply.decode(as: ManagerFailure.InvalidRequest.self) {
            self = .invalidRequest(field: error.field, reason: error.reason)
        } else if let error = reply.decode(as: SchedulerFailure.NeverFires.self) {
            self = .neverFires(field: error.field, reason: error.reason)
        } else if let error = reply.decode(as: SchedulerFailure.InPast.self) {
            self = .inPast(error)
        } else if let error = reply.decode(as: SchedulerFailure.TooLarge.self) {
            self = .tooLarge(error)
        } else if let error = reply.decode(as: SchedulerFailure.StorageFailed.self) {
            self = .storageFailed(reason: error.reason)
        } else if let error = reply.decode(as: ManagerFailure.StorageFailed.self) {
            self = .storageFailed(reason: error.reason)
        } else if let error = reply.serviceError {
            self = .service(error)
        } else {
            self = .other(reply)
        }
    }
}

extension Rejection: CustomStringConvertible {
    package var description: String {
        switch self {
        case .queueFull(let error):
            "the queue of \(error.app) is full: \(error.pending) of \(error.limit) are pending; "
                + "no room for \(error.identifiers.joined(separator: ", "))"
        case .invalidRequest(let field, let reason): "\(field): \(reason)"
        case .neverFires(let field, let reason): "\(field): it would never fire: \(reason)"
        case .inPast(let error): "\(error.field): the instant is not later than now"
        case .tooLarge(let error):
            "\(error.field): \(error.size) is more than the limit of \(error.limit)"
        case .storageFailed(let reason):
            "schedd could not store the change, and nothing was changed: \(reason)"
        case .service(.invalidParameter(let parameter)):
            "schedd does not take the parameter \(parameter)"
        case .service(.methodNotFound(let method)),
            .service(.methodNotImplemented(let method)):
            "schedd has no method \(method): it is of another version"
        case .service(.interfaceNotFound(let interface)):
            "the service has no interface \(interface): it is not schedd, or of another version"
        case .service(.permissionDenied): "schedd does not permit that"
        case .service(.expectedMore): "schedd expects a call that takes several replies"
        case .service(.expectedUpgrade): "schedd expects a call that upgrades the connection"
        case .other(let reply): "schedd answered \(reply.name) \(reply.parameters.jsonText)"
        }
    }
}
