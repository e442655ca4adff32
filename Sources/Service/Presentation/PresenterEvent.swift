// The language between the pure Presenter and the bus: what has happened, and what to do about it.
// Every instant is in microseconds of the boot-time clock.

/// Something that has happened on the bus, at the server, or in the daemon.
package enum PresenterEvent: Sendable, Equatable {
    /// The daemon is up; the bus may be looked for before anything is to be shown.
    case started
    case present(Presentation)
    case withdraw(deliveryID: Int64)
    case busConnected
    case busLost(reason: String)
    /// The name `org.freedesktop.Notifications` is owned by this unique bus name now.
    case serverAppeared(name: String)
    case serverVanished
    /// The bus has started a server, or says that it was running.
    case serverStarted
    case serverStartFailed(errorName: String)
    case capabilitiesReceived(server: String, Set<String>)
    /// The server answered GetCapabilities with an error.
    case capabilitiesFailed(server: String, errorName: String)
    case notifyReturned(call: UInt64, serverID: UInt32)
    case notifyFailed(call: UInt64, errorName: String)
    /// `reason` is the number as the server sent it.
    case closed(server: String, serverID: UInt32, reason: UInt32)
    case actionInvoked(server: String, serverID: UInt32, actionKey: String)
    case timerFired
}

/// What the owner of the bus connection has to do, in this order.
package enum PresenterAction: Sendable, Equatable {
    /// Open the bus; the answer is `busConnected` (then `serverAppeared` if there is one) or
    /// `busLost`.
    case connect
    /// Drop the connection without a `busLost`.
    case disconnect
    case startServer
    case queryCapabilities(server: String)
    /// `call` names this call in its answer; a server may get several for one delivery.
    case notify(call: UInt64, server: String, NotificationCall)
    case closeNotification(server: String, serverID: UInt32)
    case report(PresenterReport)
    /// Replaces the one timer; nil stops it.
    case armTimer(until: Int64?)
}

/// The presenter's waits; tests shorten those that they have to sit through.
package struct PresenterTiming: Sendable, Equatable {
    /// How long a bus may take from the connection to the answer about the server's name.
    package var connectTimeoutUsec: Int64 = 10_000_000
    /// First and longest pause between two attempts to reach the bus while something waits. A
    /// second at most, so that what waits is shown within two seconds of a whole desktop's
    /// arrival.
    package var connectRetryUsec: ClosedRange<Int64> = 250_000...1_000_000
    /// How long a server may take to answer a call.
    package var answerTimeoutUsec: Int64 = 10_000_000
    /// How often a server is asked for its capabilities, or given one delivery, without answering.
    /// That delivery is kept for another server then, or for a late answer.
    package var answerTries = 3
    /// After so many unanswered calls in a row, all tries of one delivery and one of the next, it
    /// is not the delivery: the server is left alone until it answers, or another one comes.
    var notifyTries: Int { answerTries + 1 }
    /// First and longest pause after a refused or unanswered call; doubles in between. A second at
    /// least: Plasma refuses what looks like a repetition for that long.
    package var retryUsec: ClosedRange<Int64> = 1_000_000...60_000_000
    /// After so many refusals a delivery lets the others pass.
    package var refusalsInOrder = 3
    /// How long after it left the screen an answer to a notification still counts.
    package var lateAnswerUsec: Int64 = 5_000_000

    package init() {}

    /// `range.lowerBound` for the first failure in a row, doubling up to `range.upperBound`.
    static func pause(failures: Int, in range: ClosedRange<Int64>) -> Int64 {
        // 20 doublings of any pause that is worth having are beyond every upper bound here.
        let doublings = min(max(failures - 1, 0), 20)
        return min(range.lowerBound << Int64(doublings), range.upperBound)
    }
}
