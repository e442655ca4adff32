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

struct Trigger: Codable, Equatable {
    var kind: Kind
    var atUsec: Int64?
    var hour: [Int]?

    enum Kind: String, Codable, CaseIterable { case date, calendar }
}

struct Request: Codable, Equatable {
    var identifier: String
    var title: String?
    var urgent: Bool?
    var trigger: Trigger?
    var userInfo: JSONValue?
}

enum Add: VarlinkMethod {
    struct Parameters: Codable, Equatable, Sendable {
        var app: String
        var requests: [Request]
    }
    struct Reply: Codable, Equatable, Sendable {
        var next: [Int64?]
    }
    static let name = "io.example.Test.Add"
}

enum Watch: VarlinkMethod {
    typealias Parameters = NoParameters
    struct Reply: Codable, Equatable, Sendable {
        var event: Int?
    }
    static let name = "io.example.Test.Watch"
    static let requiresMore = true
}

struct QueueFull: VarlinkError, Equatable {
    static let name = "io.example.Test.QueueFull"
    var limit: Int
}

extension Request: Sendable {}
extension Trigger: Sendable {}

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
