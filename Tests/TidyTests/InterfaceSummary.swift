// The methods of the interface texts without comments, one line each: what the README shows.

import Foundation

enum InterfaceSummary {
    /// `interface` and `method` lines of a .varlink file, each on one line.
    static func lines(of text: String) -> [String] {
        let bare = text.split(separator: "\n").map { line in
            line.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
        }.filter { !$0.isEmpty }.joined(separator: " ")
        let members = bare.matches(of: /\b(interface|type|method|error) (?=[A-Za-z])/)
        var result: [String] = []
        for (index, match) in members.enumerated()
        where match.1 == "interface" || match.1 == "method" {
            let end = members.dropFirst(index + 1).first?.range.lowerBound ?? bare.endIndex
            result.append(tidied(bare[match.range.lowerBound..<end]))
        }
        return result
    }

    /// The block for README.md, apps' interface first.
    static func readmeBlock(of interfaces: [TextFile]) -> String {
        interfaces.sorted { $0.path > $1.path }
            .map { lines(of: $0.text).joined(separator: "\n") }
            .joined(separator: "\n\n")
    }

    private static func tidied(_ text: Substring) -> String {
        text.trimmingCharacters(in: .whitespaces)
            .replacing(/\(\s+/, with: "(")
            .replacing(/\s+\)/, with: ")")
            .replacing(/\s+/, with: " ")
    }
}
