// What a command is called, takes and does, as data: the parser and the help read the same table,
// so that they cannot disagree.

/// One option of a command.
package struct OptionDescription: Equatable, Sendable {
    /// Without the dashes.
    package var name: String
    package var short: Character?
    /// What the value is called in the help; nil for an option without one.
    package var value: String?
    /// One or more lines.
    package var help: String

    package init(_ name: String, short: Character? = nil, value: String? = nil, help: String) {
        self.name = name
        self.short = short
        self.value = value
        self.help = help
    }
}

/// Options that belong together in the help.
package struct OptionGroup: Equatable, Sendable {
    package var title: String
    package var options: [OptionDescription]

    package init(_ title: String, _ options: [OptionDescription]) {
        self.title = title
        self.options = options
    }
}

/// One command of schedctl.
package struct CommandDescription: Equatable, Sendable {
    package var name: String
    /// What follows the name in the usage line, such as `ID... | --all`.
    package var usage: String
    /// One line for the list of commands, in the imperative, without a full stop.
    package var summary: String
    /// What one has to know before using it, in lines of at most 78 columns.
    package var discussion: String
    package var groups: [OptionGroup]
    /// Command lines with what they do.
    package var examples: [Example]

    /// A command line that can be typed as it stands.
    package struct Example: Equatable, Sendable {
        package var line: String
        package var meaning: String

        package init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    package init(
        name: String, usage: String = "", summary: String, discussion: String,
        groups: [OptionGroup] = [], examples: [Example] = []
    ) {
        self.name = name
        self.usage = usage
        self.summary = summary
        self.discussion = discussion
        self.groups = groups
        self.examples = examples
    }

    /// The command's own options, without the global ones.
    package var options: [OptionDescription] { groups.flatMap(\.options) }
}
