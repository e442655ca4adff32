// Holds an interface text against the Codable types that mirror it, and against the rule that
// every part of it has a comment.

package import Varlink

/// What differs between a method's types and its declaration, each with its path; empty if they
/// mirror each other.
package func differences<Method: VarlinkMethod>(
    of method: Method.Type, from interface: VarlinkInterface
) throws -> [String] {
    guard case .method(let parameters, let reply)? = member(Method.name, of: interface) else {
        return ["\(Method.name): not a method of \(interface.name)"]
    }
    return differences(
        try shape(of: Method.Parameters.self), interface.shape(of: parameters),
        "\(Method.name) parameters")
        + differences(
            try shape(of: Method.Reply.self), interface.shape(of: reply), "\(Method.name) reply")
}

/// What differs between an error's type and its declaration.
package func differences<Failure: VarlinkError>(
    of error: Failure.Type, from interface: VarlinkInterface
) throws -> [String] {
    guard case .error(let parameters)? = member(Failure.name, of: interface) else {
        return ["\(Failure.name): not an error of \(interface.name)"]
    }
    return differences(
        try shape(of: Failure.self), interface.shape(of: parameters), Failure.name)
}

private func member(_ name: String, of interface: VarlinkInterface) -> VarlinkInterface.Kind? {
    guard name.hasPrefix("\(interface.name).") else { return nil }
    return interface.member(String(name.dropFirst(interface.name.count + 1)))?.kind
}

private func differences(_ type: TypeShape, _ text: TypeShape, _ path: String) -> [String] {
    switch (type, text) {
    case (.nullable(let type), .nullable(let text)): return differences(type, text, path)
    case (.array(let type), .array(let text)): return differences(type, text, "\(path)[]")
    case (.map(let type), .map(let text)): return differences(type, text, "\(path){}")
    case (.structure(let type), .structure(let text)):
        return Set(type.keys).union(text.keys).sorted().flatMap { name in
            switch (type[name], text[name]) {
            case (let type?, let text?): differences(type, text, "\(path).\(name)")
            case (nil, _): ["\(path).\(name): only in the text"]
            case (_, nil): ["\(path).\(name): only in the type"]
            }
        }
    default:
        return type == text ? [] : ["\(path): \(type) in the type, \(text) in the text"]
    }
}

/// What parts of an interface have no comment, as `Method`, `Method.field` or `Type.field.field`.
package func undocumentedParts(of interface: VarlinkInterface) -> [String] {
    var parts: [String] = []
    func visit(_ fields: [VarlinkField], _ path: String) {
        for field in fields {
            let path = "\(path).\(field.name)"
            if field.documentation.isEmpty { parts.append(path) }
            visit(field.type, path)
        }
    }
    func visit(_ type: VarlinkType, _ path: String) {
        switch type {
        case .nullable(let type), .array(let type), .map(let type): visit(type, path)
        case .structure(let fields): visit(fields, path)
        case .bool, .int, .float, .string, .object, .named, .enumeration: break
        }
    }
    if interface.documentation.isEmpty { parts.append(interface.name) }
    for member in interface.members {
        if member.documentation.isEmpty { parts.append(member.name) }
        switch member.kind {
        case .type(let type): visit(type, member.name)
        case .method(let parameters, let reply):
            visit(parameters, member.name)
            visit(reply, member.name)
        case .error(let parameters): visit(parameters, member.name)
        }
    }
    return parts
}
