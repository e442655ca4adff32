// The Notify calls that a server has not answered. One is current; the others took too long and
// were given up, but their answers may still come and then say what is on the screen.

/// Unanswered calls, by the token that their answer will carry.
struct NotifyCalls: Sendable {
    struct Call: Sendable {
        let token: UInt64
        let item: WaitingLine.Item
        /// The delivery whose number was given as the one to replace.
        let replaced: Int64?
        let deadline: Int64
        /// Closed as soon as it is known to be shown.
        var isWithdrawn = false
        /// A newer delivery has taken its place and waits.
        var isSuperseded = false
        /// An earlier call for the same delivery has been answered meanwhile.
        var isDuplicate = false

        /// Whether it is to be tried again if this call comes to nothing.
        var isWanted: Bool { !isWithdrawn && !isSuperseded && !isDuplicate }
    }

    /// Answers that never came are forgotten beyond this number, the oldest first.
    static let overdueLimit = 16

    private(set) var current: Call?
    private var overdue: [Call] = []
    private var nextToken: UInt64 = 1

    var isEmpty: Bool { current == nil && overdue.isEmpty }

    mutating func begin(_ item: WaitingLine.Item, replacing replaced: Int64?, until deadline: Int64)
        -> UInt64
    {
        precondition(current == nil, "one Notify is unanswered at a time")
        let token = nextToken
        nextToken += 1
        current = Call(token: token, item: item, replaced: replaced, deadline: deadline)
        return token
    }

    /// The call that an answer belongs to, which ends it; nil for one of an earlier server.
    mutating func end(_ token: UInt64) -> (call: Call, wasCurrent: Bool)? {
        if let call = current, call.token == token {
            current = nil
            return (call, true)
        }
        guard let index = overdue.firstIndex(where: { $0.token == token }) else { return nil }
        return (overdue.remove(at: index), false)
    }

    /// The current call if its time is over; its late answer will still be recognised.
    mutating func takeOverdue(at now: Int64) -> Call? {
        guard let call = current, now >= call.deadline else { return nil }
        current = nil
        overdue.append(call)
        overdue.removeFirst(max(overdue.count - Self.overdueLimit, 0))
        return call
    }

    /// Ends all calls, as no answer can come any more; returns the current one.
    mutating func dropAll() -> Call? {
        defer {
            current = nil
            overdue = []
        }
        return current
    }

    mutating func withdraw(_ deliveryID: Int64) {
        mark(deliveryID) { $0.isWithdrawn = true }
    }

    mutating func supersede(_ deliveryID: Int64) {
        mark(deliveryID) { $0.isSuperseded = true }
    }

    /// Whether the current call is for this delivery, which an earlier call has shown already.
    mutating func markDuplicate(_ deliveryID: Int64) -> Bool {
        guard current?.item.presentation.deliveryID == deliveryID else { return false }
        current?.isDuplicate = true
        return true
    }

    private mutating func mark(_ deliveryID: Int64, _ change: (inout Call) -> Void) {
        if current?.item.presentation.deliveryID == deliveryID {
            current.map { call in
                var call = call
                change(&call)
                current = call
            }
        }
        for index in overdue.indices
        where overdue[index].item.presentation.deliveryID == deliveryID {
            change(&overdue[index])
        }
    }
}
