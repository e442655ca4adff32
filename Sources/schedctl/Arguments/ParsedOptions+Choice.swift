// Options whose value is one of a few words.

package import Platform

extension ParsedOptions {
    /// The choice that the option names; nil when it is absent.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(UsageError) -> Choice? {
        guard let text = value(of: name) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("--\(name): '\(EscapedText.line(text))' is none of \(choices)")
    }
}
