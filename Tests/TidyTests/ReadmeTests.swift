// The README's first promises: its two commands are there, and the interface that it shows is the
// one that schedd speaks.

import Foundation
import Testing

struct ReadmeTests {
    @Test(arguments: ["systemd/install", "Tests/run"])
    func `the README's commands exist`(_ command: String) throws {
        let readme = try #require(Repository.file("README.md"))
        #expect(readme.text.contains("    ./\(command) "))
        let path = Repository.root.appending(path: command).path
        #expect(FileManager.default.isExecutableFile(atPath: path))
    }

    @Test func `a file that CONTRIBUTING.md names is there`() throws {
        let text = try #require(Repository.file("CONTRIBUTING.md")).text
        let named = text.matches(of: /`((?:Sources|Tests|systemd)\/[^` *]+)/).map(\.1)
        #expect(named.count > 20)
        for path in named {
            let found = FileManager.default.fileExists(
                atPath: Repository.root.appending(path: String(path)).path)
            #expect(found, "CONTRIBUTING.md names \(path)")
        }
    }

    @Test func `the README shows the methods of the interface texts`() throws {
        let readme = try #require(Repository.file("README.md"))
        let published = Repository.interfaces.filter { $0.path.contains("io.schedd.") }
        #expect(published.count == 2)
        let expected = InterfaceSummary.readmeBlock(of: published)
        let fence = "```varlink\n"
        let start = try #require(readme.text.range(of: fence)?.upperBound, "no \(fence) in README")
        let end = try #require(readme.text.range(of: "\n```", range: start..<readme.text.endIndex))
        let shown = readme.text[start..<end.lowerBound]
        #expect(shown == expected, "README.md has to show:\n\(expected)")
    }

    @Test func `a method's line carries no comment and no line break`() {
        let text = """
            # About.
            interface io.example.A

            # A type.
            type T (
              # Field named method.
              method: string
            )

            # Does it.
            method Do(
              # What, "method Other(".
              what: ?[]T
            ) -> ()
            error Bad (reason: string)
            """
        #expect(
            InterfaceSummary.lines(of: text) == [
                "interface io.example.A", "method Do(what: ?[]T) -> ()",
            ])
    }
}
