// Which notification of the current server is which delivery, and what its signals mean. The
// numbers are worth nothing at another server, so the whole value is dropped when the server goes.
// Nothing in here waits for a signal that may never come: what has left the screen is forgotten
// after a moment.

/// The deliveries on the screen of one server.
struct Screen: Sendable {
    /// What a server says about one of its numbers.
    enum Signal: Sendable, Equatable {
        case closed(CloseReason)
        case actionInvoked(key: String)
    }

    /// A delivery that has just left the screen; the user's answer may still be under way.
    private struct Departed: Sendable {
        let serverID: UInt32
        let deliveryID: Int64
        let at: Int64
        var isCloseReported: Bool
        var isAnswered: Bool
    }

    /// More than anyone can click away in the few seconds that such an entry lives.
    static let departedLimit = 256
    /// Signals kept for numbers that no Notify has returned yet; a broadcasting server sends those
    /// of all other programs too, so the oldest give way.
    static let earlyLimit = 64

    private let lateAnswerUsec: Int64
    private var serverIDs: [Int64: UInt32] = [:]
    private var deliveryIDs: [UInt32: Int64] = [:]
    private var departed: [Departed] = []
    private var early: [(serverID: UInt32, signal: Signal)] = []

    init(lateAnswerUsec: Int64) {
        self.lateAnswerUsec = lateAnswerUsec
    }

    func serverID(of deliveryID: Int64) -> UInt32? {
        serverIDs[deliveryID]
    }

    func shows(_ serverID: UInt32) -> Bool {
        deliveryIDs[serverID] != nil
    }

    /// The server has taken a delivery under this number; returns what it said about it before.
    mutating func place(_ deliveryID: Int64, as serverID: UInt32) -> [Signal] {
        if let earlier = deliveryIDs[serverID] {
            serverIDs[earlier] = nil
        }
        if let earlier = serverIDs[deliveryID] {
            deliveryIDs[earlier] = nil
        }
        departed.removeAll { $0.serverID == serverID }
        serverIDs[deliveryID] = serverID
        deliveryIDs[serverID] = deliveryID
        let signals = early.filter { $0.serverID == serverID }.map(\.signal)
        early.removeAll { $0.serverID == serverID }
        return signals
    }

    /// No Notify is unanswered any more, so no number can turn out to be ours.
    mutating func forgetEarlySignals() {
        early.removeAll()
    }

    /// Takes a delivery off the record because we close it; returns the number to close.
    mutating func withdraw(_ deliveryID: Int64, at now: Int64) -> UInt32? {
        depart(deliveryID, at: now, isCloseReported: false, isAnswered: false)
    }

    /// As `withdraw`, for one whose place another took: its end is no news to anyone.
    mutating func replace(_ deliveryID: Int64, at now: Int64) -> UInt32? {
        depart(deliveryID, at: now, isCloseReported: true, isAnswered: false)
    }

    /// - Parameter isAnswerPending: whether a Notify is unanswered, so that an unknown number may
    ///   be one of ours.
    /// - Returns: what to tell the owner, and the number to close if the server may not have.
    mutating func receive(
        _ signal: Signal, for serverID: UInt32, isAnswerPending: Bool, at now: Int64
    ) -> (report: PresenterReport?, close: UInt32?) {
        departed.removeAll { now - $0.at > lateAnswerUsec }
        if let deliveryID = deliveryIDs[serverID] {
            switch signal {
            case .closed(let reason):
                _ = depart(deliveryID, at: now, isCloseReported: true, isAnswered: false)
                return (.closed(deliveryID: deliveryID, reason: reason), nil)
            case .actionInvoked(let key):
                // Some servers leave an answered notification on the screen (dunst does).
                _ = depart(deliveryID, at: now, isCloseReported: true, isAnswered: true)
                return (.invoked(deliveryID: deliveryID, actionKey: key), serverID)
            }
        }
        if let index = departed.lastIndex(where: { $0.serverID == serverID }) {
            return (receiveLate(signal, index: index), nil)
        }
        if isAnswerPending {
            early.append((serverID, signal))
            early.removeFirst(max(early.count - Self.earlyLimit, 0))
        }
        return (nil, nil)
    }

    private mutating func receiveLate(_ signal: Signal, index: Int) -> PresenterReport? {
        let deliveryID = departed[index].deliveryID
        switch signal {
        case .closed(let reason):
            guard !departed[index].isCloseReported else { return nil }
            departed[index].isCloseReported = true
            return .closed(deliveryID: deliveryID, reason: reason)
        case .actionInvoked(let key):
            guard !departed[index].isAnswered else { return nil }
            departed[index].isAnswered = true
            departed[index].isCloseReported = true
            return .invoked(deliveryID: deliveryID, actionKey: key)
        }
    }

    private mutating func depart(
        _ deliveryID: Int64, at now: Int64, isCloseReported: Bool, isAnswered: Bool
    ) -> UInt32? {
        guard let serverID = serverIDs.removeValue(forKey: deliveryID) else { return nil }
        deliveryIDs[serverID] = nil
        departed.append(
            Departed(
                serverID: serverID, deliveryID: deliveryID, at: now,
                isCloseReported: isCloseReported, isAnswered: isAnswered))
        departed.removeFirst(max(departed.count - Self.departedLimit, 0))
        return serverID
    }
}
