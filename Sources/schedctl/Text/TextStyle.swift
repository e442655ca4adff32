// Colour, sparingly: only on a terminal, and never where NO_COLOR is set (https://no-color.org).

/// Whether and how text is emphasised.
package struct TextStyle: Equatable, Sendable {
    package var isColoured: Bool

    package init(isColoured: Bool) {
        self.isColoured = isColoured
    }

    package static let plain = TextStyle(isColoured: false)

    /// The style for a stream: coloured on a terminal that is not dumb, unless NO_COLOR has a
    /// value.
    package init(isTerminal: Bool, environment: (String) -> String?) {
        let isRefused = environment("NO_COLOR").map { !$0.isEmpty } ?? false
        isColoured = isTerminal && !isRefused && environment("TERM") != "dumb"
    }

    package func bold(_ text: String) -> String { wrap(text, "1") }
    package func red(_ text: String) -> String { wrap(text, "31") }
    package func yellow(_ text: String) -> String { wrap(text, "33") }
    package func green(_ text: String) -> String { wrap(text, "32") }

    private func wrap(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
