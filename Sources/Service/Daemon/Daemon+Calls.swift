// The calls of clients: what each method asks of the scheduler, and how the answer looks on the
// wire.

import CivilTime
import Platform
import Scheduling
import SchedulerInterface
import Varlink

extension Daemon {
    /// Serves a wake-up of the socket.
    func handle(_ wake: EndpointWake) {
        endpoint.handle(wake) { session, call in route(call, of: session) }
        finishTurnSoon()
    }

    func route(_ call: Call, of session: SessionID) {
        let address = CallAddress(session: session, call: call.id)
        if let answer = service.answer(call) {
            endpoint.reply(to: address, answer)
            return
        }
        do {
            try perform(call, address)
        } catch let error as ServiceError {
            endpoint.reply(to: address, .failure(error))
        } catch let error as RequestError {
            endpoint.reply(to: address, failure(error, interface(of: call)))
        } catch {
            preconditionFailure("calls fail with typed errors only, not with \(error)")
        }
    }

    private func interface(of call: Call) -> Interface {
        call.method.hasPrefix(ManagerMethod.interface + ".") ? .manager : .scheduler
    }

    private func perform(_ call: Call, _ address: CallAddress) throws {
        if let method = SchedulerMethod(rawValue: call.method) {
            try perform(method, call, address)
        } else if let method = ManagerMethod(rawValue: call.method) {
            try perform(method, call, address)
        } else {
            throw ServiceError.methodNotFound(call.method)
        }
    }

    private func perform(
        _ method: SchedulerMethod, _ call: Call, _ address: CallAddress
    ) throws {
        switch method {
        case .add: try add(call.parameters(of: SchedulerMethod.Add.self), address)
        case .preview: try preview(call.parameters(of: SchedulerMethod.Preview.self), address)
        case .listPending:
            let given = try call.parameters(of: SchedulerMethod.ListPending.self)
            listPending(try RequestIntake.app(given.app), call, address)
        case .listBacklog:
            let given = try call.parameters(of: SchedulerMethod.ListBacklog.self)
            listBacklog(try RequestIntake.app(given.app), call, address)
        case .removePending:
            let given = try call.parameters(of: SchedulerMethod.RemovePending.self)
            let selection = try selection(given.app, given.identifiers, all: given.all)
            decide(.removalAsked(selection, call: token(address, .scheduler)))
        case .listDelivered:
            let given = try call.parameters(of: SchedulerMethod.ListDelivered.self)
            listDelivered(try RequestIntake.app(given.app), call, address)
        case .removeDelivered:
            let given = try call.parameters(of: SchedulerMethod.RemoveDelivered.self)
            let selection = try selection(given.app, given.identifiers, all: given.all)
            decide(.dismissalAsked(selection, call: token(address, .scheduler)))
        case .listMissed:
            let given = try call.parameters(of: SchedulerMethod.ListMissed.self)
            listMissed(try RequestIntake.app(given.app), call, address)
        case .subscribe:
            let given = try call.parameters(of: SchedulerMethod.Subscribe.self)
            subscribe(try RequestIntake.app(given.app), cursor: given.cursor, address)
        }
    }

    private func perform(_ method: ManagerMethod, _ call: Call, _ address: CallAddress) throws {
        switch method {
        case .listPending:
            let given = try call.parameters(of: ManagerMethod.ListPending.self)
            listPending(try checked(given.app), call, address)
        case .listBacklog:
            let given = try call.parameters(of: ManagerMethod.ListBacklog.self)
            listBacklog(try checked(given.app), call, address)
        case .removePending:
            let given = try call.parameters(of: ManagerMethod.RemovePending.self)
            let selection = try selection(given.app, given.identifiers, all: given.all)
            decide(.removalAsked(selection, call: token(address, .manager)))
        case .listDelivered:
            let given = try call.parameters(of: ManagerMethod.ListDelivered.self)
            listDelivered(try checked(given.app), call, address)
        case .removeDelivered:
            let given = try call.parameters(of: ManagerMethod.RemoveDelivered.self)
            let selection = try selection(given.app, given.identifiers, all: given.all)
            decide(.dismissalAsked(selection, call: token(address, .manager)))
        case .listMissed:
            let given = try call.parameters(of: ManagerMethod.ListMissed.self)
            listMissed(try checked(given.app), call, address)
        case .subscribe:
            let given = try call.parameters(of: ManagerMethod.Subscribe.self)
            subscribe(try checked(given.app), cursor: given.cursor, address)
        case .import: try importPart(call, address)
        case .getStatus:
            _ = try call.parameters(of: ManagerMethod.GetStatus.self)
            endpoint.reply(to: address, .reply(status()))
        }
    }

