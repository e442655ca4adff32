// What an app may believe about its requests, from the replies it got: for every identifier the set
// of states that they allow. What schedd says after a crash must be one of them; an empty set means
// that two of its own answers do not fit together.

/// One addition of a request; its number is its title.
struct Version: Hashable {
    enum Trigger: Hashable {
        case now
        /// A date, so many microseconds after it is sent.
        case date(Int64)
        case interval(Int64)
        /// A calendar trigger with second: all, which repeats.
        case everySecond
        /// An hour ahead, which no run lives to see.
        case hour
    }

    let number: Int
    let identifier: String
    let trigger: Trigger

    var title: String { "v\(number)" }
    var repeats: Bool { trigger == .everySecond }
    var maySoonFire: Bool { trigger != .hour }
}

/// A call of one app.
enum Operation {
    case add([Version])
    case removePending([String])
    case removeDelivered([String])

    /// Whether it is refused when it arrives too late.
    var mayBePast: Bool {
        guard case .add(let batch) = self else { return false }
        return batch.contains { if case .date = $0.trigger { true } else { false } }
    }
}

/// The beliefs about one app.
struct CrashModel {
    struct State: Hashable {
        var pending: Version?
        var delivered: Version?
    }

    /// What schedd answered.
    enum Answer {
        case added(replaced: [Bool])
        case removed(Set<String>)
        /// The call changed nothing.
        case refused
    }

    private var states: [String: Set<State>] = [:]
    /// One-shots that fired for certain: they are never pending again.
    private(set) var fired: Set<Version> = []
    /// Versions whose notification the user has dismissed.
    private var dismissed: Set<Version> = []

    mutating func noteFired(_ version: Version) {
        if !version.repeats { fired.insert(version) }
    }

    mutating func noteDismissed(_ version: Version) { dismissed.insert(version) }

    /// Takes in an acknowledged call, or (nil) one that may be lost but happened in this future;
    /// what does not fit is returned in words.
    mutating func apply(_ operation: Operation, _ answer: Answer?) -> String? {
        if case .refused? = answer { return nil }
        switch operation {
        case .add(let versions):
            for (index, version) in versions.enumerated() {
                var replaced: Bool?
                if case .added(let list)? = answer { replaced = list[index] }
                let fits = change(version.identifier) { state in
                    if let replaced, replaced != (state.pending != nil) { return nil }
                    return version.trigger == .now
                        ? State(pending: nil, delivered: version)
                        : State(pending: version, delivered: state.delivered)
                }
                if !fits { return "added \(version), replaced: \(String(describing: replaced))" }
            }
        case .removePending(let identifiers):
            for identifier in identifiers {
                let removed = Self.removed(identifier, answer)
                let fits = change(identifier) { state in
                    if let removed, removed != (state.pending != nil) { return nil }
                    return State(pending: nil, delivered: state.delivered)
                }
                if !fits { return "removed pending \(identifier): \(String(describing: removed))" }
            }
        case .removeDelivered(let identifiers):
            for identifier in identifiers {
                let removed = Self.removed(identifier, answer)
                let fits = change(identifier) { state in
                    if let removed, removed != (state.delivered != nil) { return nil }
                    return State(pending: state.pending, delivered: nil)
                }
                if !fits { return "dismissed \(identifier): \(String(describing: removed))" }
            }
        }
        return nil
    }

    /// Compares with everything that schedd has of the app now, and forgets what does not lead
    /// there. A listing is not a promise that it is on disk: what has just fired may fire again.
    mutating func observe(_ seen: [String: State]) -> [String] {
        var faults: [String] = []
        for identifier in Set(states.keys).union(seen.keys).sorted() {
            let state = seen[identifier] ?? State()
            // Only here: an event overtakes the replies to calls that came before it.
            let allowed = possible(from: states[identifier] ?? [State()])
                .filter { state in !fired.contains { $0 == state.pending } }
            if !allowed.contains(state) {
                faults.append(
                    "\(identifier) is \(Self.words(state)), allowed: "
                        + allowed.map(Self.words).sorted().joined(separator: " or "))
            }
            states[identifier] = allowed.filter { possible(from: [$0]).contains(state) }
        }
        return faults
    }

    /// What either of two futures leaves open.
    mutating func merge(_ other: CrashModel) {
        states.merge(other.states) { $0.union($1) }
    }

    private static func words(_ state: State) -> String {
        "(pending \(state.pending?.title ?? "-"), delivered \(state.delivered?.title ?? "-"))"
    }

    private static func removed(_ identifier: String, _ answer: Answer?) -> Bool? {
        guard case .removed(let identifiers)? = answer else { return nil }
        return identifiers.contains(identifier)
    }

    private mutating func change(_ identifier: String, _ body: (State) -> State?) -> Bool {
        let changed = Set(possible(from: states[identifier] ?? [State()]).compactMap(body))
        states[identifier] = changed
        return !changed.isEmpty
    }

    /// Every state that firings and dismissals can lead to.
    private func possible(from start: Set<State>) -> Set<State> {
        var found: Set<State> = []
        var open = start
        while let state = open.popFirst() {
            guard found.insert(state).inserted else { continue }
            if let pending = state.pending, pending.maySoonFire {
                open.insert(State(pending: pending.repeats ? pending : nil, delivered: pending))
            }
            if let delivered = state.delivered, dismissed.contains(delivered) {
                open.insert(State(pending: state.pending, delivered: nil))
            }
        }
        return found
    }
}
