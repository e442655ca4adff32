// What schedd has said and shown for certain: an event leaves it when its record is on disk, so no
// crash may contradict one, and the notification server sees what is shown twice.

/// The facts of a run over all of its crashes.
struct CrashRecord {
    struct Occurrence: Hashable {
        let title: String
        let dueUsec: Int
    }

    /// By which the wall clock may be corrected meanwhile.
    private static let clockStep = 1_000

    /// Filled on fired: the number of an occurrence's delivery.
    private var numbers: [Occurrence: Int] = [:]
    private var occurrences: [Int: Occurrence] = [:]
    private var removed: Set<Int> = []
    /// One-shots whose showing is on record, by title.
    private var presented: Set<String> = []
    /// Whom schedd showed a title as, in order: one name on the bus for each run.
    private var shownBy: [String: [String]] = [:]
    /// Shown again after a crash, which is allowed for what was not on record.
    private(set) var duplicates = 0
    var firedCount: Int { numbers.count }
    var shownTitles: Set<String> { Set(shownBy.keys) }

    /// A `fired` event; what contradicts an earlier one is returned in words.
    mutating func noteFired(_ event: JSON, title: String) -> String? {
        guard let number = event["delivery"].int, let due = event["dueUsec"].int,
            let instant = event["atUsec"].int
        else { return "an incomplete event: \(event)" }
        if instant < due - Self.clockStep { return "\(title) fired early: \(event)" }
        let occurrence = Occurrence(title: title, dueUsec: due)
        if let other = occurrences[number], other != occurrence {
            return "delivery \(number) is both \(other) and \(occurrence)"
        }
        if let other = numbers[occurrence], other != number {
            return "\(occurrence) fired twice, as delivery \(other) and as \(number)"
        }
        numbers[occurrence] = number
        occurrences[number] = occurrence
        return nil
    }

    /// The title of a delivery whose firing is known.
    func title(of number: Int) -> String? { occurrences[number]?.title }

    mutating func noteRemoved(_ number: Int) { removed.insert(number) }

    mutating func notePresented(_ title: String) { presented.insert(title) }

    /// A delivery in the list that schedd has after a restart.
    func check(listed delivery: JSON) -> String? {
        guard let number = delivery["delivery"].int, let due = delivery["dueUsec"].int,
            let fired = delivery["firedUsec"].int
        else { return "an incomplete delivery: \(delivery)" }
        if removed.contains(number) { return "delivery \(number) was removed and is back" }
        if fired < due - Self.clockStep { return "delivery \(number) fired early: \(delivery)" }
        let title = delivery["content"]["title"].string ?? ""
        let occurrence = Occurrence(title: title, dueUsec: due)
        if let other = occurrences[number], other != occurrence {
            return "delivery \(number) was \(other) and is \(occurrence)"
        }
        if let other = numbers[occurrence], other != number {
            return "\(occurrence) was delivery \(other) and is \(number)"
        }
        return nil
    }

    /// A call of Notify for a one-shot.
    mutating func noteShown(_ title: String, by sender: String) -> String? {
        let senders = shownBy[title] ?? []
        defer { shownBy[title] = senders + [sender] }
        if senders.contains(sender) { return "\(title) was shown twice by one run" }
        if senders.isEmpty { return nil }
        duplicates += 1
        return presented.contains(title)
            ? "\(title) was shown again though its showing was on record" : nil
    }
}
