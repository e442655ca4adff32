// Calls as an app's author would write them from the interface text.

import Testing

enum Scheduler {
    static let add = "io.schedd.Scheduler.Add"
    static let listPending = "io.schedd.Scheduler.ListPending"
    static let listDelivered = "io.schedd.Scheduler.ListDelivered"
    static let subscribe = "io.schedd.Scheduler.Subscribe"
    static let status = "io.schedd.Manager.GetStatus"

    /// A request that fires in `seconds`, an hour when not said.
    static func request(
        _ identifier: String, title: String = "Tea", body: String? = nil, seconds: Double = 3_600
    ) -> [String: Any] {
        var content: [String: Any] = ["title": title]
        if let body { content["body"] = body }
        return [
            "identifier": identifier, "content": content,
            "trigger": ["interval": ["seconds": seconds]],
        ]
    }

    static func adding(_ requests: [[String: Any]], app: String = "app") -> [String: Any] {
        ["app": app, "requests": requests]
    }
}

extension RawConnection {
    /// Adds requests, which has to succeed.
    func add(
        _ requests: [[String: Any]], app: String = "app",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let reply = try call(Scheduler.add, Scheduler.adding(requests, app: app))
        #expect(
            reply["parameters"]["added"].array?.count == requests.count, "\(reply)",
            sourceLocation: sourceLocation)
    }

    /// Identifiers of what is pending for an app, in order of firing.
    func pending(_ app: String = "app") throws -> [String] {
        let reply = try call(Scheduler.listPending, ["app": app])
        return reply["parameters"]["pending"].array?.compactMap { $0["identifier"].string } ?? []
    }

    /// What was delivered for an app, oldest first.
    func delivered(_ app: String = "app") throws -> [JSON] {
        let reply = try call(Scheduler.listDelivered, ["app": app])
        return reply["parameters"]["delivered"].array ?? []
    }

    /// Subscribes to an app, and reads up to `ready`.
    func subscribe(_ app: String = "app", cursor: String? = nil) throws {
        var parameters: [String: Any] = ["app": app]
        if let cursor { parameters["cursor"] = cursor }
        try send(message: Self.call(Scheduler.subscribe, parameters, more: true))
        while let reply = try receive() {
            guard reply["continues"].bool == true else {
                throw TestError.failed("subscription ended: \(reply)")
            }
            if reply["parameters"]["ready"].bool == true { return }
        }
        throw TestError.closed
    }

    /// The next event of a subscription that fulfils the condition.
    func event(
        _ deadline: Deadline = .usual, where isWanted: (JSON) -> Bool
    ) throws -> JSON {
        while let reply = try receive(deadline) {
            if let event = reply["parameters"]["events"].array?.first(where: isWanted) {
                return event
            }
        }
        throw TestError.timeout
    }
}
