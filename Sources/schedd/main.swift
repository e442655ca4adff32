// The daemon's executable: reads the command line and the environment, starts the daemon, and turns
// every reason not to start into one line and an exit status.

import Dispatch
import Platform
import SchedulerInterface
import Service

let journal = Journal(identifier: "schedd")

/// Says why schedd does not run, and ends with 1, or 2 for a wrong command line.
func fail(_ message: String, status: Int32 = 1) -> Never {
    journal.log(.error, "schedd: \(message)")
    leave(status)
}

func configuration(_ options: ParsedOptions) -> Configuration {
    do throws(DirectoryError) {
        var socketPath = options.value(of: "socket")
        if socketPath == nil {
            let socket = try UserDirectories.socket()
            if let warning = socket.warning { journal.log(.warning, warning) }
            socketPath = socket.path
        }
        var stateDirectory = options.value(of: "state-dir")
        if stateDirectory == nil { stateDirectory = try UserDirectories.state() }
        return Configuration(
            socketPath: socketPath ?? "", stateDirectory: stateDirectory ?? "",
            zoneDirectory: options.value(of: "zoneinfo"),
            localtimeFile: options.value(of: "localtime"),
            zoneCheckSeconds: zoneCheckSeconds(options))
    } catch {
        fail("\(error)")
    }
}

func zoneCheckSeconds(_ options: ParsedOptions) -> Int {
    guard let text = options.value(of: "zone-check") else {
        return Configuration.usualZoneCheckSeconds
    }
    let range = Configuration.zoneCheckSecondsRange
    guard let seconds = Int(text), range.contains(seconds) else {
        fail(
            "--zone-check takes \(range.lowerBound) to \(range.upperBound) seconds, but was given "
                + "\"\(text)\"; see schedd --help", status: 2)
    }
    return seconds
}

func parse(_ words: [[UInt8]]) -> ParsedOptions {
    do throws(OptionError) {
        let arguments = try OptionParser.text(of: words, options: Usage.options)
        return try OptionParser.parse(arguments, options: Usage.options)
    } catch {
        fail("\(error); see schedd --help", status: 2)
    }
}

func passedListener() -> UnixListener? {
    do throws(ListenError) {
        return try ListenFileDescriptors.adopt()
    } catch {
        fail("\(error)")
    }
}

let options = parse(OptionParser.processWords)
if options.contains("help") { Usage.print(Usage.text) }
if options.contains("version") { Usage.print("schedd \(SchedulerVersion.text)\n") }
if let operand = options.operands.first {
    fail("takes no operands, but was given \"\(operand)\"; see schedd --help", status: 2)
}

Heap.shareOneArena()
SignalSource.ignoreBrokenPipes()
let notifier = ServiceNotifier()
let passed = passedListener()
do throws(StartFailure) {
    let daemon = try Daemon.prepare(
        configuration(options), journal: journal, notifier: notifier, passed: passed)
    try daemon.start()
    withExtendedLifetime(daemon) { dispatchMain() }
} catch {
    fail("\(error)")
}
