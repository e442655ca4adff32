// An interface as its text declares it. The text is the source of the Swift types, too: the
// generator writes them from what is parsed here.

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

    /// Parses the text of an interface file, accepting only the portable subset: what systemd's
    /// and PyPI's parsers both understand. Types that it uses and does not declare are taken over
    /// from `types`, together with those that they use.
    package init(text: String, types: [Member] = []) throws(InterfaceError) {
        var parser = try InterfaceParser(text)
        try parser.parse(sharing: types)
        name = parser.name
        documentation = parser.documentation
        members = parser.members
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

extension VarlinkType {
    /// The names of the types that it is made of.
    package var references: Set<String> {
        switch self {
        case .bool, .int, .float, .string, .object, .enumeration: []
        case .named(let name): [name]
        case .nullable(let type), .array(let type), .map(let type): type.references
        case .structure(let fields):
            fields.reduce(into: []) { $0.formUnion($1.type.references) }
        }
    }
}

// MARK: - The text

extension VarlinkInterface {
    /// The interface as text that any parser reads: what `GetInterfaceDescription` answers.
    package var text: String {
        var text = VarlinkInterface.comment(documentation)
        text += "interface \(name)\n"
        for member in members { text += "\n\(member.text)" }
        return text
    }

    fileprivate static func comment(_ documentation: String, indent: String = "") -> String {
        guard !documentation.isEmpty else { return "" }
        return documentation.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "\(indent)#\n" : "\(indent)# \($0)\n" }.joined()
    }
}

extension VarlinkInterface.Member {
    fileprivate var text: String {
        let comment = VarlinkInterface.comment(documentation)
        return switch kind {
        case .type(let type):
            "\(comment)type \(name) \(type.text(indent: ""))\n"
        case .method(let parameters, let reply):
            "\(comment)method \(name)\(VarlinkType.structure(parameters).text(indent: ""))"
                + " -> \(VarlinkType.structure(reply).text(indent: ""))\n"
        case .error(let parameters):
            "\(comment)error \(name) \(VarlinkType.structure(parameters).text(indent: ""))\n"
        }
    }
}

extension VarlinkType {
    fileprivate func text(indent: String) -> String {
        switch self {
        case .bool: return "bool"
        case .int: return "int"
        case .float: return "float"
        case .string: return "string"
        case .object: return "object"
        case .named(let name): return name
        case .nullable(let type): return "?\(type.text(indent: indent))"
        case .array(let type): return "[]\(type.text(indent: indent))"
        case .map(let type): return "[string]\(type.text(indent: indent))"
        case .enumeration(let values): return "(\(values.joined(separator: ", ")))"
        case .structure(let fields):
            guard !fields.isEmpty else { return "()" }
            let inner = indent + "  "
            let lines = fields.map { field in
                VarlinkInterface.comment(field.documentation, indent: inner)
                    + "\(inner)\(field.name): \(field.type.text(indent: inner))"
            }
            return "(\n\(lines.joined(separator: ",\n"))\n\(indent))"
        }
    }
}
