// From the wire to the scheduler: every limit and every rule that needs no clock is checked here,
// so that what comes out is a value that the scheduler can compute with. Errors name the field.

import CivilTime
package import Scheduling
package import SchedulerInterface
import Varlink

/// Turns what a client sent into the scheduler's values.
package enum RequestIntake {
    /// Checks an app id: 1 to 255 of `A-Z a-z 0-9 . _ -`, not starting with a dot or a dash.
    package static func app(_ name: String) throws(RequestError) -> String {
        try checkSize(name, field: "app", limit: Limits.appBytes)
        let isAllowed = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isAllowed, let first = name.utf8.first, first != UInt8(ascii: "."),
            first != UInt8(ascii: "-")
        else {
            throw .invalid(
                field: "app",
                reason: "takes letters, digits, '.', '_' and '-', not starting with '.' or '-'")
        }
        return name
    }

    /// Checks a whole batch.
    package static func requests(_ wire: [Wire.Request]) throws(RequestError) -> [Request] {
        guard !wire.isEmpty else {
            throw .invalid(field: "requests", reason: "is empty; give at least one request")
        }
        guard wire.count <= Limits.requestsPerBatch else {
            throw .tooLarge(
                field: "requests", size: wire.count, limit: Limits.requestsPerBatch)
        }
        var requests: [Request] = []
        requests.reserveCapacity(wire.count)
        for (index, request) in wire.enumerated() {
            requests.append(try self.request(request, field: "requests[\(index)]"))
        }
        return requests
    }

    /// Checks one request; the path to it is put together when something is wrong.
    static func request(
        _ wire: Wire.Request, field: @autoclosure () -> String
    ) throws(RequestError) -> Request {
        do throws(RequestError) {
            return try request(wire)
        } catch {
            throw error.inside(field())
        }
    }

    private static func request(_ wire: Wire.Request) throws(RequestError) -> Request {
        guard !wire.identifier.isEmpty else {
            throw .invalid(field: "identifier", reason: "is empty")
        }
        try checkSize(wire.identifier, field: "identifier", limit: Limits.identifierBytes)
        var trigger = Trigger.now
        if let given = wire.trigger {
            trigger = try TriggerIntake(field: "trigger").trigger(given)
        }
        let ifMissed: MissedPolicy =
            switch wire.ifMissed {
            case nil, .deliver?: .deliver
            case .skip?: .skip
            }
        return Request(
            identifier: wire.identifier, content: try content(wire.content), trigger: trigger,
            ifMissed: ifMissed, latenessLimit: try latenessLimit(wire.latenessLimit))
    }

    private static func content(_ wire: Wire.Content) throws(RequestError) -> Content {
        let says = [wire.title, wire.subtitle, wire.body].contains { !($0 ?? "").isEmpty }
        guard says else {
            throw .invalid(field: "content", reason: "says nothing; give a title, subtitle or body")
        }
        for (field, text, limit) in [
            ("content.title", wire.title, Limits.titleBytes),
            ("content.subtitle", wire.subtitle, Limits.subtitleBytes),
            ("content.body", wire.body, Limits.bodyBytes),
        ] {
            if let text { try checkSize(text, field: field, limit: limit) }
        }
        if let timeout = wire.expireTimeoutUsec,
            timeout < 0 || timeout > Limits.spanMicroseconds
        {
            throw .invalid(
                field: "content.expireTimeoutUsec",
                reason: "takes 0 (until dismissed) to \(Limits.spanMicroseconds)")
        }
        if let userInfo = wire.userInfo { try check(userInfo: userInfo) }
        return Content(wire)
    }

    private static func check(userInfo value: JSONValue) throws(RequestError) {
        let field = "content.userInfo"
        guard case .object = value else {
            throw .invalid(field: field, reason: "must be an object")
        }
        guard isNested(value, atMost: Limits.userInfoDepth) else {
            throw .invalid(
                field: field,
                reason: "has more than \(Limits.userInfoDepth) objects and arrays in each other")
        }
        try checkSize(value.jsonText, field: field, limit: Limits.userInfoBytes)
    }

    /// Whether a value has at most so many objects and arrays in each other, itself included.
    private static func isNested(_ value: JSONValue, atMost depth: Int) -> Bool {
        switch value {
        case .null, .bool, .int, .double, .string:
            true
        case .array(let elements):
            depth > 0 && elements.allSatisfy { isNested($0, atMost: depth - 1) }
        case .object(let members):
            depth > 0 && members.values.allSatisfy { isNested($0, atMost: depth - 1) }
        }
    }

    private static func latenessLimit(_ seconds: Double?) throws(RequestError) -> Int64? {
        guard let seconds else { return nil }
        guard let span = microseconds(seconds) else {
            throw .invalid(field: "latenessLimit", reason: "takes 0 to 100 years, in seconds")
        }
        return span
    }

    /// Whole microseconds of a span of 0 to 100 years; nil for anything else, such as NaN.
    static func microseconds(_ seconds: Double) -> Int64? {
        let limit = Double(Limits.spanMicroseconds)
        let span = (seconds * 1_000_000).rounded()
        guard span >= 0, span <= limit else { return nil }
        return Int64(span)
    }

    static func checkSize(
        _ text: String, field: String, limit: Int
    ) throws(RequestError) {
        let size = text.utf8.count
        guard size <= limit else { throw .tooLarge(field: field, size: size, limit: limit) }
    }
}

extension RequestError {
    /// The same mistake where its field is one of `outer`; an empty field is `outer` itself.
    func inside(_ outer: String) -> RequestError {
        func path(_ field: String) -> String { field.isEmpty ? outer : "\(outer).\(field)" }
        return switch self {
        case .queueFull: self
        case .invalid(let field, let reason): .invalid(field: path(field), reason: reason)
        case .neverFires(let field, let reason): .neverFires(field: path(field), reason: reason)
        case .inPast(let field, let at, let now): .inPast(field: path(field), at: at, now: now)
        case .tooLarge(let field, let size, let limit):
            .tooLarge(field: path(field), size: size, limit: limit)
        }
    }
}
