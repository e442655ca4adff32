// The words of a command line as text. Linux passes bytes, and repairing what is no UTF-8 would
// make two words into one: two identifiers the same, or another file's path.

import Glibc

extension OptionParser {
    /// What this process was called with, without the program's name, as it was passed.
    package static var processWords: [[UInt8]] {
        (0..<Int(CommandLine.argc)).dropFirst().compactMap { index in
            guard let word = unsafe CommandLine.unsafeArgv[index] else { return nil }
            return unsafe (0..<strlen(word)).map { unsafe UInt8(bitPattern: word[$0]) }
        }
    }

    /// The words as text. The error names the option that has one that is none; `options` tells
    /// which of them take the next word as their value.
    package static func text(
        of words: [[UInt8]], options: [OptionSpecification]
    ) throws(OptionError) -> [String] {
        var texts: [String] = []
        /// The option whose value the next word is.
        var pending: String?
        var hasOnlyOperands = false
        for (index, word) in words.enumerated() {
            guard let text = String(validating: word, as: UTF8.self) else {
                let option = pending ?? (hasOnlyOperands ? nil : option(inside: word, options))
                throw .notText(option ?? "argument \(index + 1)")
            }
            texts.append(text)
            if pending != nil {
                pending = nil
            } else if text == "--" {
                hasOnlyOperands = true
            } else if !hasOnlyOperands {
                pending = optionWaiting(after: text, options)
            }
        }
        return texts
    }

    /// "--id" of `--id=VALUE`, "-n" of `-nVALUE`; the value is not text.
    private static func option(inside word: [UInt8], _ options: [OptionSpecification]) -> String? {
        guard word.first == UInt8(ascii: "-") else { return nil }
        if word.starts(with: "--".utf8) {
            return String(validating: word.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
        }
        let letters = word.dropFirst().prefix { $0 < 0x80 }
        return options.first { option in
            option.value != nil && letters.contains { $0 == option.short?.asciiValue }
        }.map { "-\($0.short ?? "?")" }
    }

    /// "--id" after `--id` or a shortened `--i`, "-n" after `-n`: the next word is its value.
    private static func optionWaiting(
        after text: String, _ options: [OptionSpecification]
    ) -> String? {
        let takers = options.filter { $0.value != nil }
        if text.hasPrefix("--") {
            let name = text.dropFirst(2)
            if options.contains(where: { $0.long == name && $0.value == nil }) { return nil }
            let found = takers.first { $0.long == name } ?? takers.first { $0.long.hasPrefix(name) }
            return found.map { "--\($0.long)" }
        }
        guard text.hasPrefix("-"), let letter = text.dropFirst().last else { return nil }
        return takers.contains { $0.short == letter } ? "-\(letter)" : nil
    }
}
