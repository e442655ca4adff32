// The calls that only read: answered at once from memory, in one message or, with more, in parts.

import CivilTime
import Scheduling
import SchedulerInterface
import Varlink

extension Daemon {
    func listPending(_ app: String?, _ call: Call, _ address: CallAddress) {
        // Only what is needed is kept for later parts: to hold the scheduler would copy it.
        let rows = scheduler.pending(of: Selection(app: app, identifiers: nil))
            .map { (pending: $0, next: scheduler.instant(of: $0)) }
        send(rows, to: call, address, weight: \.pending.weight) { rows in
            SchedulerMethod.ListPending.Reply(
                pending: rows.map { .init($0.pending, next: $0.next) })
        }
    }

    func listBacklog(_ app: String?, _ call: Call, _ address: CallAddress) {
        let rows = scheduler.backlog(of: Selection(app: app, identifiers: nil))
            .map { (pending: $0, next: scheduler.instant(of: $0)) }
        send(rows, to: call, address, weight: \.pending.weight) { rows in
            SchedulerMethod.ListBacklog.Reply(
                backlog: rows.map { .init($0.pending, next: $0.next) })
        }
    }

    func listDelivered(_ app: String?, _ call: Call, _ address: CallAddress) {
        let rows = scheduler.deliveries(of: Selection(app: app, identifiers: nil))
        send(rows, to: call, address, weight: \.weight) { rows in
            SchedulerMethod.ListDelivered.Reply(delivered: rows.map { .init($0) })
        }
    }

    func listMissed(_ app: String?, _ call: Call, _ address: CallAddress) {
        let rows = scheduler.missed(of: Selection(app: app, identifiers: nil))
        send(rows, to: call, address, weight: { _ in 1_500 }) { rows in
            SchedulerMethod.ListMissed.Reply(missed: rows.map { .init($0) })
        }
    }

    /// Both interfaces name the parameters of their listings alike, so one reply serves both.
    private func send<Row>(
        _ rows: [Row], to call: Call, _ address: CallAddress, weight: @escaping (Row) -> Int,
        reply: @escaping (ArraySlice<Row>) -> some JSONWritable
    ) {
        guard call.mode == .more else {
            endpoint.reply(to: address, .reply(reply(rows[...])))
            return
        }
        let stream = PartStream(rows: rows, weight: weight) { part, isLast in
            isLast ? .reply(reply(part)) : .update(reply(part))
        }
        endpoint.stream(to: address, stream)
    }

    /// First the present state in parts, then the log from this moment on.
    func subscribe(_ app: String?, cursor: String?, _ address: CallAddress) {
        typealias Reply = SchedulerMethod.Subscribe.Reply
        let log = endpoint.log
        if let cursor, let position = log.position(of: cursor) {
            let reply = Reply(
                cursor: cursor, pending: nil, delivered: nil, resumed: true, ready: true,
                events: nil)
            endpoint.reply(to: address, .update(reply))
            endpoint.subscribe(address, app: app, from: position)
            return
        }
        let resumed: Bool? = cursor == nil ? nil : false
        let selection = Selection(app: app, identifiers: nil)
        let position = log.end
        let here = log.cursor(at: position)
        let rows =
            scheduler.pending(of: selection).map {
                StateRow.pending($0, next: scheduler.instant(of: $0))
            }
            + scheduler.deliveries(of: selection).map(StateRow.delivered)
        let stream = PartStream(rows: rows, weight: \.weight) { part, isLast in
            var pending: [Wire.PendingRequest] = []
            var delivered: [Wire.DeliveredNotification] = []
            for row in part {
                switch row {
                case .pending(let row, let next): pending.append(.init(row, next: next))
                case .delivered(let row): delivered.append(.init(row))
                }
            }
            // Whoever goes on from a cursor is told nothing of the present state, so there is none
            // to go on from until all of that has been told.
            return .update(
                Reply(
                    cursor: isLast ? here : "", pending: pending, delivered: delivered,
                    resumed: isLast ? resumed : nil, ready: isLast ? true : nil, events: nil))
        }
        endpoint.stream(to: address, stream)
        endpoint.subscribe(address, app: app, from: position)
    }
}

/// A row of the present state that a subscription begins with.
private enum StateRow {
    case pending(PendingRequest, next: WallInstant)
    case delivered(Delivery)

    var weight: Int {
        switch self {
        case .pending(let row, _): row.weight
        case .delivered(let row): row.weight
        }
    }
}

extension PendingRequest {
    fileprivate var weight: Int { request.content.document.utf8.count + 600 }
}

extension Delivery {
    fileprivate var weight: Int { content.document.utf8.count + 400 }
}
