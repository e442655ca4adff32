// Command-line options by getopt_long(3), as values. getopt keeps its state in globals and prints
// its errors itself; both end here: one function, one lock, and errors as a type.

import CLinux
import Glibc
import Synchronization

/// One option that a program knows.
package struct OptionSpecification: Sendable, Equatable {
    /// Without the dashes: "socket".
    package let long: String
    /// One ASCII letter, or none.
    package let short: Character?
    /// What the value is called in the help text, "PATH"; nil for an option without a value.
    package let value: String?

    package init(_ long: String, short: Character? = nil, value: String? = nil) {
        precondition(short.map { $0.isASCII && ($0.isLetter || $0.isNumber) } ?? true)
        self.long = long
        self.short = short
        self.value = value
    }
}

/// A command line taken apart.
package struct ParsedOptions: Equatable, Sendable {
    package struct Occurrence: Equatable, Sendable {
        /// The long name, however it was written.
        package let name: String
        package let value: String?
    }

    /// In the order in which they were given.
    package let occurrences: [Occurrence]
    /// Everything that is no option, in order; after "--" all of it.
    package let operands: [String]

    package func contains(_ name: String) -> Bool { occurrences.contains { $0.name == name } }

    /// The value of the last occurrence: the later one wins, so that an alias can be overridden.
    package func value(of name: String) -> String? {
        occurrences.last { $0.name == name }?.value
    }
}

/// What is wrong with a command line.
package enum OptionError: Error, Equatable, Sendable {
    case unknown(String)
    case ambiguous(String, candidates: [String])
    case missingValue(option: String, value: String)
    case unexpectedValue(option: String)
    /// The option, or the argument by its number, whose bytes are no UTF-8.
    case notText(String)
}

extension OptionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknown(let option):
            "unknown option \(option)"
        case .ambiguous(let option, let candidates):
            "option \(option) is ambiguous: \(candidates.joined(separator: ", "))"
        case .missingValue(let option, let value):
            "option \(option) needs a value: \(option) \(value)"
        case .unexpectedValue(let option):
            "option \(option) takes no value"
        case .notText(let what):
            "\(what) is not UTF-8"
        }
    }
}

/// The parser; it has no state of its own.
package enum OptionParser {
    /// getopt's globals belong to whoever holds this.
    private static let lock = Mutex<Void>(())
    /// Codes of options without a letter start above every letter.
    private static let firstCode: Int32 = 256

    /// Takes `arguments` (without the program's name) apart. Options and operands may be mixed; a
    /// long option may be shortened as long as it is unique; "--name=value" and "--name value".
    package static func parse(
        _ arguments: [String], options: [OptionSpecification]
    ) throws(OptionError) -> ParsedOptions {
        let result: Result<ParsedOptions, OptionError> = lock.withLock { _ in
            // getopt moves operands behind the options in this array, so the strings are copies
            // that it may permute, and freed after.
            var pointers: [UnsafeMutablePointer<CChar>?] = unsafe (["schedd"] + arguments).map {
                unsafe strdup($0)
            }
            let copies = unsafe pointers
            defer { unsafe copies.forEach { unsafe free($0) } }
            unsafe pointers.append(nil)
            return unsafe scan(&pointers, options: options)
        }
        return try result.get()
    }

    private static func scan(
        _ pointers: inout [UnsafeMutablePointer<CChar>?], options: [OptionSpecification]
    ) -> Result<ParsedOptions, OptionError> {
        let count = unsafe Int32(pointers.count - 1)
        // A leading ":" tells a missing value from an unknown option.
        var letters = ":"
        for option in options {
            guard let short = option.short else { continue }
            letters += option.value == nil ? "\(short)" : "\(short):"
        }
        let names = unsafe options.map { unsafe strdup($0.long) }
        defer { unsafe names.forEach { unsafe free($0) } }
        var table: [CLinux.option] = unsafe []
        for (index, specification) in options.enumerated() {
            unsafe table.append(
                CLinux.option(
                    name: UnsafePointer(names[index]), has_arg: specification.value == nil ? 0 : 1,
                    flag: nil, val: firstCode + Int32(index)))
        }
        unsafe table.append(CLinux.option())
        unsafe getopt_index = 0  // glibc: start anew, forgetting any earlier scan
        unsafe getopt_prints_errors = 0
        var occurrences: [ParsedOptions.Occurrence] = []
        while true {
            let code = unsafe getopt_long(count, &pointers, letters, table, nil)
            switch code {
            case -1:
                let operands = unsafe pointers[Int(getopt_index)..<Int(count)].compactMap {
                    unsafe $0.map { unsafe String(cString: $0) }
                }
                return .success(ParsedOptions(occurrences: occurrences, operands: operands))
            case Int32(UInt8(ascii: "?")), Int32(UInt8(ascii: ":")):
                let argument = unsafe pointers[Int(getopt_index) - 1].map {
                    unsafe String(cString: $0)
                }
                return .failure(
                    failure(
                        code: unsafe getopt_option, isMissing: code == Int32(UInt8(ascii: ":")),
                        argument: argument ?? "", options: options))
            default:
                guard let found = specification(code, in: options) else { continue }
                let value = unsafe getopt_argument.map { unsafe String(cString: $0) }
                occurrences.append(.init(name: found.long, value: value))
            }
        }
    }

    /// getopt's `optopt` holds the option's code, or an unknown letter, or 0 for an unknown name.
    private static func failure(
        code: Int32, isMissing: Bool, argument: String, options: [OptionSpecification]
    ) -> OptionError {
        if let option = specification(code, in: options) {
            let spelled = code < firstCode ? "-\(option.short ?? "?")" : "--\(option.long)"
            if isMissing {
                return .missingValue(option: spelled, value: option.value ?? "VALUE")
            }
            return .unexpectedValue(option: spelled)
        }
        if code > 0, let letter = UInt8(exactly: code) {
            return .unknown("-\(Character(Unicode.Scalar(letter)))")
        }
        let written = String(argument.prefix { $0 != "=" })
        let candidates = options.map { "--\($0.long)" }.filter { $0.hasPrefix(written) }
        return candidates.count > 1
            ? .ambiguous(written, candidates: candidates) : .unknown(written)
    }

    private static func specification(
        _ code: Int32, in options: [OptionSpecification]
    ) -> OptionSpecification? {
        if code >= firstCode {
            let index = Int(code - firstCode)
            return index < options.count ? options[index] : nil
        }
        return options.first { $0.short?.asciiValue.map(Int32.init) == code }
    }
}
