// The interface texts and the Codable types are two spellings of one thing; this holds them equal,
// member by member, and has every part explained.

import SchedulerInterface
import TestSupport
import Testing
import Varlink

@Suite struct MirrorTests {
    private static let scheduler = Result { try VarlinkInterface(text: InterfaceText.scheduler) }
    private static let manager = Result { try VarlinkInterface(text: InterfaceText.manager) }

    private let schedulerMethods: [any VarlinkMethod.Type] = [
        SchedulerMethod.Add.self, SchedulerMethod.Preview.self, SchedulerMethod.ListPending.self,
        SchedulerMethod.ListBacklog.self, SchedulerMethod.RemovePending.self,
        SchedulerMethod.ListDelivered.self,
        SchedulerMethod.RemoveDelivered.self, SchedulerMethod.ListMissed.self,
        SchedulerMethod.Subscribe.self,
    ]
    private let managerMethods: [any VarlinkMethod.Type] = [
        ManagerMethod.ListPending.self, ManagerMethod.ListBacklog.self,
        ManagerMethod.RemovePending.self, ManagerMethod.Import.self,
        ManagerMethod.ListDelivered.self, ManagerMethod.RemoveDelivered.self,
        ManagerMethod.ListMissed.self, ManagerMethod.Subscribe.self,
        ManagerMethod.GetStatus.self,
    ]
    private let schedulerErrors: [any VarlinkError.Type] = [
        SchedulerFailure.QueueFull.self, SchedulerFailure.InvalidRequest.self,
        SchedulerFailure.NeverFires.self, SchedulerFailure.InPast.self,
        SchedulerFailure.TooLarge.self, SchedulerFailure.StorageFailed.self,
    ]
    private let managerErrors: [any VarlinkError.Type] = [
        ManagerFailure.InvalidRequest.self, ManagerFailure.QueueFull.self,
        ManagerFailure.StorageFailed.self,
    ]

    @Test func `the types of io.schedd.Scheduler mirror its text`() throws {
        try compare(
            Self.scheduler.get(), methods: schedulerMethods, errors: schedulerErrors)
    }

    @Test func `the types of io.schedd.Manager mirror its text`() throws {
        try compare(Self.manager.get(), methods: managerMethods, errors: managerErrors)
    }

    private func compare(
        _ interface: VarlinkInterface, methods: [any VarlinkMethod.Type],
        errors: [any VarlinkError.Type]
    ) throws {
        #expect(
            Set(interface.methodNames.map { "\(interface.name).\($0)" })
                == Set(methods.map { $0.name }))
        let declared = interface.members.filter { member in
            if case .error = member.kind { true } else { false }
        }
        #expect(
            Set(declared.map { "\(interface.name).\($0.name)" }) == Set(errors.map { $0.name }))
        for method in methods { #expect(try differences(of: method, from: interface) == []) }
        for error in errors { #expect(try differences(of: error, from: interface) == []) }
    }

    @Test func `every part of both interfaces is explained`() throws {
        #expect(undocumentedParts(of: try Self.scheduler.get()) == [])
        #expect(undocumentedParts(of: try Self.manager.get()) == [])
    }

    @Test func `a type that both interfaces have reads alike in both`() throws {
        let scheduler = try Self.scheduler.get()
        for member in try Self.manager.get().members {
            guard case .type = member.kind, let other = scheduler.member(member.name) else {
                continue
            }
            #expect(member == other, "\(member.name) differs")
        }
    }
}
