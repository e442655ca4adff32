// The generator: what it writes for a small interface, to the letter, and what it refuses. That
// the rest compiles and works, every other test shows.

import InterfaceGenerator
import Testing
import Varlink

@Suite struct InterfaceCodeTests {
    private func code(types: String = "", _ text: String) throws -> (InterfaceCode, String) {
        let types = types.isEmpty ? [] : try VarlinkInterface(text: types).members
        let interface = try VarlinkInterface(text: text, types: types)
        let code = InterfaceCode(types: types, interfaces: [interface])
        return (code, try code.source(of: interface))
    }

    @Test func `types, methods, errors and the text are written`() throws {
        let (code, source) = try code(
            types: """
                interface a.types
                # How loud
                type Level (low, default)
                # What is said
                type Note (
                  # The words
                  text: string,
                  level: ?Level
                )
                """,
            """
            # For tests
            interface io.example.Test

            # Says something
            # [Requires 'more' flag]
            method Say(notes: []Note) -> (at: int)

            # Too loud
            error Loud (level: Level)
            """)
        #expect(try code.sharedTypes() == Self.types)
        #expect(source == Self.source)
    }

    @Test(arguments: [
        ("[string]int", "Parameters.a"), ("(b: int)", "Parameters.a"),
        ("[]bool", "Parameters.a"), ("?[](x, y)", "Parameters.a"),
    ])
    func `what has no Swift form is refused by name`(type: String, path: String) throws {
        let error = #expect(throws: InterfaceCode.Unsupported.self) {
            try code("interface io.example.Test\nmethod Say(a: \(type)) -> ()\n")
        }
        #expect(error?.reason.hasPrefix("TestMethod.Say.\(path): ") == true)
    }

    @Test func `more members than a reader takes are refused`() throws {
        let fields = (0...64).map { "a\($0): ?int" }.joined(separator: ", ")
        let error = #expect(throws: InterfaceCode.Unsupported.self) {
            try code("interface io.example.Test\nmethod Say(\(fields)) -> ()\n")
        }
        #expect(error?.reason == "TestMethod.Say.Parameters has more than 64 members")
    }

    private static let types = ##"""
        // Written by InterfaceGenerator from the .varlink files: change those.

        public import Varlink

        /// The types of the interfaces.
        public enum Wire {}

        extension Wire {
            /// How loud
            public enum Level: String, Hashable, Sendable, CaseIterable {
                case low, `default`
            }
        }

        extension Wire.Level: JSONReadable, JSONWritable {}

        extension Wire {
            /// What is said
            public struct Note: Hashable, Sendable {
                /// The words
                public var text: String
                public var level: Wire.Level?

                public init(text: String, level: Wire.Level? = nil) {
                    self.text = text
                    self.level = level
                }
            }
        }

        extension Wire.Note: JSONReadable, JSONWritable {
            private static let memberNames = [
                "text",
                "level",
            ]

            package init(_ reader: JSONReader) throws(JSONMistake) {
                let members = try reader.members(Self.memberNames)
                self.text = try members.required(0).string()
                self.level = try members[1]?.ifKnown(Wire.Level.init)
            }

            package func write(to text: inout JSONText) {
                text.object { text in
                    text.member("text", self.text)
                    text.member("level", self.level)
                }
            }
        }

        """##
    private static let source = ##"""
        // Written by InterfaceGenerator from the .varlink files: change those.

        public import Varlink

        /// The methods of io.example.Test.
        package enum TestMethod: String, CaseIterable, Sendable {
            package static let interface = "io.example.Test"

            case say = "io.example.Test.Say"

            /// Says something
            /// [Requires 'more' flag]
            package enum Say: VarlinkMethod {
                package static var name: String { TestMethod.say.rawValue }
                package static var requiresMore: Bool { true }

                package struct Parameters: Hashable, Sendable {
                    package var notes: [Wire.Note]

                    package init(notes: [Wire.Note]) {
                        self.notes = notes
                    }
                }

                package struct Reply: Hashable, Sendable {
                    package var at: Int64

                    package init(at: Int64) {
                        self.at = at
                    }
                }
            }
        }

        extension TestMethod.Say.Parameters: JSONReadable, JSONWritable {
            private static let memberNames = [
                "notes",
            ]

            package init(_ reader: JSONReader) throws(JSONMistake) {
                let members = try reader.members(Self.memberNames)
                self.notes = try members.required(0).elements(Wire.Note.init)
            }

            package func write(to text: inout JSONText) {
                text.object { text in
                    text.member("notes", self.notes)
                }
            }
        }

        extension TestMethod.Say.Reply: JSONReadable, JSONWritable {
            private static let memberNames = [
                "at",
            ]

            package init(_ reader: JSONReader) throws(JSONMistake) {
                let members = try reader.members(Self.memberNames)
                self.at = try members.required(0).integer()
            }

            package func write(to text: inout JSONText) {
                text.object { text in
                    text.member("at", self.at)
                }
            }
        }

        /// The errors of io.example.Test.
        public enum TestFailure {}

        extension TestFailure {
            /// Too loud
            public struct Loud: VarlinkError, Hashable {
                package static var name: String { "io.example.Test.Loud" }

                public var level: Wire.Level

                public init(level: Wire.Level) {
                    self.level = level
                }
            }
        }

        extension TestFailure.Loud: JSONReadable, JSONWritable {
            private static let memberNames = [
                "level",
            ]

            package init(_ reader: JSONReader) throws(JSONMistake) {
                let members = try reader.members(Self.memberNames)
                self.level = try Wire.Level(members.required(0))
            }

            package func write(to text: inout JSONText) {
                text.object { text in
                    text.member("level", self.level)
                }
            }
        }

        extension TestMethod {
            /// What `GetInterfaceDescription` answers.
            package static let interfaceText = #"""
        # For tests
        interface io.example.Test

        # How loud
        type Level (low, default)

        # What is said
        type Note (
          # The words
          text: string,
          level: ?Level
        )

        # Says something
        # [Requires 'more' flag]
        method Say(
          notes: []Note
        ) -> (
          at: int
        )

        # Too loud
        error Loud (
          level: Level
        )

        """#
        }

        """##
}
