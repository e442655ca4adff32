// The tidy tests' own reader, so that a rule does not pass because nothing was read.

import Testing

struct SwiftTokensTests {
    @Test func `comments and strings are left out`() {
        let text = #"""
            // func one() { try! x }
            /* a /* nested */ comment */ let a = "func two() \(b("x")) \" {"
            let c = """
                { "quoted" }
                """
            let d = #"raw \ " { "#
            f("")
            """#
        let words = SwiftTokens(text).tokens.map(\.text)
        #expect(
            words == [
                "let", "a", "=", "let", "c", "=", "let", "d", "=", "f", "(", ")",
            ])
        #expect(SwiftTokens(text).tokens.last?.line == 7)
    }

    @Test func `a body runs from its declaration to its closing brace`() {
        let text = """
            protocol P {
                func required() -> Int
                init()
            }
            struct S {
                init() { self.init(x: { 1 }) }
                func `long one`(
                    a: () -> Void = { if x { y() } }
                ) {
                    if a { b }
                }
                deinit {
                }
            }
            """
        let bodies = SwiftTokens(text).bodies
        #expect(bodies.map(\.name) == ["init", "`long one`", "deinit"])
        #expect(bodies.map(\.firstLine) == [6, 7, 12])
        #expect(bodies.map(\.lastLine) == [6, 11, 13])
    }
}
