// What is on the screen: numbers of the server, replacing, withdrawing, answers of the user.

import SchedulerInterface
import Service
import Testing

@Suite struct `Presentation on the screen` {
    @Test(arguments: [32, 33] as [UInt32])
    func `B68: the number that Notify returns is the one used from then on`(returned: UInt32) {
        var stage = Stage.showing([(1, 32)])
        let call = stage.send(.present(delivery(2, replaces: 1))).notifyCalls[0]
        #expect(call.call.replacesID == 32)
        let actions = stage.send(.notifyReturned(call: call.token, serverID: returned))
        #expect(actions.reports == [.presented(deliveryID: 2)])
        // A server that gave a new number may have left the old one on the screen.
        #expect(actions.closed == (returned == 32 ? [] : [32]))
        #expect(stage.send(.withdraw(deliveryID: 1)) == [])
        #expect(stage.send(.withdraw(deliveryID: 2)).closed == [returned])
        #expect(stage.presenter.summary.waiting == 0)
        #expect(stage.armed == nil)
    }

    @Test func `B68: presenting a key again replaces it on the screen`() {
        var stage = Stage.showing([(1, 32)])
        let call = stage.send(.present(delivery(1, title: "new"))).notifyCalls[0]
        #expect(call.call.replacesID == 32)
        _ = stage.send(.notifyReturned(call: call.token, serverID: 33))
        let actions = stage.send(.closed(server: ":1.5", serverID: 33, reason: 2))
        #expect(actions.reports == [.closed(deliveryID: 1, reason: .dismissed)])
        #expect(stage.send(.closed(server: ":1.5", serverID: 32, reason: 2)) == [])
    }

    @Test func `a chain of replacements that wait shows the last one in the first one's place`() {
        var stage = Stage.showing([(1, 32)])
        _ = stage.send(.present(delivery(9)))
        _ = stage.send(.present(delivery(2, replaces: 1)))
        _ = stage.send(.present(delivery(3, replaces: 2)))
        #expect(stage.presenter.summary.waiting == 2)
        let call = stage.send(.notifyReturned(call: 2, serverID: 40)).notifyCalls[0]
        #expect(call.call.summary == "T3")
        #expect(call.call.replacesID == 32)
    }

    @Test func `replacing what is being called waits for its number`() {
        var stage = Stage.withServer()
        _ = stage.send(.present(delivery(1)))
        #expect(stage.send(.present(delivery(2, replaces: 1))) == [])
        let actions = stage.send(.notifyReturned(call: 1, serverID: 7))
        #expect(actions.reports == [.presented(deliveryID: 1)])
        #expect(actions.notifyCalls.first?.call.replacesID == 7)
    }

    @Test func `replacing what is refused shows only the new one, in the place of the oldest`() {
        var stage = Stage.showing([(1, 32)])
        _ = stage.send(.present(delivery(2, replaces: 1)))
        _ = stage.send(.present(delivery(3, replaces: 2)))
        var calls = stage.send(.notifyFailed(call: 2, errorName: "x")).notifyCalls
        calls += stage.pass(10_000_000).notifyCalls
        #expect(calls.map(\.call.summary) == ["T3"])
        #expect(calls.first?.call.replacesID == 32)
    }

    @Test func `withdrawing what waits shows nothing`() {
        var stage = Stage()
        _ = stage.send(.present(delivery(1)))
        #expect(stage.send(.withdraw(deliveryID: 1)) == [])
        #expect(stage.presenter.summary.waiting == 0)
        #expect(stage.send(.withdraw(deliveryID: 1)) == [])
        #expect(stage.send(.withdraw(deliveryID: 77)) == [])
    }

    @Test func `withdrawing what waits to replace takes the shown one off the screen`() {
        var stage = Stage.showing([(1, 32)])
        _ = stage.send(.present(delivery(9)))
        _ = stage.send(.present(delivery(2, replaces: 1)))
        #expect(stage.send(.withdraw(deliveryID: 2)).closed == [32])
    }

