// Everything that a client controls has its limit here, once, under a name. The interface text and
// the README give the same numbers.

/// The limits of the queue and of what is in it. Sizes are bytes of UTF-8.
package enum Limits {
    package static let pendingPerApp = 64
    /// What may wait behind the 64, when the app asks for it.
    package static let backlogPerApp = 10_000
    /// Of those that were shown.
    package static let deliveredPerApp = 256
    /// Delivered ones that no notification server has taken yet.
    package static let waitingPerApp = 10_000
    package static let missedPerApp = 256
    package static let requestsPerBatch = 1_024
    package static let appBytes = 255
    package static let identifierBytes = 1_024
    package static let titleBytes = 1_024
    package static let subtitleBytes = 1_024
    package static let bodyBytes = 16_384
    package static let userInfoBytes = 16_384
    /// Containers in each other: half of what a message may have, so that it fits into every one.
    package static let userInfoDepth = 32

    /// 100 years of 365.25 days, in microseconds: the longest interval and lateness limit.
    package static let spanMicroseconds: Int64 = 36_525 * 86_400 * 1_000_000
    /// A repeating interval is at least a minute long.
    package static let repeatingIntervalMicroseconds: Int64 = 60_000_000
    /// The year 9999 ends here: no request names a later instant.
    package static let latestWallMicroseconds: Int64 = 253_402_300_799_999_999
    /// The largest `maxCount`: so many occurrences can be counted within a second.
    package static let occurrenceCount = 1_000_000

    /// A delivery that fires at most this long after its due time is on time: what is later was
    /// missed because the daemon was not running or the machine slept.
    package static let promptMicroseconds: Int64 = 1_000_000
    /// Late deliveries of one app that may come to the screen within a second.
    package static let lateDeliveriesPerSecond = 5
    /// Counting missed occurrences one by one stops here; the count given is then this number.
    package static let countedMissed = 10_000
}
