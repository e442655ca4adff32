// Command lines taken apart, and the wrong ones refused with words.

import Foundation
import Platform
import Testing

struct OptionParserTests {
    private static let options = [
        OptionSpecification("socket", value: "PATH"),
        OptionSpecification("state-dir", value: "DIR"),
        OptionSpecification("json"),
        OptionSpecification("count", short: "n", value: "COUNT"),
        OptionSpecification("help", short: "h"),
    ]

    struct Row: CustomTestStringConvertible {
        let line: [String]
        /// "name" or "name=value".
        let options: [String]
        let operands: [String]
        var testDescription: String { line.joined(separator: " ") }
    }

    @Test(arguments: [
        Row(line: [], options: [], operands: []),
        Row(line: ["list"], options: [], operands: ["list"]),
        Row(
            line: ["--json", "list", "--socket", "/s"], options: ["json", "socket=/s"],
            operands: ["list"]),
        Row(
            line: ["next", "a", "-n3", "b", "-n", "4", "-h"],
            options: ["count=3", "count=4", "help"], operands: ["next", "a", "b"]),
        Row(
            line: ["--socket=", "--socket=a=b"], options: ["socket=", "socket=a=b"], operands: []),
        Row(line: ["--soc=/s", "--st=d"], options: ["socket=/s", "state-dir=d"], operands: []),
        Row(line: ["-hn", "5"], options: ["help", "count=5"], operands: []),
        Row(
            line: ["a", "--", "--json", "-x", "--"], options: [],
            operands: ["a", "--json", "-x", "--"]),
        Row(line: ["-", ""], options: [], operands: ["-", ""]),
        Row(line: ["--socket", "--json"], options: ["socket=--json"], operands: []),
        Row(line: ["-n", "-1", "é"], options: ["count=-1"], operands: ["é"]),
    ])
    func `options are found before and after operands`(row: Row) throws {
        let parsed = try OptionParser.parse(row.line, options: Self.options)
        #expect(
            parsed.occurrences.map { $0.name + ($0.value.map { "=\($0)" } ?? "") } == row.options)
        #expect(parsed.operands == row.operands)
    }

    struct Refusal: CustomTestStringConvertible {
        let line: [String]
        let error: OptionError
        let text: String
        var testDescription: String { line.joined(separator: " ") }
    }

    @Test(arguments: [
        Refusal(line: ["--nope"], error: .unknown("--nope"), text: "unknown option --nope"),
        Refusal(line: ["a", "--nope=1"], error: .unknown("--nope"), text: "unknown option --nope"),
        Refusal(line: ["-x"], error: .unknown("-x"), text: "unknown option -x"),
        Refusal(line: ["-hx", "a"], error: .unknown("-x"), text: "unknown option -x"),
        Refusal(
            line: ["--s", "x"], error: .ambiguous("--s", candidates: ["--socket", "--state-dir"]),
            text: "option --s is ambiguous: --socket, --state-dir"),
        Refusal(
            line: ["list", "--socket"], error: .missingValue(option: "--socket", value: "PATH"),
            text: "option --socket needs a value: --socket PATH"),
        Refusal(
            line: ["-n"], error: .missingValue(option: "-n", value: "COUNT"),
            text: "option -n needs a value: -n COUNT"),
        Refusal(
            line: ["--json=1"], error: .unexpectedValue(option: "--json"),
            text: "option --json takes no value"),
    ])
    func `a wrong option is an error with its name`(refusal: Refusal) {
        #expect(throws: refusal.error) {
            try OptionParser.parse(refusal.line, options: Self.options)
        }
        #expect(refusal.error.description == refusal.text)
    }

    struct Bytes: CustomTestStringConvertible {
        /// `?` stands for the byte 0xFF, which no UTF-8 has.
        let line: [String]
        let error: String
        var testDescription: String { line.joined(separator: " ") }
    }

    @Test(arguments: [
        Bytes(line: ["--socket", "?"], error: "--socket is not UTF-8"),
        Bytes(line: ["--socket=a?b"], error: "--socket is not UTF-8"),
        Bytes(line: ["a", "--soc", "?"], error: "--socket is not UTF-8"),
        Bytes(line: ["-n", "?"], error: "-n is not UTF-8"),
        Bytes(line: ["-n?"], error: "-n is not UTF-8"),
        Bytes(line: ["-hnx?"], error: "-n is not UTF-8"),
        Bytes(line: ["-h?"], error: "argument 1 is not UTF-8"),
        Bytes(line: ["-hn", "?"], error: "-n is not UTF-8"),
        Bytes(line: ["?"], error: "argument 1 is not UTF-8"),
        Bytes(line: ["--json", "?"], error: "argument 2 is not UTF-8"),
        Bytes(line: ["--socket", "--state-dir", "?"], error: "argument 3 is not UTF-8"),
        Bytes(line: ["--socket", "--", "--state-dir", "?"], error: "--state-dir is not UTF-8"),
        Bytes(line: ["--", "--socket", "?"], error: "argument 3 is not UTF-8"),
        Bytes(line: ["--", "--socket=?"], error: "argument 2 is not UTF-8"),
        Bytes(line: ["--?"], error: "argument 1 is not UTF-8"),
    ])
    func `a word that is no text is refused, and its option is named`(row: Bytes) {
        let words = row.line.map { $0.utf8.map { $0 == UInt8(ascii: "?") ? 0xFF : $0 } }
        let error = #expect(throws: OptionError.self) {
            try OptionParser.text(of: words, options: Self.options)
        }
        #expect(error?.description == row.error)
    }

    @Test func `words that are text stay as they are`() throws {
        let line = ["--socket", "é", "", "\u{FFFD}", "--", "-n", "👩‍👧"]
        let words = line.map { Array($0.utf8) }
        #expect(try OptionParser.text(of: words, options: Self.options) == line)
    }

    @Test func `the last value wins`() throws {
        let parsed = try OptionParser.parse(
            ["--socket", "a", "--socket", "b"], options: Self.options)
        #expect(parsed.value(of: "socket") == "b")
        #expect(parsed.value(of: "count") == nil)
        #expect(parsed.contains("socket") && !parsed.contains("json"))
    }

    @Test func `nothing is left of an earlier or a parallel scan`() async {
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let line = index.isMultiple(of: 3) ? ["-hx"] : ["a", "-hn", "\(index)", "b"]
                    let parsed = try? OptionParser.parse(line, options: Self.options)
                    return index.isMultiple(of: 3)
                        ? parsed == nil
                        : parsed?.value(of: "count") == "\(index)"
                            && parsed?.operands == ["a", "b"]
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
