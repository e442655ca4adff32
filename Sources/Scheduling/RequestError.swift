// Why a call is refused. Every case leaves the queue as it was.

package import CivilTime

/// A caller's mistake, with what a program needs to act on it. `field` is the path in the call,
/// such as `requests[0].trigger.date.atUsec`.
package enum RequestError: Error, Equatable, Sendable {
    /// `identifiers` are those of the batch that found no room.
    case queueFull(app: String, limit: Int, pending: Int, identifiers: [String])
    case invalid(field: String, reason: String)
    case neverFires(field: String, reason: String)
    case inPast(field: String, at: WallInstant, now: WallInstant)
    /// Size and limit are bytes of UTF-8, or elements of a list.
    case tooLarge(field: String, size: Int, limit: Int)
}
