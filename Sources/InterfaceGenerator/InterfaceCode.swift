// The Swift side of interfaces: types with their reading and writing, methods, errors, and the text
// that a client is shown. It looks like what one would write by hand, so that an error that the
// compiler finds in it, or a debugger's step into it, is no riddle.

package import Varlink

/// Makes Swift source of parsed interfaces.
package struct InterfaceCode {
    /// What the interface language can say and the generated code cannot.
    package struct Unsupported: Error, Equatable {
        package let reason: String
    }

    /// What all interfaces share.
    let types: [VarlinkInterface.Member]
    /// Types of which clients make values: what is left out of one is absent. Where schedd alone
    /// makes them, it has to say each member, so that none is forgotten.
    private let given: Set<String>

    package init(types: [VarlinkInterface.Member], interfaces: [VarlinkInterface]) {
        self.types = types
        let members = interfaces.flatMap(\.members) + types
        var given: Set<String> = []
        var wanted: Set<String> = []
        for member in members {
            guard case .method(let parameters, _) = member.kind else { continue }
            wanted.formUnion(VarlinkType.structure(parameters).references)
        }
        while let name = wanted.popFirst() {
            guard given.insert(name).inserted,
                case .type(let type)? = members.first(where: { $0.name == name })?.kind
            else { continue }
            wanted.formUnion(type.references)
        }
        self.given = given
    }

    // MARK: Files

    /// The types that all interfaces share.
    package func sharedTypes() throws(Unsupported) -> String {
        var source = InterfaceCode.begin()
        source.line()
        source.line("/// The types of the interfaces.")
        source.line("public enum Wire {}")
        for member in types { try add(type: member, to: &source) }
        return source.text
    }

    /// What an interface has of its own.
    package func source(of interface: VarlinkInterface) throws(Unsupported) -> String {
        var source = InterfaceCode.begin()
        for member in interface.members where !types.contains(member) {
            try add(type: member, to: &source)
        }
        try addMethods(of: interface, to: &source)
        try addErrors(of: interface, to: &source)
        addText(of: interface, to: &source)
        return source.text
    }

    private static func begin() -> SwiftSource {
        var source = SwiftSource()
        source.line("// Written by InterfaceGenerator from the .varlink files: change those.")
        source.line()
        source.line("public import Varlink")
        return source
    }

    // MARK: Types

    private func add(
        type member: VarlinkInterface.Member, to source: inout SwiftSource
    ) throws(Unsupported) {
        guard case .type(let type) = member.kind else { return }
        source.line()
        switch type {
        case .enumeration(let values):
            source.open("extension Wire") { source in
                source.comment(member.documentation)
                source.open("public enum \(member.name): String, Hashable, Sendable, CaseIterable")
                {
                    $0.line("case \(values.map(InterfaceCode.identifier).joined(separator: ", "))")
                }
            }
            source.line()
            source.line("extension Wire.\(member.name): JSONReadable, JSONWritable {}")
        case .structure(let fields):
            let structure = try Structure(
                name: member.name, path: "Wire.\(member.name)", fields: fields,
                mayOmit: given.contains(member.name))
            source.open("extension Wire") { source in
                source.comment(member.documentation)
                structure.declare(as: "Hashable, Sendable", access: "public", in: &source)
            }
            structure.conform(in: &source)
        default:
            throw Unsupported(reason: "type \(member.name) is neither a structure nor an enum")
        }
    }

    /// Words that Swift reads as something else where a case is declared.
    private static let keywords: Set<String> = [
        "as", "case", "class", "default", "do", "enum", "extension", "for", "func", "if", "import",
        "in", "init", "is", "let", "operator", "public", "repeat", "return", "self", "static",
        "struct", "subscript", "switch", "throw", "true", "false", "try", "var", "where", "while",
    ]

    /// The name of a case, as Swift can declare it.
    private static func identifier(_ name: String) -> String {
        keywords.contains(name) ? "`\(name)`" : name
    }

    // MARK: Methods

    private func addMethods(
        of interface: VarlinkInterface, to source: inout SwiftSource
    ) throws(Unsupported) {
        let namespace = "\(InterfaceCode.shortName(of: interface))Method"
        var structures: [Structure] = []
        for member in interface.members {
            guard case .method(let parameters, let reply) = member.kind else { continue }
            let path = "\(namespace).\(member.name)"
            structures.append(
                try Structure(
                    name: "Parameters", path: "\(path).Parameters", fields: parameters,
                    mayOmit: true))
            structures.append(
                try Structure(
                    name: "Reply", path: "\(path).Reply", fields: reply, mayOmit: false))
        }
        source.line()
        source.line("/// The methods of \(interface.name).")
        source.open("package enum \(namespace): String, CaseIterable, Sendable") { source in
            source.line("package static let interface = \"\(interface.name)\"")
            source.line()
            for name in interface.methodNames {
                let identifier = InterfaceCode.identifier(name.firstLowercased)
                source.line("case \(identifier) = \"\(interface.name).\(name)\"")
            }
            var place = structures[...]
            for member in interface.members {
                guard case .method = member.kind else { continue }
                let pair = place.prefix(2)
                place = place.dropFirst(2)
                source.line()
                source.comment(member.documentation)
                source.open("package enum \(member.name): VarlinkMethod") { source in
                    source.line(
                        "package static var name: String { "
                            + "\(namespace).\(member.name.firstLowercased).rawValue }")
                    if member.documentation.contains("[Requires 'more' flag]") {
                        source.line("package static var requiresMore: Bool { true }")
                    }
                    for structure in pair {
                        source.line()
                        if structure.members.isEmpty {
                            source.line("package typealias \(structure.name) = NoParameters")
                        } else {
                            structure.declare(
                                as: "Hashable, Sendable", access: "package", in: &source)
                        }
                    }
                }
            }
        }
        for structure in structures where !structure.members.isEmpty {
            structure.conform(in: &source)
        }
    }

    // MARK: Errors

    private func addErrors(
        of interface: VarlinkInterface, to source: inout SwiftSource
    ) throws(Unsupported) {
        let namespace = "\(InterfaceCode.shortName(of: interface))Failure"
        var structures: [Structure] = []
        source.line()
        source.line("/// The errors of \(interface.name).")
        source.line("public enum \(namespace) {}")
        for member in interface.members {
            guard case .error(let fields) = member.kind else { continue }
            let structure = try Structure(
                name: member.name, path: "\(namespace).\(member.name)", fields: fields,
                mayOmit: false)
            structures.append(structure)
            source.line()
            source.open("extension \(namespace)") { source in
                source.comment(member.documentation)
                structure.declare(as: "VarlinkError, Hashable", access: "public", in: &source) {
                    $0.line(
                        "package static var name: String { "
                            + "\"\(interface.name).\(member.name)\" }")
                    $0.line()
                }
            }
            structure.conform(in: &source)
        }
    }

    // MARK: The text

    private func addText(of interface: VarlinkInterface, to source: inout SwiftSource) {
        source.line()
        source.open("extension \(InterfaceCode.shortName(of: interface))Method") { source in
            source.line("/// What `GetInterfaceDescription` answers.")
            source.line("package static let interfaceText = #\"\"\"")
            for line in interface.text.split(separator: "\n", omittingEmptySubsequences: false) {
                source.line(String(line), isText: true)
            }
            source.line("\"\"\"#", isText: true)
        }
    }

    /// `Scheduler` of `io.schedd.Scheduler`.
    private static func shortName(of interface: VarlinkInterface) -> String {
        interface.name.split(separator: ".").last.map(String.init) ?? interface.name
    }
}

extension String {
    var firstLowercased: String { prefix(1).lowercased() + dropFirst() }
}