    @Test func `withdrawing what waits to replace an unanswered one takes that away too`() {
        var stage = Stage.withServer()
        _ = stage.send(.present(delivery(1)))
        _ = stage.send(.present(delivery(2, replaces: 1)))
        #expect(stage.send(.withdraw(deliveryID: 2)) == [])
        #expect(stage.send(.notifyReturned(call: 1, serverID: 7)).closed == [7])
        #expect(stage.presenter.summary.waiting == 0)

        // With an older one on the screen, whose place the unanswered one takes.
        var busy = Stage.showing([(1, 32)])
        _ = busy.send(.present(delivery(2, replaces: 1)))
        _ = busy.send(.present(delivery(3, replaces: 2)))
        _ = busy.send(.withdraw(deliveryID: 3))
        #expect(busy.send(.notifyReturned(call: 2, serverID: 32)).closed == [32])
        #expect(busy.pass(100_000_000) == [])

        // Never answered, the older one goes.
        var silent = Stage.showing([(1, 32)])
        _ = silent.send(.present(delivery(2, replaces: 1)))
        _ = silent.send(.present(delivery(3, replaces: 2)))
        _ = silent.send(.withdraw(deliveryID: 3))
        let actions = silent.pass(100_000_000)
        #expect(actions.closed == [32])
        #expect(actions.notifyCalls.isEmpty)
    }

