// What a user typed wrong. It says what is wrong and what is allowed, and where to read more; it
// never prints the whole help, which would push the reason off the screen.

/// A command line that cannot be understood; schedctl ends with exit code 2.
package struct UsageError: Error, Equatable, Sendable {
    /// What is wrong, without a full stop and without the program's name.
    package var message: String
    /// The command that was meant, as far as it was understood.
    package var command: String?

    package init(_ message: String, command: String? = nil) {
        self.message = message
        self.command = command
    }

    /// The lines for standard error.
    package var text: String {
        let topic = command.map { "schedctl \($0)" } ?? "schedctl"
        return "schedctl: \(message)\nTry '\(topic) --help'.\n"
    }

    /// The same error, said of a command unless it already names one.
    package func of(command name: String) -> UsageError {
        UsageError(message, command: command ?? name)
    }
}
