// The parameters of Add read the quick way, and its reply written the quick way: apps add by the
// thousand. What is not as it should be is left to Codable, which finds the words for it (see
// JSONMembers); a test holds the two ways equal.

package import Varlink

extension SchedulerMethod.Add {
    package static func parameters(in payload: Payload) throws(ServiceError) -> Parameters {
        do {
            return try Parameters(payload.members())
        } catch {
            return try payload.decode(Parameters.self)
        }
    }
}

extension SchedulerMethod.Add.Parameters {
    /// The parameters as Codable decodes them, or `JSONUnusual` where it has something to say.
    package init(_ object: JSONMembers) throws(JSONUnusual) {
        var members = object
        guard let app = try members.string("app"), var list = try members.objects("requests")
        else { throw JSONUnusual() }
        var requests: [Wire.Request] = []
        while let request = try list.next() { requests.append(try Wire.Request(request)) }
        self.init(app: app, requests: requests, whenFull: try members.choice("whenFull"))
        try members.finish()
    }
}

extension Wire.Request {
    init(_ object: JSONMembers) throws(JSONUnusual) {
        var members = object
        guard let identifier = try members.string("identifier"),
            let content = try members.object("content")
        else { throw JSONUnusual() }
        self.init(identifier: identifier, content: try Wire.Content(content))
        if let trigger = try members.object("trigger") { self.trigger = try Wire.Trigger(trigger) }
        ifMissed = try members.choice("ifMissed")
        latenessLimit = try members.double("latenessLimit")
        try members.finish()
    }
}

extension Wire.Content {
    init(_ object: JSONMembers) throws(JSONUnusual) {
        var members = object
        self.init(
            title: try members.string("title"), subtitle: try members.string("subtitle"),
            body: try members.string("body"), urgency: try members.choice("urgency"),
            expireTimeoutUsec: try members.integer("expireTimeoutUsec"),
            userInfo: try members.value("userInfo"))
        try members.finish()
    }
}

extension Wire.Trigger {
    init(_ object: JSONMembers) throws(JSONUnusual) {
        var members = object
        self.init()
        if let date = try members.object("date") { self.date = try Wire.DateTrigger(date) }
        if let interval = try members.object("interval") {
            self.interval = try Wire.IntervalTrigger(interval)
        }
        if let calendar = try members.object("calendar") {
            self.calendar = try Wire.CalendarTrigger(calendar)
        }
        repeats = try members.bool("repeats")
        startsAtUsec = try members.integer("startsAtUsec")
        endsAtUsec = try members.integer("endsAtUsec")
        maxCount = try members.integer("maxCount")
        try members.finish()
    }
}

extension Wire.DateTrigger {
    init(_ object: JSONMembers) throws(JSONUnusual) {
        var members = object
        guard let atUsec = try members.integer("atUsec") else { throw JSONUnusual() }
        self.init(atUsec: atUsec)
        try members.finish()
    }
}

extension Wire.IntervalTrigger {
    init(_ object: JSONMembers) throws(JSONUnusual) {
        var members = object
        guard let seconds = try members.double("seconds") else { throw JSONUnusual() }
        self.init(seconds: seconds)
        try members.finish()
    }
}

extension Wire.CalendarTrigger {
    init(_ object: JSONMembers) throws(JSONUnusual) {
        var members = object
        self.init(
            expression: try members.string("expression"), year: try members.integers("year"),
            quarter: try members.integers("quarter"), month: try members.integers("month"),
            day: try members.integers("day"), dayOfYear: try members.integers("dayOfYear"),
            weekday: try members.integers("weekday"),
            weekdayOrdinal: try members.integers("weekdayOrdinal"),
            weekOfMonth: try members.integers("weekOfMonth"),
            weekOfYear: try members.integers("weekOfYear"),
            yearForWeekOfYear: try members.integers("yearForWeekOfYear"),
            hour: try members.integers("hour"), minute: try members.integers("minute"),
            second: try members.integers("second"), timeZone: try members.string("timeZone"),
            firstWeekday: try members.integer("firstWeekday"),
            minimumDaysInFirstWeek: try members.integer("minimumDaysInFirstWeek"),
            missingDay: try members.choice("missingDay"))
        if let every = try members.object("every") { self.every = try Wire.Stride(every) }
        try members.finish()
    }
}

extension Wire.Stride {
    init(_ object: JSONMembers) throws(JSONUnusual) {
        var members = object
        guard let count = try members.integer("count"),
            let unit: Wire.StrideUnit = try members.choice("unit")
        else { throw JSONUnusual() }
        self.init(count: count, unit: unit)
        try members.finish()
    }
}

extension JSONMembers {
    /// A member that is one of a few words.
    fileprivate mutating func choice<Choice: RawRepresentable<String>>(
        _ name: String
    ) throws(JSONUnusual) -> Choice? {
        guard let word = try string(name) else { return nil }
        guard let choice = Choice(rawValue: word) else { throw JSONUnusual() }
        return choice
    }
}

// MARK: - The reply

extension SchedulerMethod.Add.Reply: JSONWritable {
    package func write(to text: inout JSONText) {
        text.object { text in
            text.array("added") { text in
                for item in added { item.write(to: &text) }
            }
            text.array("evicted") { text in
                for item in evicted { item.write(to: &text) }
            }
        }
    }
}

extension Wire.Added {
    fileprivate func write(to text: inout JSONText) {
        text.object { text in
            text.member("identifier", identifier)
            text.member("nextUsec", nextUsec)
            text.member("replaced", replaced)
            text.member("backlogged", backlogged)
        }
    }
}

extension Wire.Evicted {
    fileprivate func write(to text: inout JSONText) {
        text.object { text in
            text.member("identifier", identifier)
            text.member("nextUsec", nextUsec)
        }
    }
}