    private func checked(_ app: String?) throws(RequestError) -> String? {
        guard let app else { return nil }
        return try RequestIntake.app(app)
    }

    func decide(_ event: Event) {
        decide(event, at: readClocks())
    }

    /// Notes who waits for the scheduler's reply.
    func token(_ address: CallAddress, _ interface: Interface) -> CallToken {
        lastCall += 1
        let token = CallToken(number: lastCall)
        waitingCalls[token] = WaitingCall(address: address, interface: interface)
        return token
    }

    private func selection(
        _ app: String?, _ identifiers: [String]?, all: Bool?
    ) throws -> Selection {
        let app = try app.map { try RequestIntake.app($0) }
        guard (identifiers != nil) != (all == true) else {
            throw RequestError.invalid(
                field: "identifiers", reason: "give either identifiers or all: true")
        }
        return Selection(app: app, identifiers: identifiers)
    }

    private func add(
        _ given: SchedulerMethod.Add.Parameters, _ address: CallAddress
    ) throws {
        let app = try RequestIntake.app(given.app)
        let requests = try RequestIntake.requests(given.requests)
        let policy: FullPolicy =
            switch given.whenFull {
            case .fail?, nil: .fail
            case .keepSoonest?: .keepSoonest
            case .keepLatestAdded?: .keepLatestAdded
            case .queue?: .queue
            }
        var named: [String: Zone] = [:]
        for (index, request) in requests.enumerated() {
            guard case .calendar(let calendar) = request.trigger, let name = calendar.zone else {
                continue
            }
            named[name] = try zone(
                name, field: "requests[\(index)].trigger.calendar.timeZone")
        }
        let batch = Batch(app: app, requests: requests, whenFull: policy, zones: named)
        decide(.submitted(batch, call: token(address, .scheduler)))
    }

    private func preview(
        _ given: SchedulerMethod.Preview.Parameters, _ address: CallAddress
    ) throws {
        let trigger = try TriggerIntake(field: "trigger").trigger(given.trigger)
        let count = given.count ?? 1
        guard (1...1_000).contains(count) else {
            throw RequestError.invalid(field: "count", reason: "takes 1 to 1000")
        }
        let now = readClocks()
        let after = given.afterUsec.map(WallInstant.init(microseconds:)) ?? now.wall
        guard abs(after.microseconds / 2) <= Limits.latestWallMicroseconds / 2 else {
            throw RequestError.invalid(field: "afterUsec", reason: "is beyond the year 9999")
        }
        var zone = scheduler.machineZone
        if case .calendar(let calendar) = trigger, let name = calendar.zone {
            zone = try self.zone(name, field: "trigger.calendar.timeZone")
        }
        let found = Scheduler.preview(
            trigger, zone: zone, count: Int(count), after: after, at: now)
        let occurrences = found.map { instant in
            let offset = zone.description(at: instant.wholeSeconds)
            return Wire.Occurrence(
                atUsec: instant.microseconds, utcOffsetSeconds: Int64(offset.seconds),
                abbreviation: offset.abbreviation)
        }
        let text = TriggerDescription(trigger, in: zone)
        endpoint.reply(
            to: address,
            .reply(
                SchedulerMethod.Preview.Reply(
                    occurrences: occurrences, expression: text.expression, words: text.words,
                    timeZone: zone.name)))
    }

    func zone(_ name: String, field: String) throws(RequestError) -> Zone {
        do {
            return try zones.zone(named: name)
        } catch {
            throw .invalid(field: field, reason: "\(error)")
        }
    }

