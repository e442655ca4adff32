// From the words of a command line to a typed command. Pure: the clock, the zones and the
// environment come in as a `TimeContext`; nothing is printed, nothing is called.

package import Platform

/// A command that is understood and checked, ready to run.
package protocol Subcommand: Sendable {
    static var description: CommandDescription { get }
    /// Checks the options and operands; errors need not name the command.
    init(_ arguments: CommandArguments, _ time: TimeContext) throws(UsageError)
    /// Talks to schedd and prints; throws what the user is to be told.
    func run(_ session: Session) throws(Failure)
}

/// What a command was given, after the parser has split it.
package struct CommandArguments: Sendable {
    package var globals: GlobalOptions
    package var options: ParsedOptions

    package var operands: [String] { options.operands }

    /// How what schedd refuses is named: as the option that asked for it.
    package var naming: FieldNaming { .options(given: Set(options.occurrences.map(\.name))) }

    /// Refuses operands of a command that takes none.
    package func refuseOperands() throws(UsageError) {
        guard let first = operands.first else { return }
        throw UsageError("unexpected argument '\(EscapedText.line(first))'")
    }
}

/// What a command line asks for.
package enum Invocation: Sendable {
    case overview
    case help(CommandDescription)
    case version
    case run(any Subcommand, GlobalOptions)

    /// All commands, in the order of the help.
    package static let commands: [any Subcommand.Type] = [
        AddCommand.self, NextCommand.self, ListCommand.self, ShowCommand.self, RemoveCommand.self,
        DeliveredCommand.self, DismissCommand.self, MissedCommand.self, WatchCommand.self,
        StatusCommand.self, ExportCommand.self, ImportCommand.self,
    ]

    /// Reads a command line, as the process got it, without the program's name.
    package init(words: [[UInt8]], time: TimeContext) throws(UsageError) {
        let options = GlobalOptions.options + Self.commands.flatMap { $0.description.options }
        let arguments: [String]
        do throws(OptionError) {
            arguments = try OptionParser.text(of: words, options: Self.specifications(options))
        } catch {
            throw UsageError(EscapedText.line(error.description))
        }
        try self.init(arguments: arguments, time: time)
    }

    /// Reads a command line without the program's name.
    package init(arguments: [String], time: TimeContext) throws(UsageError) {
        guard let index = Self.commandIndex(in: arguments) else {
            self = try Self.withoutCommand(arguments)
            return
        }
        let name = arguments[index]
        var rest = arguments
        rest.remove(at: index)
        if name == "help" {
            self = try Self.helpTopic(rest)
            return
        }
        let command = try Self.command(named: name)
        do throws(UsageError) {
            self = try Self.read(rest, for: command, time)
        } catch {
            throw error.of(command: name)
        }
    }

    private static func read(
        _ arguments: [String], for command: any Subcommand.Type, _ time: TimeContext
    ) throws(UsageError) -> Invocation {
        let options = try parse(arguments, command.description.options)
        if options.contains("help") { return .help(command.description) }
        if options.contains("version") { return .version }
        let given = CommandArguments(globals: try GlobalOptions(options), options: options)
        return .run(try command.init(given, time), given.globals)
    }

    private static func withoutCommand(_ arguments: [String]) throws(UsageError) -> Invocation {
        let options = try parse(arguments, [])
        if options.contains("help") { return .overview }
        if options.contains("version") { return .version }
        throw UsageError("a command is missing, such as add, list or status")
    }

    private static func helpTopic(_ arguments: [String]) throws(UsageError) -> Invocation {
        let operands = try parse(arguments, []).operands
        guard let topic = operands.first else { return .overview }
        if operands.count > 1 {
            throw UsageError("unexpected argument '\(EscapedText.line(operands[1]))'")
        }
        if topic == "help" { return .overview }
        return .help(try command(named: topic).description)
    }

    /// Where the command's name is: the first word that is no option and no option's value.
    private static func commandIndex(in arguments: [String]) -> Int? {
        let withValue = GlobalOptions.options.filter { $0.value != nil }.map { "--\($0.name)" }
        var index = 0
        while index < arguments.count {
            let word = arguments[index]
            if !word.hasPrefix("-") { return index }
            // A long name may be shortened; "--socket=PATH" brings its value along.
            let takesNext = word.count > 2 && withValue.contains { $0.hasPrefix(word) }
            index += takesNext ? 2 : 1
        }
        return nil
    }

    private static func command(named name: String) throws(UsageError) -> any Subcommand.Type {
        if let found = commands.first(where: { $0.description.name == name }) { return found }
        let names = commands.map { $0.description.name }.joined(separator: ", ")
        throw UsageError("there is no command '\(EscapedText.line(name))'; there are \(names)")
    }

    private static func parse(
        _ arguments: [String], _ own: [OptionDescription]
    ) throws(UsageError) -> ParsedOptions {
        do throws(OptionError) {
            return try OptionParser.parse(
                arguments, options: specifications(own + GlobalOptions.options))
        } catch {
            throw UsageError(EscapedText.line(error.description))
        }
    }

    private static func specifications(_ options: [OptionDescription]) -> [OptionSpecification] {
        options.map { OptionSpecification($0.name, short: $0.short, value: $0.value) }
    }
}
