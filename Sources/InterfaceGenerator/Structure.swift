// A structure of an interface as a Swift type: its declaration, its reading and its writing.

import Varlink

/// A Swift structure to be written.
struct Structure {
    struct Member {
        let name: String
        let type: String
        let documentation: String
        let isOptional: Bool
        /// The expression that reads it, as the member at its place of `members`.
        let reading: String
    }

    let name: String
    /// The name from the outermost type on.
    let path: String
    let members: [Member]
    /// Whether what may be absent can be left out when a value is made.
    let mayOmit: Bool

    init(
        name: String, path: String, fields: [VarlinkField], mayOmit: Bool
    ) throws(InterfaceCode.Unsupported) {
        guard fields.count <= JSONMembers.limit else {
            throw .init(reason: "\(path) has more than \(JSONMembers.limit) members")
        }
        self.name = name
        self.path = path
        self.mayOmit = mayOmit
        var members: [Member] = []
        for (place, field) in fields.enumerated() {
            members.append(try Structure.member(field, at: place, of: path))
        }
        self.members = members
    }

    private static func member(
        _ field: VarlinkField, at place: Int, of path: String
    ) throws(InterfaceCode.Unsupported) -> Member {
        var type = field.type
        var isOptional = false
        if case .nullable(let inner) = type {
            type = inner
            isOptional = true
        }
        // A value of a named type is made by the type, all others by the reader.
        var named: String?
        let swift: String
        let read: String
        switch type {
        case .bool: (swift, read) = ("Bool", "bool()")
        case .int: (swift, read) = ("Int64", "integer()")
        case .float: (swift, read) = ("Double", "double()")
        case .string: (swift, read) = ("String", "string()")
        case .object: (swift, read) = ("JSONValue", "value()")
        case .named(let name):
            named = "Wire.\(name)"
            (swift, read) = ("Wire.\(name)", "ifKnown(Wire.\(name).init)")
        case .array(.int): (swift, read) = ("[Int64]", "integers()")
        case .array(.string): (swift, read) = ("[String]", "strings()")
        case .array(.named(let name)):
            (swift, read) = ("[Wire.\(name)]", "elements(Wire.\(name).init)")
        default:
            throw .init(
                reason: "\(path).\(field.name): give it a type of its own, or an array of int, "
                    + "string or such a type")
        }
        let reading =
            if isOptional {
                "try members[\(place)]?.\(read)"
            } else if let named {
                "try \(named)(members.required(\(place)))"
            } else {
                "try members.required(\(place)).\(read)"
            }
        return Member(
            name: field.name, type: isOptional ? "\(swift)?" : swift,
            documentation: field.documentation, isOptional: isOptional, reading: reading)
    }

    // MARK: Source

    /// The structure with its members and its memberwise initializer.
    func declare(
        as conformances: String, access: String, in source: inout SwiftSource,
        _ first: (inout SwiftSource) -> Void = { _ in }
    ) {
        source.open("\(access) struct \(name): \(conformances)") { source in
            first(&source)
            for member in members {
                source.comment(member.documentation)
                source.line("\(access) var \(member.name): \(member.type)")
            }
            source.line()
            let parameters = members.map { member in
                "\(member.name): \(member.type)\(mayOmit && member.isOptional ? " = nil" : "")"
            }
            source.open("\(access) init", parameters) { source in
                for member in members { source.line("self.\(member.name) = \(member.name)") }
            }
        }
    }

    /// How it is read and written.
    func conform(in source: inout SwiftSource) {
        source.line()
        source.open("extension \(path): JSONReadable, JSONWritable") { source in
            source.line("private static let memberNames = [")
            for member in members { source.line("    \"\(member.name)\",") }
            source.line("]")
            source.line()
            let signature = "package init(_ reader: JSONReader) throws(JSONMistake)"
            source.open(signature) { source in
                source.line(
                    "\(members.isEmpty ? "_" : "let members") = "
                        + "try reader.members(Self.memberNames)")
                for member in members { source.line("self.\(member.name) = \(member.reading)") }
            }
            source.line()
            source.open("package func write(to text: inout JSONText)") { source in
                source.open("text.object", parameter: "text") { source in
                    for member in members {
                        source.line("text.member(\"\(member.name)\", self.\(member.name))")
                    }
                }
            }
        }
    }
}
