// What the suites of this target share: an interface's types and the bytes of messages.

import Varlink

/// One message as it is sent: text and NUL.
func wire(_ text: String) -> [UInt8] {
    Array(text.utf8) + [0]
}

func text(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
}

/// Messages of a stream, without their NULs.
func messages(_ bytes: some Collection<UInt8>) -> [String] {
    bytes.split(separator: 0).map { text($0) }
}

struct Trigger: Equatable, Sendable, JSONReadable, JSONWritable {
    var kind: Kind
    var atUsec: Int64?
    var hour: [Int64]?

    enum Kind: String, CaseIterable, JSONReadable, JSONWritable { case date, calendar }
}

extension Trigger {
    init(_ reader: JSONReader) throws(JSONMistake) {
        let members = try reader.members(["kind", "atUsec", "hour"])
        kind = try Kind(members.required(0))
        atUsec = try members[1]?.integer()
        hour = try members[2]?.integers()
    }

    func write(to text: inout JSONText) {
        text.object { text in
            text.member("kind", kind)
            text.member("atUsec", atUsec)
            text.member("hour", hour)
        }
    }
}

struct Request: Equatable, Sendable {
    var identifier: String
    var title: String?
    var urgent: Bool?
    var trigger: Trigger?
    var userInfo: JSONValue?
}

extension Request: JSONReadable, JSONWritable {
    init(_ reader: JSONReader) throws(JSONMistake) {
        let members = try reader.members(
            ["identifier", "title", "urgent", "trigger", "userInfo"])
        identifier = try members.required(0).string()
        title = try members[1]?.string()
        urgent = try members[2]?.bool()
        trigger = try members[3]?.ifKnown(Trigger.init)
        userInfo = try members[4]?.value()
    }

    func write(to text: inout JSONText) {
        text.object { text in
            text.member("identifier", identifier)
            text.member("title", title)
            text.member("urgent", urgent)
            text.member("trigger", trigger)
            text.member("userInfo", userInfo)
        }
    }
}

enum Add: VarlinkMethod {
    struct Parameters: Equatable, Sendable {
        var app: String
        var requests: [Request]
    }
    struct Reply: Equatable, Sendable {
        var next: [Int64?]
    }
    static let name = "io.example.Test.Add"
}

extension Add.Parameters: JSONReadable, JSONWritable {
    init(_ reader: JSONReader) throws(JSONMistake) {
        let members = try reader.members(["app", "requests"])
        app = try members.required(0).string()
        requests = try members.required(1).elements(Request.init)
    }

    func write(to text: inout JSONText) {
        text.object { text in
            text.member("app", app)
            text.member("requests", requests)
        }
    }
}

extension Add.Reply: JSONReadable, JSONWritable {
    init(_ reader: JSONReader) throws(JSONMistake) {
        let members = try reader.members(["next"])
        next = try members.required(0).elements { (element) throws(JSONMistake) in
            try element.value() == .null ? nil : try element.integer()
        }
    }

    func write(to text: inout JSONText) {
        text.object { text in
            text.member("next", next.map { $0.map(JSONValue.int) ?? .null })
        }
    }
}

enum Watch: VarlinkMethod {
    typealias Parameters = NoParameters
    struct Reply: Equatable, Sendable {
        var event: Int64?
    }
    static let name = "io.example.Test.Watch"
    static let requiresMore = true
}

extension Watch.Reply: JSONReadable, JSONWritable {
    init(_ reader: JSONReader) throws(JSONMistake) {
        event = try reader.members(["event"])[0]?.integer()
    }

    func write(to text: inout JSONText) {
        text.object { text in text.member("event", event) }
    }
}

struct QueueFull: VarlinkError, Equatable {
    static let name = "io.example.Test.QueueFull"
    var limit: Int64
}

extension QueueFull {
    init(_ reader: JSONReader) throws(JSONMistake) {
        limit = try reader.members(["limit"]).required(0).integer()
    }

    func write(to text: inout JSONText) {
        text.object { text in text.member("limit", limit) }
    }
}

extension ServerConnection {
    /// Takes events until there are none for now.
    mutating func events() -> [Event] {
        var events: [Event] = []
        while let event = nextEvent() { events.append(event) }
        return events
    }

    /// Takes events of which all must be calls.
    mutating func calls() -> [Call] {
        events().compactMap { event in
            guard case .call(let call) = event else { return nil }
            return call
        }
    }

    /// Writes all that is pending.
    mutating func written() -> [String] {
        let bytes = Array(pendingOutput)
        outputWritten(bytes.count)
        return messages(bytes)
    }

    /// Why it closes, nil if it does not.
    mutating func closeReason() -> CloseReason? {
        for event in events() {
            if case .close(let reason) = event { return reason }
        }
        return nil
    }
}

// So that a test can write down a reply as a literal.

extension Int: JSONWritable {
    func write(to text: inout JSONText) { text.value(Int64(self)) }
}

extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
    func write(to text: inout JSONText) {
        text.object { text in
            for (name, value) in sorted(by: { $0.key < $1.key }) { text.member(name, value) }
        }
    }
}
