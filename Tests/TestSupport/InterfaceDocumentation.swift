// Every part of an interface is explained where it is declared; this finds what is not.

package import Varlink

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