    @Test func `withdrawing during the call closes it when the number comes`() {
        var stage = Stage.withServer()
        _ = stage.send(.present(delivery(1)))
        #expect(stage.send(.withdraw(deliveryID: 1)) == [])
        let actions = stage.send(.notifyReturned(call: 1, serverID: 7))
        #expect(
            actions == [
                .report(.presented(deliveryID: 1)),
                .closeNotification(server: ":1.5", serverID: 7),
            ])
        #expect(
            stage.send(.closed(server: ":1.5", serverID: 7, reason: 3)).reports
                == [.closed(deliveryID: 1, reason: .closedByCall)])
    }

    @Test func `withdrawing during a call that fails or is never answered ends it`() {
        var refused = Stage.withServer()
        _ = refused.send(.present(delivery(1)))
        _ = refused.send(.withdraw(deliveryID: 1))
        #expect(refused.send(.notifyFailed(call: 1, errorName: "x")) == [])
        #expect(refused.pass(100_000_000) == [])
        var silent = Stage.withServer()
        _ = silent.send(.present(delivery(1)))
        _ = silent.send(.withdraw(deliveryID: 1))
        #expect(silent.pass(100_000_000).notifyCalls.isEmpty)
        #expect(silent.send(.notifyReturned(call: 1, serverID: 7)).closed == [7])
    }

    @Test(
        arguments: [
            (1, .expired), (2, .dismissed), (3, .closedByCall), (4, .undefined), (99, .undefined),
        ] as [(UInt32, CloseReason)])
    func `B73: closed is reported once with its reason`(number: UInt32, reason: CloseReason) {
        var stage = Stage.showing([(1, 7)])
        let event = PresenterEvent.closed(server: ":1.5", serverID: 7, reason: number)
        #expect(stage.send(event) == [.report(.closed(deliveryID: 1, reason: reason))])
        #expect(stage.send(event) == [])
        #expect(stage.send(.withdraw(deliveryID: 1)) == [])
    }

    @Test func `B73: an action ends the notification and closes it`() {
        var stage = Stage.showing([(1, 7)])
        let event = PresenterEvent.actionInvoked(
            server: ":1.5", serverID: 7, actionKey: "default")
        #expect(
            stage.send(event) == [
                .report(.invoked(deliveryID: 1, actionKey: "default")),
                .closeNotification(server: ":1.5", serverID: 7),
            ])
        #expect(stage.send(event) == [])
        #expect(stage.send(.closed(server: ":1.5", serverID: 7, reason: 2)) == [])
    }

    @Test func `B73: an action within five seconds after the close is recorded once`() {
        let action = PresenterEvent.actionInvoked(server: ":1.5", serverID: 7, actionKey: "yes")
        for (wait, isRecorded) in [(0, true), (5_000_000, true), (5_000_001, false)] {
            var stage = Stage.showing([(1, 7)])
            _ = stage.send(.closed(server: ":1.5", serverID: 7, reason: 2))
            stage.now += Int64(wait)
            let expected: [PresenterAction] =
                isRecorded ? [.report(.invoked(deliveryID: 1, actionKey: "yes"))] : []
            #expect(stage.send(action) == expected)
            #expect(stage.send(action) == [])
        }
    }

    @Test func `B73: signals before the answer to Notify are kept for it`() {
        var stage = Stage.withServer()
        _ = stage.send(.present(delivery(1)))
        #expect(stage.send(.closed(server: ":1.5", serverID: 8, reason: 2)) == [])
        #expect(
            stage.send(.actionInvoked(server: ":1.5", serverID: 7, actionKey: "yes")) == [])
        #expect(
            stage.send(.notifyReturned(call: 1, serverID: 7)) == [
                .report(.presented(deliveryID: 1)),
                .report(.invoked(deliveryID: 1, actionKey: "yes")),
                .closeNotification(server: ":1.5", serverID: 7),
            ])
        // What was kept for another program's number is gone with the last unanswered call.
        let next = stage.send(.present(delivery(2))).notifyCalls[0]
        #expect(
            stage.send(.notifyReturned(call: next.token, serverID: 8)).reports
                == [.presented(deliveryID: 2)])
    }

    @Test func `signals for numbers of other programs are nothing to us`() {
        var stage = Stage.showing([(1, 7)])
        #expect(stage.send(.closed(server: ":1.5", serverID: 8, reason: 2)) == [])
        #expect(stage.send(.actionInvoked(server: ":1.5", serverID: 9, actionKey: "x")) == [])
    }

    @Test func `signals from anyone but the server are nothing to us`() {
        var stage = Stage.showing([(1, 7)])
        #expect(stage.send(.closed(server: ":1.66", serverID: 7, reason: 2)) == [])
        #expect(stage.send(.actionInvoked(server: ":1.66", serverID: 7, actionKey: "x")) == [])
    }

    @Test func `a dead server takes its numbers along and nothing is shown again`() {
        var stage = Stage.showing([(1, 7), (2, 8)])
        #expect(stage.send(.serverVanished) == [])
        #expect(stage.send(.serverAppeared(name: ":1.9")) == [.queryCapabilities(server: ":1.9")])
        #expect(stage.send(.capabilitiesReceived(server: ":1.9", [])) == [])
        #expect(stage.send(.closed(server: ":1.9", serverID: 7, reason: 2)) == [])
        #expect(stage.send(.withdraw(deliveryID: 1)) == [])
    }

    @Test func `B69: capabilities are read again when the owner changes`() {
        var stage = Stage.withServer(["body-markup"])
        var presentation = delivery(1)
        presentation.content.body = "1 < 2"
        #expect(stage.send(.present(presentation)).notifyCalls[0].call.body == "1 &lt; 2")
        // The owner changes in one step, with the call unanswered.
        _ = stage.send(.serverAppeared(name: ":1.9"))
        let calls = stage.send(.capabilitiesReceived(server: ":1.9", ["body"])).notifyCalls
        #expect(calls.map(\.call.body) == ["1 < 2"])
        #expect(stage.send(.notifyReturned(call: 1, serverID: 7)) == [])
        #expect(
            stage.send(.notifyReturned(call: 2, serverID: 7)).reports
                == [.presented(deliveryID: 1)])
    }

    @Test func `a lost bus puts the unanswered delivery first in line again`() {
        var stage = Stage.withServer()
        _ = stage.send(.present(delivery(1)))
        _ = stage.send(.present(delivery(2)))
        _ = stage.send(.busLost(reason: "gone"))
        #expect(stage.presenter.summary.waiting == 2)
        #expect(stage.fireTimer() == [.connect])
        _ = stage.send(.busConnected)
        _ = stage.send(.serverAppeared(name: ":1.2"))
        #expect(stage.send(.capabilitiesReceived(server: ":1.2", [])).titles == ["T1"])
    }
}
