// Reads the grammar of interface texts (UAPI.20, "Interface Definition") by recursive descent, and
// refuses what is not in the portable subset: `any`, arrays and maps of arrays, maps or
// nullables, trailing commas, errors without parentheses, two members in one line.

struct InterfaceParser {
    private static let depthLimit = 64

    private(set) var name = ""
    private(set) var documentation = ""
    private(set) var members: [VarlinkInterface.Member] = []
    private var lexer: InterfaceLexer
    private var token: InterfaceToken
    /// Names of types used, to be looked up when all are known.
    private var references: [(name: String, token: InterfaceToken)] = []

    init(_ text: String) throws(InterfaceError) {
        lexer = InterfaceLexer(text)
        token = try lexer.next()
    }

    mutating func parse(sharing types: [VarlinkInterface.Member]) throws(InterfaceError) {
        documentation = token.documentation
        try consume(word: "interface")
        name = try consumeName("an interface name", InterfaceParser.isInterfaceName)
        repeat { try member() } while token.kind != .end
        share(types)
        for reference in references {
            guard let member = members.first(where: { $0.name == reference.name }),
                case .type = member.kind
            else { throw reference.token.error(.unknownType(reference.name)) }
        }
    }

    /// Puts those of `types` that are used and not declared here in front of the other members.
    private mutating func share(_ types: [VarlinkInterface.Member]) {
        var wanted = Set(references.map(\.name))
        var used: Set<String> = []
        while let name = wanted.popFirst() {
            guard members.allSatisfy({ $0.name != name }), !used.contains(name),
                case .type(let type)? = types.first(where: { $0.name == name })?.kind
            else { continue }
            used.insert(name)
            wanted.formUnion(type.references)
        }
        members = types.filter { used.contains($0.name) } + members
    }

    // MARK: Members

    private mutating func member() throws(InterfaceError) {
        let first = token
        let keyword = try consumeWord("type, method or error")
        guard ["type", "method", "error"].contains(keyword) else {
            throw first.error(.expected("type, method or error"))
        }
        guard first.isFirstInLine else { throw first.error(.notPortable("two members in a line")) }
        let nameToken = token
        let name = try consumeName("a name", InterfaceParser.isTypeName)
        guard members.allSatisfy({ $0.name != name }) else {
            throw nameToken.error(.duplicateName(name))
        }
        let kind: VarlinkInterface.Kind
        switch keyword {
        case "type":
            kind = .type(try structureOrEnumeration(depth: 0))
        case "method":
            let parameters = try structure()
            try consume(mark: "->")
            kind = .method(parameters: parameters, reply: try structure())
        default:
            guard token.kind == .mark("(") else {
                throw token.error(.notPortable("error without ()"))
            }
            kind = .error(parameters: try structure())
        }
        members.append(.init(name: name, documentation: first.documentation, kind: kind))
    }

    private mutating func structure() throws(InterfaceError) -> [VarlinkField] {
        let first = token
        guard case .structure(let fields) = try structureOrEnumeration(depth: 0) else {
            throw first.error(.expected("fields with types"))
        }
        return fields
    }

    private mutating func structureOrEnumeration(
        depth: Int
    ) throws(InterfaceError) -> VarlinkType {
        try consume(mark: "(")
        if try skip(mark: ")") { return .structure([]) }
        var fields: [VarlinkField] = []
        var names: [String] = []
        repeat {
            let first = token
            if first.kind == .mark(")") { throw first.error(.notPortable("trailing comma")) }
            let name = try consumeName("a field", InterfaceParser.isFieldName)
            guard !names.contains(name) else { throw first.error(.duplicateName(name)) }
            // The first element decides what it is; the others have to agree.
            let isField = names.isEmpty ? token.kind == .mark(":") : !fields.isEmpty
            names.append(name)
            guard isField else { continue }
            try consume(mark: ":")
            fields.append(
                VarlinkField(
                    name: name, type: try type(depth: depth + 1),
                    documentation: first.documentation))
        } while try skip(mark: ",")
        try consume(mark: ")")
        return fields.isEmpty ? .enumeration(names) : .structure(fields)
    }

    // MARK: Types

    private mutating func type(depth: Int) throws(InterfaceError) -> VarlinkType {
        guard depth <= InterfaceParser.depthLimit else { throw token.error(.tooDeep) }
        if try skip(mark: "?") {
            guard token.kind != .mark("?") else { throw token.error(.expected("a type")) }
            return .nullable(try type(depth: depth + 1))
        }
        guard try skip(mark: "[") else { return try element(depth: depth) }
        let isMap = token.kind == .word("string")
        if isMap { token = try lexer.next() }
        try consume(mark: "]")
        if token.kind == .mark("[") || token.kind == .mark("?") {
            throw token.error(.notPortable("array or map of arrays, maps or nullables"))
        }
        let element = try element(depth: depth)
        return isMap ? .map(element) : .array(element)
    }

    private mutating func element(depth: Int) throws(InterfaceError) -> VarlinkType {
        if token.kind == .mark("(") { return try structureOrEnumeration(depth: depth) }
        let first = token
        let word = try consumeWord("a type")
        switch word {
        case "bool": return .bool
        case "int": return .int
        case "float": return .float
        case "string": return .string
        case "object": return .object
        case "any": throw first.error(.notPortable("any"))
        case _ where InterfaceParser.isTypeName(word):
            references.append((word, first))
            return .named(word)
        default: throw first.error(.unknownType(word))
        }
    }

    // MARK: Tokens

    private mutating func consume(word: String) throws(InterfaceError) {
        guard token.kind == .word(word) else { throw token.error(.expected(word)) }
        token = try lexer.next()
    }

    private mutating func consume(mark: String) throws(InterfaceError) {
        guard try skip(mark: mark) else { throw token.error(.expected(mark)) }
    }

    private mutating func skip(mark: String) throws(InterfaceError) -> Bool {
        guard token.kind == .mark(mark) else { return false }
        token = try lexer.next()
        return true
    }

    private mutating func consumeWord(_ what: String) throws(InterfaceError) -> String {
        guard case .word(let word) = token.kind else { throw token.error(.expected(what)) }
        token = try lexer.next()
        return word
    }

    private mutating func consumeName(
        _ what: String, _ isValid: (String) -> Bool
    ) throws(InterfaceError) -> String {
        let first = token
        let name = try consumeWord(what)
        guard isValid(name) else { throw first.error(.invalidName(name)) }
        return name
    }
}

// MARK: - Names

extension InterfaceParser {
    /// `[A-Za-z]([-]*[A-Za-z0-9])*(\.[A-Za-z0-9]([-]*[A-Za-z0-9])*)+`
    private static func isInterfaceName(_ name: String) -> Bool {
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count >= 2 && isLetter(name.utf8.first)
            && labels.allSatisfy { label in
                guard let first = label.first, let last = label.last else { return false }
                return isLetterOrDigit(first) && isLetterOrDigit(last)
                    && label.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
            }
    }

    /// `[A-Z][A-Za-z0-9]*`
    private static func isTypeName(_ name: String) -> Bool {
        guard let first = name.utf8.first else { return false }
        return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
            && name.utf8.allSatisfy(isLetterOrDigit)
    }

    /// `[A-Za-z](_?[A-Za-z0-9])*`
    private static func isFieldName(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        return isLetter(name.utf8.first)
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isLetterOrDigit) }
    }

    private static func isLetter(_ byte: UInt8?) -> Bool {
        byte.map { isLetterOrDigit($0) && $0 > UInt8(ascii: "9") } ?? false
    }
}
