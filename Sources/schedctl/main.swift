// schedctl: schedd from a terminal. Reads the world once, understands the command line, runs it,
// and turns what went wrong into a message and an exit code: 0 done, 1 failed, 2 wrong usage.

import Glibc
import Platform
import SchedulerInterface

let world = ProcessWorld()
do {
    switch try Invocation(words: OptionParser.processWords, time: world.time) {
    case .overview:
        try world.output(HelpText.overview(of: Invocation.commands.map { $0.description }))
    case .help(let command):
        try world.output(HelpText.page(of: command))
    case .version:
        try world.output("schedctl \(SchedulerVersion.text)\n")
    case .run(let command, let globals):
        try command.run(world.session(globals))
    }
} catch let error as UsageError {
    world.notes(error.text)
    exit(2)
} catch let error as Failure {
    world.fail(error)
    exit(1)
} catch {
    preconditionFailure("nothing else is thrown: \(error)")
}
