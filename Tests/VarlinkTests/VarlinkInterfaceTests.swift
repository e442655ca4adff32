// Interface texts: what the portable subset accepts, and what it refuses and where.

import TestSupport
import Testing
import Varlink

@Suite struct VarlinkInterfaceTests {
    private static let example = """
        # An interface for tests.
        #
        # Of two paragraphs.
        interface io.example.Test

        # Not the documentation of anything.

        # When it fires
        type Trigger (
            # Kind (with a rule)
            kind: (date, calendar),
            # Microseconds
            atUsec: ?int,
            hour: ?[]int
        )

        # What to show
        type Request (identifier: string, title: ?string, urgent: ?bool,
            trigger: ?Trigger, userInfo: ?object)

        type Level (low, high)

        # Adds requests
        method Add(app: string, requests: []Request) -> (next: [string]float)
        method Watch() -> (event: ?int) # not a documentation either
        error QueueFull (limit: int)
        error Tree (children: []Node, type: string, method: ?[string]Level)
        type Node (error: ?Node, int: int)

        """

    @Test func `members, fields and comments are found`() throws {
        let interface = try VarlinkInterface(text: Self.example)
        #expect(interface.name == "io.example.Test")
        #expect(interface.documentation == "An interface for tests.\n\nOf two paragraphs.")
        #expect(
            interface.members.map(\.name) == [
                "Trigger", "Request", "Level", "Add", "Watch", "QueueFull", "Tree", "Node",
            ])
        #expect(interface.methodNames == ["Add", "Watch"])
        let trigger = try #require(interface.member("Trigger"))
        #expect(trigger.documentation == "When it fires")
        let kind = VarlinkType.enumeration(["date", "calendar"])
        let fields = [
            VarlinkField(name: "kind", type: kind, documentation: "Kind (with a rule)"),
            VarlinkField(name: "atUsec", type: .nullable(.int), documentation: "Microseconds"),
            VarlinkField(name: "hour", type: .nullable(.array(.int)), documentation: ""),
        ]
        #expect(trigger.kind == .type(.structure(fields)))
        #expect(interface.member("Level")?.kind == .type(.enumeration(["low", "high"])))
        #expect(interface.member("QueueFull")?.documentation == "")
    }

    @Test func `parts without a comment are listed`() throws {
        let interface = try VarlinkInterface(text: Self.example)
        #expect(
            undocumentedParts(of: interface) == [
                "Trigger.hour", "Request.identifier", "Request.title", "Request.urgent",
                "Request.trigger", "Request.userInfo", "Level", "Add.app", "Add.requests",
                "Add.next", "Watch", "Watch.event", "QueueFull", "QueueFull.limit", "Tree",
                "Tree.children", "Tree.type", "Tree.method", "Node", "Node.error", "Node.int",
            ])
    }

    @Test func `the printed text says the same`() throws {
        let interface = try VarlinkInterface(text: Self.example)
        let again = try VarlinkInterface(text: interface.text)
        #expect(again.name == interface.name)
        #expect(again.documentation == interface.documentation)
        #expect(again.members == interface.members)
        #expect(again.text == interface.text)
        #expect(
            interface.text.hasPrefix(
                """
                # An interface for tests.
                #
                # Of two paragraphs.
                interface io.example.Test

                # When it fires
                type Trigger (
                  # Kind (with a rule)
                  kind: (date, calendar),
                  # Microseconds
                  atUsec: ?int,
                  hour: ?[]int
                )

                """))
    }

    @Test func `types that are used and not declared are taken over`() throws {
        let types = try VarlinkInterface(
            text: """
                interface a.types
                type Unused (a: int)
                # The inner one
                type Inner (a, b)
                type Outer (inner: ?Inner, own: []Outer)
                """
        ).members
        let interface = try VarlinkInterface(
            text: "interface a.b\nmethod Do(outer: Outer, own: Own) -> ()\ntype Own (a: int)\n",
            types: types)
        #expect(interface.members.map(\.name) == ["Inner", "Outer", "Do", "Own"])
        #expect(interface.member("Inner")?.documentation == "The inner one")
        #expect(try VarlinkInterface(text: interface.text).members == interface.members)
        #expect(throws: InterfaceError(reason: .unknownType("Other"), line: 2, column: 14)) {
            try VarlinkInterface(text: "interface a.b\nmethod Do(a: Other) -> ()", types: types)
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let text: String
        let reason: InterfaceError.Reason
        let line: Int
        let column: Int
        var testDescription: String { text }

        init(_ member: String, _ reason: InterfaceError.Reason, _ line: Int, _ column: Int) {
            text = member.hasPrefix("!") ? String(member.dropFirst()) : "interface a.b\n" + member
            self.reason = reason
            self.line = line
            self.column = column
        }
    }

    private static let nested = InterfaceError.Reason.notPortable(
        "array or map of arrays, maps or nullables")

    private static let refused = [
        Row("!", .expected("interface"), 1, 1),
        Row("!type A (a: int)", .expected("interface"), 1, 1),
        Row("!interface", .expected("an interface name"), 1, 10),
        Row("!interface example\n", .invalidName("example"), 1, 11),
        Row("!interface a..b\n", .invalidName("a..b"), 1, 11),
        Row("!interface 1a.b\n", .invalidName("1a.b"), 1, 11),
        Row("!interface a.b-\n", .invalidName("a.b-"), 1, 11),
        Row("!interface a.b_c\n", .invalidName("a.b_c"), 1, 11),
        Row("!interface a.b\r\n", .notPortable("carriage return"), 1, 14),
        Row("!# c\r\ninterface a.b\n", .notPortable("carriage return"), 1, 4),
        Row("!interface a.b type A (a: int)", .notPortable("two members in a line"), 1, 15),
        Row("", .expected("type, method or error"), 2, 1),
        Row("enum A (a, b)", .expected("type, method or error"), 2, 1),
        Row("type a (a: int)", .invalidName("a"), 2, 6),
        Row("type A_B (a: int)", .invalidName("A_B"), 2, 6),
        Row("type A a: int", .expected("("), 2, 8),
        Row("type A (a: int", .expected(")"), 2, 15),
        Row("type A (a: int,)", .notPortable("trailing comma"), 2, 16),
        Row("type A (a, b,)", .notPortable("trailing comma"), 2, 14),
        Row("type A (a: int b: int)", .expected(")"), 2, 16),
        Row("type A (a: int, b)", .expected(":"), 2, 18),
        Row("type A (a, b: int)", .expected(")"), 2, 13),
        Row("type A (a:)", .expected("a type"), 2, 11),
        Row("type A (a_: int)", .invalidName("a_"), 2, 9),
        Row("type A (a__b: int)", .invalidName("a__b"), 2, 9),
        Row("type A (1a: int)", .invalidName("1a"), 2, 9),
        Row("type A (a: int, a: int)", .duplicateName("a"), 2, 17),
        Row("type A (a, b, a)", .duplicateName("a"), 2, 15),
        Row("type A (a: any)", .notPortable("any"), 2, 12),
        Row("type A (a: [][]int)", nested, 2, 14),
        Row("type A (a: [string][]int)", nested, 2, 20),
        Row("type A (a: []?int)", nested, 2, 14),
        Row("type A (a: [string]?int)", nested, 2, 20),
        Row("type A (a: ??int)", .expected("a type"), 2, 13),
        Row("type A (a: [int]int)", .expected("]"), 2, 13),
        Row("type A (a: integer)", .unknownType("integer"), 2, 12),
        Row("type A (a: B)", .unknownType("B"), 2, 12),
        Row("error B ()\ntype A (a: []B)", .unknownType("B"), 3, 14),
        Row("type A (a: int)\n\nerror A ()", .duplicateName("A"), 4, 7),
        Row("type A (a: int)\nmethod A() -> ()", .duplicateName("A"), 3, 8),
        Row("type A (a: int) type B (a: int)", .notPortable("two members in a line"), 2, 17),
        Row("error A", .notPortable("error without ()"), 2, 8),
        Row("error A\nerror B ()", .notPortable("error without ()"), 3, 1),
        Row("error A (a, b)", .expected("fields with types"), 2, 9),
        Row("method A()", .expected("->"), 2, 11),
        Row("method A() - ()", .unexpectedCharacter, 2, 12),
        Row("method A(a: int) -> a", .expected("("), 2, 21),
        Row("type A (a: int);", .unexpectedCharacter, 2, 16),
        Row("type A (é: int)", .unexpectedCharacter, 2, 9),
        Row("# é\n  type A (\n    # é\n    a: [])", .expected("a type"), 5, 10),
    ]

    @Test(arguments: refused)
    func `what is not portable is refused where it stands`(row: Row) {
        #expect(
            throws: InterfaceError(reason: row.reason, line: row.line, column: row.column)
        ) { try VarlinkInterface(text: row.text) }
    }

    @Test(arguments: [
        "type A (a: ?[]int, b: ?[string]string, c: ?(x: int, y: ?(z: bool)), d: [](e, f))",
        "type A (a: B)\ntype B (b: ?A)",
        "type A ()",
        "type A (only)",
        "method A (a: int)->(b: int)",
        "error A(a: int)",
        "type A (type: int, method: int, error: int, interface: int, int: int, string: bool)",
        "type A (\n\ta: int,\n\n\tb_c2: int # behind (a) field\n)",
        "type A (a: object)",
    ])
    func `what is portable is accepted`(member: String) {
        #expect(throws: Never.self) {
            try VarlinkInterface(text: "interface a.b-c.d1\n\n\(member)\n# the end")
        }
    }

    @Test func `nesting has a limit`() {
        let open = String(repeating: "(a: ", count: 1000)
        #expect(throws: InterfaceError.self) {
            try VarlinkInterface(text: "interface a.b\ntype A \(open)")
        }
    }
}
