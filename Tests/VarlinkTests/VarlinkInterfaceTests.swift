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
}
