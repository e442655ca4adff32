// The errors that every Varlink service answers with, and the shape of a service's own errors.

/// An error of `org.varlink.service`; a method is named in full, a parameter by its path
/// (`requests[0].trigger.colour`).
package enum ServiceError: Error, Hashable, Sendable {
    case interfaceNotFound(String)
    case methodNotFound(String)
    case methodNotImplemented(String)
    case invalidParameter(String)
    case permissionDenied
    case expectedMore
    case expectedUpgrade
}

/// An error of a service's own interface; its stored properties are the error's parameters.
package protocol VarlinkError: Error, JSONReadable, JSONWritable, Sendable {
    /// With the interface: `io.schedd.Scheduler.QueueFull`.
    static var name: String { get }
}

extension ServiceError {
    package static let interface = "org.varlink.service"

    /// The error's name, with the interface.
    package var name: String { "\(ServiceError.interface).\(label)" }

    private var label: String {
        switch self {
        case .interfaceNotFound: "InterfaceNotFound"
        case .methodNotFound: "MethodNotFound"
        case .methodNotImplemented: "MethodNotImplemented"
        case .invalidParameter: "InvalidParameter"
        case .permissionDenied: "PermissionDenied"
        case .expectedMore: "ExpectedMore"
        case .expectedUpgrade: "ExpectedUpgrade"
        }
    }

    var parameters: JSONValue {
        switch self {
        case .interfaceNotFound(let interface): .object(["interface": .string(interface)])
        case .methodNotFound(let method), .methodNotImplemented(let method):
            .object(["method": .string(method)])
        case .invalidParameter(let parameter): .object(["parameter": .string(parameter)])
        case .permissionDenied, .expectedMore, .expectedUpgrade: .object([:])
        }
    }

    /// The error that a service answered with, nil if it is none of these.
    init?(name: String, parameters: JSONValue) {
        func text(_ name: String) -> String {
            guard case .object(let members) = parameters, case .string(let text)? = members[name]
            else { return "" }
            return text
        }
        switch name {
        case "org.varlink.service.InterfaceNotFound": self = .interfaceNotFound(text("interface"))
        case "org.varlink.service.MethodNotFound": self = .methodNotFound(text("method"))
        case "org.varlink.service.MethodNotImplemented":
            self = .methodNotImplemented(text("method"))
        case "org.varlink.service.InvalidParameter": self = .invalidParameter(text("parameter"))
        case "org.varlink.service.PermissionDenied": self = .permissionDenied
        case "org.varlink.service.ExpectedMore": self = .expectedMore
        case "org.varlink.service.ExpectedUpgrade": self = .expectedUpgrade
        default: return nil
        }
    }
}
