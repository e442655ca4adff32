// The manual page knows what the program knows: the commands, their options and what these take.

import Foundation
import SchedulerInterface
import Testing
import schedctl

struct ManualTests {
    /// The lines of systemd/schedctl.1, each as its words.
    private static func lines() throws -> [[Substring]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = root.appending(path: "systemd/schedctl.1")
        return try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: " ") }
    }

    @Test(arguments: Invocation.commands.map { $0.description.name } + ["help"])
    func `every command has its entry`(name: String) throws {
        let isThere = try Self.lines().contains { $0.starts(with: [".It", "Cm", name[...]]) }
        #expect(isThere, "schedctl.1 has no .It Cm \(name)")
    }

    private static let options: [String] = {
        let own = Invocation.commands.flatMap { $0.description.options.map(\.name) }
        return Set(own + GlobalOptions.options.map(\.name)).sorted()
    }()

    @Test(arguments: options)
    func `every option is there`(name: String) throws {
        let isThere = try Self.lines().contains { words in
            words.contains("-\(name)") && (words.contains("Fl") || words.contains(".Fl"))
        }
        #expect(isThere, "schedctl.1 has no Fl -\(name)")
    }

    @Test func `every choice of an option is there`() throws {
        func choices<Choice: CaseIterable & RawRepresentable>(_ type: Choice.Type) -> String
        where Choice.RawValue == String {
            type.allCases.map(\.rawValue).joined(separator: " | ")
        }
        let lines = try Self.lines().map { $0.joined(separator: " ") }
        #expect(lines.contains(".It Fl -when-full Cm \(choices(Wire.FullPolicy.self))"))
        #expect(lines.contains(".It Fl -if-missed Cm \(choices(Wire.MissedPolicy.self))"))
        let text = lines.joined(separator: "\n")
        for kind in Wire.EventKind.allCases { #expect(text.contains(kind.rawValue)) }
    }

    @Test func `the members that add prints are there`() throws {
        let added = Wire.Added(identifier: "x", nextUsec: 1, replaced: false, backlogged: false)
        let members = try #require(Mirror(reflecting: added).children.map(\.label) as? [String])
        let lines = try Self.lines().map { $0.joined(separator: " ") }
        #expect(lines.contains(".Li \(members.joined(separator: " , ")) ,"))
    }
}
