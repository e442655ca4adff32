// When deliveries are shown, and that each is shown once, whatever bus and server do.

import SchedulerInterface
import Service
import Testing

@Suite struct `Presentation order` {
    @Test func `a delivery is presented only after the server's answer`() {
        var stage = Stage.withServer()
        let actions = stage.send(.present(delivery(1)))
        #expect(actions.titles == ["T1"])
        #expect(actions.reports == [])
        #expect(stage.presenter.summary.waiting == 1)
        let token = actions.notifyCalls[0].token
        #expect(
            stage.send(.notifyReturned(call: token, serverID: 9)).reports
                == [.presented(deliveryID: 1)])
        #expect(stage.presenter.summary.waiting == 0)
        #expect(stage.send(.notifyReturned(call: token, serverID: 9)) == [])
    }

    @Test func `deliveries are called one at a time and in order`() {
        var stage = Stage.withServer()
        var titles = stage.send(.present(delivery(1))).titles
        for key in Int64(2)...5 {
            titles += stage.send(.present(delivery(key))).titles
        }
        #expect(titles == ["T1"])
        for token in UInt64(1)...5 {
            titles += stage.send(.notifyReturned(call: token, serverID: UInt32(token))).titles
        }
        #expect(titles == ["T1", "T2", "T3", "T4", "T5"])
    }

    @Test func `nothing is armed and nothing is tried while nothing waits`() {
        var stage = Stage()
        #expect(stage.send(.started) == [.connect])
        #expect(stage.send(.busLost(reason: "no bus")) == [])
        #expect(stage.armed == nil)
        var shown = Stage.showing([(1, 9)])
        #expect(shown.armed == nil)
        #expect(shown.send(.serverVanished) == [])
        #expect(shown.armed == nil)
        #expect(shown.send(.busLost(reason: "gone")) == [])
        #expect(shown.armed == nil)
    }

    @Test func `B66: without a bus it waits, looks each second, and shows once when one comes`() {
        var stage = Stage()
        _ = stage.send(.started)
        _ = stage.send(.busLost(reason: "no bus"))
        var connects = stage.send(.present(delivery(1))).count { $0 == .connect }
        connects += stage.pass(300_000).count { $0 == .connect }
        #expect(connects == 1)
        #expect(stage.send(.busLost(reason: "no bus")).reports == [.failing(reason: "no bus")])
        for _ in 0..<20 {
            let before = stage.now
            #expect(stage.fireTimer() == [.connect])
            #expect(stage.now - before <= 1_000_000)
            #expect(stage.send(.busLost(reason: "no bus")) == [])
        }
        _ = stage.fireTimer()
        // The first thing heard of a connected bus without a server.
        #expect(stage.send(.busConnected) == [.startServer])
        #expect(stage.send(.serverAppeared(name: ":1.5")) == [.queryCapabilities(server: ":1.5")])
        let actions = stage.send(.capabilitiesReceived(server: ":1.5", []))
        #expect(actions.titles == ["T1"])
        #expect(
            stage.send(.notifyReturned(call: 1, serverID: 1)).reports
                == [.presented(deliveryID: 1)])
        #expect(stage.armed == nil)
    }

    @Test func `a bus that does not answer is dropped and tried again`() {
        var stage = Stage()
        _ = stage.send(.started)
        _ = stage.send(.present(delivery(1)))
        let actions = stage.fireTimer()
        #expect(
            actions == [
                .disconnect, .report(.failing(reason: "the session bus does not answer")),
            ])
        #expect(stage.fireTimer() == [.connect])
    }

    @Test func `B66: no server: asked once to start, then waits for one to come by itself`() {
        var stage = Stage()
        _ = stage.send(.started)
        #expect(stage.send(.busConnected) == [])
        #expect(stage.send(.present(delivery(1))) == [.startServer])
        #expect(
            stage.send(
                .serverStartFailed(errorName: "org.freedesktop.DBus.Error.ServiceUnknown")
            ).reports == [.failing(reason: "no notification server on the session bus")])
        #expect(stage.armed == nil)
        #expect(stage.presenter.summary.lastError != nil)
        #expect(stage.pass(60_000_000) == [])
        _ = stage.send(.serverAppeared(name: ":1.5"))
        #expect(
            stage.send(.capabilitiesReceived(server: ":1.5", [])).titles == ["T1"])
    }

    @Test func `a server that fails to start is tried again with growing pauses`() {
        var stage = Stage()
        _ = stage.send(.started)
        _ = stage.send(.busConnected)
        _ = stage.send(.present(delivery(1)))
        var pauses: [Int64] = []
        for _ in 0..<8 {
            _ = stage.send(.serverStartFailed(errorName: "org.freedesktop.DBus.Error.Spawn.Failed"))
            let before = stage.now
            #expect(stage.fireTimer() == [.startServer])
            pauses.append((stage.now - before) / 1_000_000)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60])
    }

    @Test func `B74: refused calls are tried again with growing pauses and shown once`() {
        var stage = Stage.withServer()
        let excess = "org.freedesktop.Notifications.Error.ExcessNotificationGeneration"
        var tokens = stage.send(.present(delivery(1))).notifyCalls.map(\.token)
        var pauses: [Int64] = []
        for round in 0..<3 {
            let actions = stage.send(.notifyFailed(call: tokens[round], errorName: excess))
            #expect(actions.notifyCalls.isEmpty)
            #expect(stage.presenter.summary.lastError?.contains(excess) == true)
            let before = stage.now
            tokens += stage.fireTimer().notifyCalls.map(\.token)
            pauses.append((stage.now - before) / 1_000_000)
        }
        #expect(pauses == [1, 2, 4])
        #expect(tokens.count == 4)
        let actions = stage.send(.notifyReturned(call: tokens[3], serverID: 3))
        #expect(actions == [.report(.presented(deliveryID: 1))])
        #expect(stage.presenter.summary.lastError == nil)
        #expect(stage.armed == nil)
    }

    @Test func `a delivery that is always refused lets the others pass and is kept`() {
        var stage = Stage.withServer()
        var shown: [String] = []
        var pending = stage.send(.present(delivery(1))).notifyCalls
        _ = stage.send(.present(delivery(2)))
        _ = stage.send(.present(delivery(3)))
        var refusals = 0
        for _ in 0..<12 {
            guard let (token, call) = pending.first else {
                pending = stage.fireTimer().notifyCalls
                continue
            }
            if call.summary == "T1" {
                refusals += 1
                pending = stage.send(.notifyFailed(call: token, errorName: "x")).notifyCalls
            } else {
                shown.append(call.summary)
                pending =
                    stage.send(.notifyReturned(call: token, serverID: UInt32(token))).notifyCalls
            }
        }
        #expect(shown == ["T2", "T3"])
        #expect(refusals >= 4)
        #expect(stage.presenter.summary.waiting == 1)
        #expect(stage.armed != nil)
    }

    @Test func `B66: an unanswered call is tried three times, then the next server gets it`() {
        var stage = Stage.withServer()
        var titles = stage.send(.present(delivery(1))).titles
        titles += stage.pass(300_000_000).titles
        #expect(titles == ["T1", "T1", "T1"])
        #expect(stage.armed == nil)
        #expect(stage.presenter.summary.lastError == "the notification server does not answer")
        #expect(stage.send(.serverVanished) == [.startServer])
        _ = stage.send(.serverAppeared(name: ":1.8"))
        #expect(stage.send(.capabilitiesReceived(server: ":1.8", [])).titles == ["T1"])
    }

    @Test func `one delivery that a server never answers for does not stop the others`() {
        var stage = Stage.withServer()
        _ = stage.send(.present(delivery(1)))
        for number in 2...4 { _ = stage.send(.present(delivery(Int64(number)))) }
        var actions: [PresenterAction] = []
        while actions.titles.last != "T2" { actions += stage.fireTimer() }
        #expect(actions.titles == ["T1", "T1", "T2"])
        #expect(actions.reports.contains(.putOff(deliveryID: 1)))
        var shown: [String] = []
        var pending = actions.notifyCalls.suffix(1)
        while let (token, call) = pending.first {
            shown.append(call.summary)
            pending =
                stage.send(.notifyReturned(call: token, serverID: UInt32(token))).notifyCalls[...]
        }
        #expect(shown == ["T2", "T3", "T4"])
        #expect(stage.pass(300_000_000).isEmpty)
        // Its answer may still come.
        #expect(stage.presenter.summary.waiting == 1)
        #expect(
            stage.send(.notifyReturned(call: 2, serverID: 99)).reports
                == [.presented(deliveryID: 1)])
    }

    @Test func `a server that answers for nothing is left alone after the second delivery`() {
        var stage = Stage.withServer()
        for number in 1...9 { _ = stage.send(.present(delivery(Int64(number)))) }
        let titles = stage.pass(300_000_000).titles
        #expect(titles == ["T1", "T1", "T2"])
        #expect(stage.armed == nil)
    }

    @Test func `late refusals are answers, and what waits is tried again`() {
        var stage = Stage.withServer()
        _ = stage.send(.present(delivery(1)))
        _ = stage.pass(300_000_000)
        #expect(stage.armed == nil)
        for call in 1...3 { _ = stage.send(.notifyFailed(call: UInt64(call), errorName: "x")) }
        let again = stage.pass(300_000_000)
        #expect(again.titles.first == "T1")
        let token = again.notifyCalls.first?.token ?? 0
        #expect(
            stage.send(.notifyReturned(call: token, serverID: 9)).reports
                == [.presented(deliveryID: 1)])
    }

    @Test func `a delivery that is refused again and again is put off, each time`() {
        var stage = Stage.withServer()
        var pending = stage.send(.present(delivery(1))).notifyCalls
        var reports: [[PresenterReport]] = []
        for _ in 0..<4 {
            let token = pending.first?.token ?? 0
            reports.append(stage.send(.notifyFailed(call: token, errorName: "x")).reports)
            pending = stage.fireTimer().notifyCalls
        }
        let putOff = reports.map { $0.contains(.putOff(deliveryID: 1)) }
        #expect(putOff == [false, false, true, true])
    }

    @Test func `a late answer counts, and second showings are closed`() {
        var stage = Stage.withServer()
        _ = stage.send(.present(delivery(1)))
        _ = stage.send(.present(delivery(2)))
        _ = stage.pass(300_000_000)
        #expect(
            stage.send(.notifyReturned(call: 1, serverID: 11)).reports
                == [.presented(deliveryID: 1)])
        #expect(stage.send(.notifyReturned(call: 2, serverID: 12)).closed == [12])
        #expect(stage.send(.notifyReturned(call: 3, serverID: 13)).closed == [13])
        #expect(
            stage.send(.notifyReturned(call: 4, serverID: 14)).reports
                == [.presented(deliveryID: 2)])
        let gone = stage.send(.closed(server: ":1.5", serverID: 11, reason: 2))
        #expect(gone.reports == [.closed(deliveryID: 1, reason: .dismissed)])
    }

    @Test func `a late answer during the second try shows it once`() {
        var stage = Stage.withServer()
        _ = stage.send(.present(delivery(1)))
        #expect(
            stage.fireTimer() == [
                .report(.failing(reason: "the notification server does not answer"))
            ])
        #expect(stage.fireTimer().titles == ["T1"])
        #expect(
            stage.send(.notifyReturned(call: 1, serverID: 11)).reports
                == [.presented(deliveryID: 1)])
        let second = stage.send(.notifyReturned(call: 2, serverID: 12))
        #expect(second == [.closeNotification(server: ":1.5", serverID: 12)])
    }

    @Test func `capabilities that never come are asked for three times`() {
        var stage = Stage()
        _ = stage.send(.started)
        _ = stage.send(.busConnected)
        _ = stage.send(.present(delivery(1)))
        var asked = stage.send(.serverAppeared(name: ":1.5"))
        asked += stage.pass(300_000_000)
        #expect(asked.count { $0 == .queryCapabilities(server: ":1.5") } == 3)
        #expect(stage.armed == nil)
        #expect(stage.send(.capabilitiesReceived(server: ":1.5", [])).titles == ["T1"])
    }

    @Test func `a server that refuses GetCapabilities is used with escaped text`() {
        var stage = Stage()
        _ = stage.send(.started)
        _ = stage.send(.busConnected)
        _ = stage.send(.serverAppeared(name: ":1.5"))
        _ = stage.send(.capabilitiesFailed(server: ":1.5", errorName: "x"))
        var presentation = delivery(1)
        presentation.content.body = "<b>"
        #expect(
            stage.send(.present(presentation)).notifyCalls.first?.call.body == "&lt;b&gt;")
    }
}
