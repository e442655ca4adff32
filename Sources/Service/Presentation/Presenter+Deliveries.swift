// The Presenter's second half: what happens to a delivery between `present` and the answers of the
// server. Every way out of a Notify call is here: answered, refused, unanswered, answered too late,
// and each of them while the delivery had been withdrawn or replaced meanwhile.

// MARK: - Deliveries

extension Presenter {
    /// The new one takes the place of what it replaces, wherever that is: out of the line, off the
    /// screen when its turn comes, or after the call for it has been answered.
    mutating func enqueue(_ presentation: Presentation) {
        var presentation = presentation
        for earlier in [presentation.deliveryID, presentation.replaces].compactMap({ $0 }) {
            if let waiting = line.remove(earlier), let shown = waiting.presentation.replaces {
                presentation.replaces = shown
            }
            calls.supersede(earlier)
        }
        line.append(WaitingLine.Item(presentation: presentation))
        if case .impossible = activation {
            activation = .untried
        }
    }

    mutating func withdraw(_ deliveryID: Int64, at now: Int64) {
        let waiting = line.remove(deliveryID)
        // What it was to replace is on the screen as its stand-in and has to go with it, or will be
        // there once its call is answered.
        for shown in [deliveryID, waiting?.presentation.replaces].compactMap({ $0 }) {
            calls.withdraw(shown)
            close(screen.withdraw(shown, at: now))
        }
    }

    mutating func close(_ serverID: UInt32?) {
        guard let serverID, let server else { return }
        actions.append(.closeNotification(server: server.name, serverID: serverID))
    }

    mutating func receive(
        _ signal: Screen.Signal, from sender: String, for serverID: UInt32, at now: Int64
    ) {
        // A match rule keeps out broadcasts of others; this keeps out what is sent to us directly.
        guard let server, server.name == sender else { return }
        let (report, number) = screen.receive(
            signal, for: serverID, isAnswerPending: !calls.isEmpty, at: now)
        if let report { actions.append(.report(report)) }
        close(number)
    }

    mutating func notify(_ item: WaitingLine.Item, at now: Int64) {
        guard let server, case .known(let capabilities) = server.capabilities else { return }
        let presentation = item.presentation
        let replaced = [presentation.deliveryID, presentation.replaces].compactMap { $0 }
            .first { screen.serverID(of: $0) != nil }
        let replacesID = replaced.flatMap { screen.serverID(of: $0) } ?? 0
        let token = calls.begin(item, replacing: replaced, until: now + timing.answerTimeoutUsec)
        actions.append(
            .notify(
                call: token, server: server.name,
                NotificationCall(
                    presentation, replacesID: replacesID, capabilities: capabilities)))
    }
}

// MARK: - Answers to Notify

extension Presenter {
    mutating func notifyReturned(_ token: UInt64, serverID: UInt32, at now: Int64) {
        guard let (call, wasCurrent) = calls.end(token) else { return }
        server?.unanswered = 0
        pausedUntil = .min
        succeeded()
        let deliveryID = call.item.presentation.deliveryID
        if wasCurrent && !call.isDuplicate {
            show(call, as: serverID, at: now)
            if call.isWithdrawn {
                close(screen.withdraw(deliveryID, at: now))
            }
        } else if call.isWanted, line.remove(deliveryID) != nil {
            // It had been given up and waited for another try; this is the answer after all.
            show(call, as: serverID, at: now)
        } else if call.isWanted, calls.markDuplicate(deliveryID) {
            show(call, as: serverID, at: now)
        } else if !screen.shows(serverID) {
            // A second showing of what is shown already, or of what is not wanted any more.
            close(serverID)
        }
        if calls.isEmpty {
            screen.forgetEarlySignals()
        }
    }

    private mutating func show(_ call: NotifyCalls.Call, as serverID: UInt32, at now: Int64) {
        let deliveryID = call.item.presentation.deliveryID
        let old = call.replaced.flatMap { screen.replace($0, at: now) }
        let early = screen.place(deliveryID, as: serverID)
        actions.append(.report(.presented(deliveryID: deliveryID)))
        if let old, old != serverID {
            // The server would not reuse the number: the one replaced may still be on the screen.
            close(old)
        }
        for signal in early {
            let (report, number) = screen.receive(
                signal, for: serverID, isAnswerPending: false, at: now)
            if let report { actions.append(.report(report)) }
            close(number)
        }
    }

    mutating func notifyFailed(_ token: UInt64, errorName: String, at now: Int64) {
        guard let (call, wasCurrent) = calls.end(token) else { return }
        // Also a refusal that comes late is an answer.
        server?.unanswered = 0
        pausedUntil = .min
        if wasCurrent {
            guard call.isWanted else {
                giveUp(call, at: now)
                return
            }
            refused(call.item, by: errorName, at: now)
        } else if call.isWanted, let item = line.remove(call.item.presentation.deliveryID) {
            refused(item, by: errorName, at: now)
        }
    }

    private mutating func refused(
        _ refused: WaitingLine.Item, by errorName: String, at now: Int64
    ) {
        var item = refused
        item.refusals += 1
        let pause = PresenterTiming.pause(failures: item.refusals, in: timing.retryUsec)
        if item.refusals < timing.refusalsInOrder {
            line.putBack(item)
            pausedUntil = now + pause
        } else {
            // The others get their chance, but no sooner than any call after a refusal.
            line.stepAside(item, until: now + pause)
            pausedUntil = now + timing.retryUsec.lowerBound
            actions.append(.report(.putOff(deliveryID: item.presentation.deliveryID)))
        }
        fail("the notification server refused: \(errorName)")
    }

    mutating func notifyUnanswered(_ call: NotifyCalls.Call, at now: Int64) {
        if call.isWanted {
            var item = call.item
            item.silences += 1
            if item.silences < timing.answerTries {
                line.putBack(item)
            } else {
                line.park(item)
                actions.append(.report(.putOff(deliveryID: item.presentation.deliveryID)))
            }
        } else {
            giveUp(call, at: now)
        }
        serverUnanswered(at: now)
    }

    /// A call came to nothing, and what it was for is not wanted any more.
    private mutating func giveUp(_ call: NotifyCalls.Call, at now: Int64) {
        if call.isWithdrawn, let shown = call.replaced {
            close(screen.withdraw(shown, at: now))
        }
        if call.isSuperseded {
            line.redirect(
                replacing: call.item.presentation.deliveryID, to: call.item.presentation.replaces)
        }
    }

    mutating func serverUnanswered(at now: Int64) {
        guard var server else { return }
        server.unanswered += 1
        pausedUntil =
            now + PresenterTiming.pause(failures: server.unanswered, in: timing.retryUsec)
        self.server = server
        fail("the notification server does not answer")
    }
}
