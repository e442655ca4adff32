// The text of --help, built from the descriptions. It fits 80 columns and teaches by examples.

/// Renders help pages; both end in a newline.
package enum HelpText {
    /// The page of one command.
    package static func page(of command: CommandDescription) -> String {
        var lines = ["Usage: schedctl \(command.name) \(command.usage)".trimmedEnd]
        lines += ["", command.discussion]
        for group in command.groups + [OptionGroup("Global options", GlobalOptions.options)] {
            lines += ["", "\(group.title):"]
            lines += optionLines(group.options)
        }
        if !command.examples.isEmpty {
            lines += ["", "Examples:"]
            for example in command.examples {
                lines += ["  \(example.line)", "      \(example.meaning)"]
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The page of the program.
    package static func overview(of commands: [CommandDescription]) -> String {
        let width = commands.map(\.name.count).max() ?? 0
        var lines = [
            "Usage: schedctl [OPTIONS] COMMAND [ARGUMENTS]",
            "",
            "Schedules notifications and shows what is scheduled. The work is done by schedd;",
            "schedctl talks to it over a socket.",
            "",
            "Commands:",
        ]
        lines += commands.map {
            "  \($0.name.padded(to: width))  \($0.summary)"
        }
        lines += ["", "Global options, before or after the command:"]
        lines += optionLines(GlobalOptions.options)
        lines += [
            "",
            "'schedctl help COMMAND' or 'schedctl COMMAND --help' explains a command.",
            "",
            "Examples:",
            "  schedctl add --in 20m --title Tea",
            "  schedctl add --on 'Mon..Fri 09:00' --title Stand-up",
            "  schedctl list",
            "",
            "Exit codes: 0 done, 1 schedd refused or cannot be reached, 2 wrong usage.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static let indent = 25

    private static func optionLines(_ options: [OptionDescription]) -> [String] {
        options.flatMap { option -> [String] in
            let short = option.short.map { "-\($0), " } ?? "    "
            let value = option.value.map { " \($0)" } ?? ""
            let head = "  \(short)--\(option.name)\(value)"
            let help = option.help.split(separator: "\n", omittingEmptySubsequences: false)
            let tail = help.map { String(repeating: " ", count: indent) + $0 }
            guard let first = help.first, head.count + 2 <= indent else { return [head] + tail }
            return [head.padded(to: indent) + first] + tail.dropFirst()
        }
    }
}

extension String {
    /// With spaces at the end, up to a number of ASCII characters.
    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// Without spaces at the end.
    package var trimmedEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
