// A status reply with ordinary values, to be changed where a test wants others.

import SchedulerInterface

extension ManagerMethod.GetStatus.Reply {
    static func made(now: Int64, _ change: (inout Self) -> Void = { _ in }) -> Self {
        var status = Self(
            version: "0.1.0", processID: 4_242, startedUsec: now - 7_260_000_000, nowUsec: now,
            apps: 2, pending: 12, backlog: 0, delivered: 4, missed: 1,
            nextUsec: now + 1_200_000_000,
            waiting: 0, timeZone: "Europe/Berlin", timeZoneSource: "/etc/localtime",
            stateDirectory: "/home/user/.local/state/schedd", storage: .ok,
            storageMessage: nil, presentation: .connected, notificationServer: nil,
            presentationMessage: nil, connections: 1)
        change(&status)
        return status
    }
}
