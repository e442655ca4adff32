// The real world of a run: this process's streams, environment, clock and zone files. The only file
// of schedctl besides main that touches any of them.

import CivilTime
import Glibc
import Platform

/// This process's surroundings, read once.
struct ProcessWorld {
    let environment = Environment.process
    let time: TimeContext
    private let errorStyle: TextStyle

    init() {
        let zones = UserZones(Environment.process)
        time = TimeContext(
            now: WallInstant(microseconds: Clock.wallMicroseconds()), zone: zones.local,
            namedZone: { name throws(UsageError) in try zones.zone(named: name) })
        errorStyle = TextStyle(
            isTerminal: StandardStream.error.isTerminal, environment: { Environment.process[$0] })
        if let warning = zones.warning { note("schedctl: \(warning)\n") }
    }

    func session(_ globals: GlobalOptions) -> Session {
        let output = StandardStream.output
        return Session(
            globals: globals, environment: environment, time: time,
            style: TextStyle(
                isTerminal: output.isTerminal, environment: { Environment.process[$0] }),
            width: output.isTerminal ? output.terminalColumns : nil,
            output: { text throws(Failure) in try write(text) }, notes: note)
    }

    func output(_ text: String) throws(Failure) { try write(text) }

    func notes(_ text: String) { note(text) }

    /// The message of a failure, each of its lines under the program's name.
    func fail(_ failure: Failure) {
        note(errorStyle.red("schedctl:") + " \(failure.message)\n")
    }
}

private func write(_ text: String) throws(Failure) {
    do throws(Errno) {
        try StandardStream.output.write(text)
    } catch {
        throw Failure("writing to standard output: \(error)")
    }
}

/// Notes are for people; where standard error is closed there is nobody to tell.
private func note(_ text: String) {
    try? StandardStream.error.write(text)
}
