// JSON texts: the grammar of RFC 8259 to the letter, spelling without whitespace, and Foundation's
// reader as a second opinion.

import Foundation
import TestSupport
import Testing
import Varlink

@Suite struct JSONTests {
    @Test(arguments: [
        "0", "-0", "10", "1.5", "1E5", "1e+5", "1e-5", "-1.25e-3", "true", "false", "null",
        #""""#, #""\u00e9""#, "[]", "{}", "[1,2]", #"{"a":{"b":[{}]}}"#, " [ 1 , 2 ] ", "\t1\n",
        #""\ud83c\udf89""#, #"{"":1}"#, "\"\u{7F}\"", "\"\u{FFFF}\u{10FFFF}\"",
    ])
    func `a JSON text is read`(text: String) throws {
        #expect(throws: Never.self) { try JSONValue(jsonText: text) }
    }

    @Test(arguments: [
        "", " ", "01", "-", "+1", ".5", "1.", "1.e5", "1e", "1e+", "0x10", "1_000", "NaN",
        "Infinity", "-Infinity", "tru", "trueish", "True", "nul", "'a'", #"""#, #""a"#, #""\"#,
        #""\x41""#, #""\u12""#, #""\u12G4""#, #""\ud83c\u12""#, "\"\n\"", "\"\u{1F}\"", "[", "]",
        "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1:2]", "{", "}", "{a:1}", #"{"a"}"#, #"{"a":}"#,
        #"{"a":1,}"#, #"{,"a":1}"#, #"{"a" 1}"#, #"{"a":1 "b":2}"#, #"{"a":1,,"b":2}"#, "[1}",
        #"{"a":1]"#, "1 1", "[] []", "// c\n1", "[1]/**/", "\u{FEFF}1", "\u{A0}1", #"{1:2}"#,
        #"{"a":1;"b":2}"#, #"{null:1}"#,
    ])
    func `what is not JSON is refused`(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(jsonText: text) }
    }

    @Test(arguments: [
        ("[1,]", JSONError.unexpectedByte(UInt8(ascii: "]"), offset: 3)),
        ("[1", .truncated),
        ("1 2", .trailingBytes(offset: 2)),
        ("[-]", .malformedNumber(offset: 2)),
        (#"["\q"]"#, .malformedEscape(offset: 2)),
        ("[\"a\n\"]", .controlCharacter(offset: 3)),
    ])
    func `an error says where it is`(text: String, error: JSONError) {
        #expect(throws: error) { try JSONValue(jsonText: text) }
    }

    @Test(arguments: [
        (JSONValue.null, "null"), (.bool(true), "true"), (.bool(false), "false"),
        (.int(.min), "-9223372036854775808"), (.int(.max), "9223372036854775807"),
        (.double(0.1), "0.1"), (.double(1), "1.0"), (.double(1e300), "1e+300"),
        (.double(.leastNonzeroMagnitude), "5e-324"), (.double(-0.0), "-0.0"),
        (.string("/é🎉\u{7F}"), "\"/é🎉\u{7F}\""),
        (.string("\"\\\n\t\u{0}\u{1F}"), #""\"\\\n\u0009\u0000\u001f""#),
        (.array([]), "[]"), (.object([:]), "{}"), (.array([.array([]), .null]), "[[],null]"),
        (.object(["b": .int(1), "a": .object(["": .array([.int(1)])])]), #"{"a":{"":[1]},"b":1}"#),
    ])
    func `a value is spelled one way`(value: JSONValue, text: String) {
        #expect(value.jsonText == text)
    }

    @Test(arguments: 0..<20)
    func `every character is known in every place of a string`(place: Int) throws {
        for scalar in (UInt8(1)...0x80).map(Unicode.Scalar.init) {
            let before = String(repeating: "~", count: place)
            let text = before + String(scalar) + String(repeating: " ", count: 20 - place)
            let value = JSONValue.string(text)
            #expect(try JSONValue(jsonText: value.jsonText) == value)
            if scalar.value < 0x20 {
                #expect(throws: JSONError.controlCharacter(offset: place + 1)) {
                    try JSONValue(jsonText: "\"\(text)\"")
                }
            }
        }
    }

    private func randomValue(depth: Int, using random: inout SplitMix64) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .int(Int64(bitPattern: random.next()) >> Int64(random.next() % 64))
        case 3:
            let number = Double(bitPattern: random.next())
            return .double(number.isFinite ? number : 0.25)
        case 4, 5: return .string(randomText(using: &random))
        case 6:
            return .array(
                (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                    randomValue(depth: depth - 1, using: &random)
                })
        default:
            var members: [String: JSONValue] = [:]
            for _ in 0..<Int.random(in: 0..<20, using: &random) {
                members[randomText(using: &random)] = randomValue(depth: depth - 1, using: &random)
            }
            return .object(members)
        }
    }

    private func randomText(using random: inout SplitMix64) -> String {
        let pieces = ["a", "\"", "\\", "/", "\n", "\t", "\u{1}", "é", "e\u{301}", "€", "🎉", " "]
        return (0..<Int.random(in: 0..<8, using: &random)).map { _ in
            pieces.randomElement(using: &random) ?? ""
        }.joined()
    }

    @Test(arguments: UInt64(0)..<64)
    func `a random value comes back, by our reader and by Foundation's`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let value = randomValue(depth: 4, using: &random)
        #expect(try JSONValue(jsonText: value.jsonText) == value)
        let other = try JSONDecoder().decode(
            ForeignValue.self, from: Data(value.jsonText.utf8))
        // A whole number is a Double to one reader and an integer to the other.
        #expect(normalized(other.value) == normalized(value))
    }

    private func normalized(_ value: JSONValue) -> JSONValue {
        switch value {
        case .int(let number): .double(Double(number))
        case .array(let elements): .array(elements.map(normalized))
        case .object(let members): .object(members.mapValues(normalized))
        case .null, .bool, .double, .string: value
        }
    }

    @Test(arguments: UInt64(0)..<64)
    func `what we accept of a damaged text, Foundation accepts too`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let text = Array(randomValue(depth: 3, using: &random).jsonText.utf8)
        let alphabet = Array(#"{}[]",:\u0123456789eE+-.truefalsn "#.utf8)
        for _ in 0..<30 {
            var damaged = text
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let at = Int.random(in: 0...damaged.count, using: &random)
                if Bool.random(using: &random), at < damaged.count { damaged.remove(at: at) }
                if Bool.random(using: &random) {
                    damaged.insert(
                        alphabet.randomElement(using: &random) ?? 0, at: min(at, damaged.count))
                }
            }
            guard let valid = String(validating: damaged, as: UTF8.self),
                (try? JSONValue(jsonText: valid)) != nil
            else { continue }
            #expect(throws: Never.self, "\(valid)") {
                try JSONSerialization.jsonObject(with: Data(damaged), options: .fragmentsAllowed)
            }
        }
    }
}

/// Any value, as Foundation's reader sees it.
private struct ForeignValue: Decodable {
    let value: JSONValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let bool = try? container.decode(Bool.self) {
            value = .bool(bool)
        } else if let number = try? container.decode(Int64.self) {
            value = .int(number)
        } else if let number = try? container.decode(Double.self) {
            value = .double(number)
        } else if let text = try? container.decode(String.self) {
            value = .string(text)
        } else if let elements = try? container.decode([ForeignValue].self) {
            value = .array(elements.map(\.value))
        } else {
            value = .object(
                try container.decode([String: ForeignValue].self).mapValues(\.value))
        }
    }
}
