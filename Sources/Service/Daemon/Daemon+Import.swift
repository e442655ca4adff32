// Taking in an export: its parts gather on the connection until the last one, and are then decided
// as one event.

import CivilTime
import Scheduling
import SchedulerInterface
import Varlink

extension Daemon {
    func importPart(_ call: Call, _ address: CallAddress) throws {
        // Whatever is wrong with a part, the parts before it are not those of the next import.
        var goesOn = false
        defer { if !goesOn { endpoint.endImport(of: address.session) } }
        let given = try call.parameters(of: ManagerMethod.Import.self)
        let gathered = try endpoint.gatherImport(
            given.requests, callBytes: call.payload.messageBytes, in: address.session)
        if given.moreFollows == true {
            goesOn = true
            endpoint.reply(to: address, .reply(ManagerMethod.Import.Reply(items: [])))
            return
        }
        let batches = try batches(of: gathered)
        decide(
            .importAsked(
                batches, isDryRun: given.dryRun ?? false, call: token(address, .manager)))
    }

    /// The requests by app, each with its place in the list, and the zones that they name.
    private func batches(of exported: [Wire.ExportedRequest]) throws -> [Batch] {
        guard !exported.isEmpty else {
            throw RequestError.invalid(
                field: "requests", reason: "is empty; give at least one request")
        }
        var batches: [String: Batch] = [:]
        for (index, item) in exported.enumerated() {
            let field = "requests[\(index)]"
            let app = try app(item.app, in: field)
            let request = try RequestIntake.request(item.request, field: field + ".request")
            // In place: a batch that is taken out is copied with all its requests.
            let none = Batch(app: app, requests: [], places: [], whenFull: .queue)
            batches[app, default: none].requests.append(request)
            batches[app]?.places?.append(index)
            if case .calendar(let calendar) = request.trigger, let name = calendar.zone {
                batches[app]?.zones[name] = try zone(
                    name, field: field + ".request.trigger.calendar.timeZone")
            }
        }
        return batches.values.sorted { $0.app < $1.app }
    }

    private func app(_ name: String, in field: String) throws(RequestError) -> String {
        do throws(RequestError) {
            return try RequestIntake.app(name)
        } catch {
            throw error.inside(field)
        }
    }
}

extension Wire.ImportedItem {
    init(_ item: ImportedItem) {
        let outcome: Wire.ImportOutcome =
            switch item.outcome {
            case .added: .added
            case .replaced: .replaced
            case .past: .past
            }
        self.init(app: item.key.app, identifier: item.key.identifier, outcome: outcome)
    }
}