    // MARK: Replies

    func answer(_ token: CallToken, _ reply: Reply) {
        // The daemon answers each call once.
        guard let waiting = waitingCalls.removeValue(forKey: token) else {
            preconditionFailure("call \(token.number) is answered twice")
        }
        endpoint.reply(to: waiting.address, message(reply, waiting.interface))
    }

    func refuse(_ token: CallToken, storage reason: String) {
        guard let waiting = waitingCalls.removeValue(forKey: token) else {
            preconditionFailure("call \(token.number) is answered twice")
        }
        let message: ReplyMessage =
            switch waiting.interface {
            case .scheduler: .failure(SchedulerFailure.StorageFailed(reason: reason))
            case .manager: .failure(ManagerFailure.StorageFailed(reason: reason))
            }
        endpoint.reply(to: waiting.address, message)
    }

    private func message(_ reply: Reply, _ interface: Interface) -> ReplyMessage {
        switch (reply, interface) {
        case (.added(let added, let evicted), _):
            .reply(
                SchedulerMethod.Add.Reply(
                    added: added.map {
                        Wire.Added(
                            identifier: $0.identifier, nextUsec: $0.next.microseconds,
                            replaced: $0.replaced, backlogged: $0.isBacklogged)
                    },
                    evicted: evicted.map {
                        Wire.Evicted(identifier: $0.identifier, nextUsec: $0.next.microseconds)
                    }))
        case (.removed(let keys), .scheduler):
            .reply(
                SchedulerMethod.RemovePending.Reply(
                    count: Int64(keys.count), identifiers: keys.map(\.identifier)))
        case (.removed(let keys), .manager):
            .reply(
                ManagerMethod.RemovePending.Reply(
                    count: Int64(keys.count),
                    removed: keys.map {
                        Wire.RemovedItem(app: $0.app, identifier: $0.identifier)
                    }))
        case (.imported(let items), _):
            .reply(ManagerMethod.Import.Reply(items: items.map { Wire.ImportedItem($0) }))
        case (.refused(let error), _):
            failure(error, interface)
        }
    }

    private func failure(_ error: RequestError, _ interface: Interface) -> ReplyMessage {
        switch (error, interface) {
        case (.invalid(let field, let reason), .scheduler):
            .failure(SchedulerFailure.InvalidRequest(field: field, reason: reason))
        case (.invalid(let field, let reason), .manager):
            .failure(ManagerFailure.InvalidRequest(field: field, reason: reason))
        case (.queueFull(let app, let limit, let pending, let identifiers), .manager):
            .failure(
                ManagerFailure.QueueFull(
                    app: app, limit: Int64(limit), pending: Int64(pending),
                    identifiers: identifiers))
        case (.queueFull(let app, let limit, let pending, let identifiers), .scheduler):
            .failure(
                SchedulerFailure.QueueFull(
                    app: app, limit: Int64(limit), pending: Int64(pending),
                    identifiers: identifiers))
        case (.neverFires(let field, let reason), .scheduler):
            .failure(SchedulerFailure.NeverFires(field: field, reason: reason))
        case (.neverFires(let field, let reason), .manager):
            .failure(
                ManagerFailure.InvalidRequest(
                    field: field, reason: "it would never fire: \(reason)"))
        case (.inPast(let field, let at, let now), .scheduler):
            .failure(
                SchedulerFailure.InPast(
                    field: field, atUsec: at.microseconds, nowUsec: now.microseconds))
        case (.inPast(let field, _, _), .manager):
            .failure(
                ManagerFailure.InvalidRequest(field: field, reason: "is not later than now"))
        case (.tooLarge(let field, let size, let limit), .scheduler):
            .failure(
                SchedulerFailure.TooLarge(field: field, size: Int64(size), limit: Int64(limit)))
        case (.tooLarge(let field, let size, let limit), .manager):
            .failure(
                ManagerFailure.InvalidRequest(
                    field: field, reason: "has \(size) bytes, the limit is \(limit)"))
        }
    }
}
