// Options whose value is one of a few words.

package import Platform

extension ParsedOptions {
    /// The choice that the option names; nil when it is absent.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(UsageError) -> Choice? {
        guard let text = value(of: name) else { return nil }
        return try Self.choice(text, name, of: type)
    }

    /// The choice that `text`, the value of the option, names.
    static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ text: String, _ name: String, of type: Choice.Type
    ) throws(UsageError) -> Choice {
        if let choice = Choice(rawValue: text) { return choice }
        let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("--\(name): '\(EscapedText.line(text))' is none of \(choices)")
    }
}
