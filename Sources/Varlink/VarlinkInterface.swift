// An interface as its text declares it. The text stays the truth: it is what a client is shown,
// and tests hold the Codable types against what is parsed here.

/// A type as it is written in an interface.
package indirect enum VarlinkType: Hashable, Sendable {
    case bool, int, float, string, object
    case named(String)
    case nullable(VarlinkType)
    case array(VarlinkType)
    case map(VarlinkType)
    case structure([VarlinkField])
    case enumeration([String])
}

/// A member of a structure.
package struct VarlinkField: Hashable, Sendable {
    package let name: String
    package let type: VarlinkType
    /// The comment lines directly above it, without their `#`; empty if there are none.
    package let documentation: String

    package init(name: String, type: VarlinkType, documentation: String = "") {
        self.name = name
        self.type = type
        self.documentation = documentation
    }
}

/// A parsed interface.
package struct VarlinkInterface: Sendable {
    /// A type, a method or an error; all share one name space.
    package struct Member: Hashable, Sendable {
        package let name: String
        package let documentation: String
        package let kind: Kind
    }

    package enum Kind: Hashable, Sendable {
        case type(VarlinkType)
        case method(parameters: [VarlinkField], reply: [VarlinkField])
        case error(parameters: [VarlinkField])
    }

    package let name: String
    package let documentation: String
    /// In the order of the text.
    package let members: [Member]
    package let text: String

    /// Parses the text of an interface file, accepting only the portable subset: what systemd's
    /// and PyPI's parsers both understand.
    package init(text: String) throws(InterfaceError) {
        var parser = try InterfaceParser(text)
        try parser.parse()
        name = parser.name
        documentation = parser.documentation
        members = parser.members
        self.text = text
    }

    package func member(_ name: String) -> Member? {
        members.first { $0.name == name }
    }

    package var methodNames: [String] {
        members.compactMap { member in
            guard case .method = member.kind else { return nil }
            return member.name
        }
    }
}

// MARK: - Shapes

/// What a type looks like in JSON, without names of types and comments: an interface's type and a
/// Codable type mirror each other if their shapes are equal.
package indirect enum TypeShape: Hashable, Sendable {
    case bool, int, float, string, object
    case nullable(TypeShape)
    case array(TypeShape)
    case map(TypeShape)
    case structure([String: TypeShape])
    /// In the order of names.
    case enumeration([String])
    /// A type inside itself.
    case recursive
}

extension TypeShape: CustomStringConvertible {
    /// As an interface would declare it.
    package var description: String {
        switch self {
        case .bool: return "bool"
        case .int: return "int"
        case .float: return "float"
        case .string: return "string"
        case .object: return "object"
        case .nullable(let shape): return "?\(shape)"
        case .array(let shape): return "[]\(shape)"
        case .map(let shape): return "[string]\(shape)"
        case .structure(let members):
            let fields = members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            return "(\(fields.joined(separator: ", ")))"
        case .enumeration(let values): return "(\(values.joined(separator: ", ")))"
        case .recursive: return "..."
        }
    }
}

extension VarlinkInterface {
    /// The shape of a type of this interface, with named types put in.
    package func shape(of type: VarlinkType) -> TypeShape {
        shape(of: type, inside: [])
    }

    /// The shape of parameters or of a reply.
    package func shape(of fields: [VarlinkField]) -> TypeShape {
        shape(of: .structure(fields))
    }

    private func shape(of type: VarlinkType, inside names: Set<String>) -> TypeShape {
        switch type {
        case .bool: return .bool
        case .int: return .int
        case .float: return .float
        case .string: return .string
        case .object: return .object
        case .nullable(let type): return .nullable(shape(of: type, inside: names))
        case .array(let type): return .array(shape(of: type, inside: names))
        case .map(let type): return .map(shape(of: type, inside: names))
        case .enumeration(let values): return .enumeration(values.sorted())
        case .structure(let fields):
            var members: [String: TypeShape] = [:]
            for field in fields { members[field.name] = shape(of: field.type, inside: names) }
            return .structure(members)
        case .named(let name):
            guard !names.contains(name) else { return .recursive }
            guard case .type(let type) = member(name)?.kind else {
                preconditionFailure("the parser refuses unknown types")
            }
            return shape(of: type, inside: names.union([name]))
        }
    }
}
