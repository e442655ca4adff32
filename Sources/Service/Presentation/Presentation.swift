// What the daemon wants to see on the screen, and what it hears back about it. Values only: they
// know neither D-Bus nor a server. A delivery is named by its `deliveryID` throughout; the number
// that a server gives it never leaves this folder.

package import SchedulerInterface

/// One delivered notification as it is to be shown; `deliveryID` is its key for ever.
package struct Presentation: Sendable, Hashable {
    /// Presenting a key a second time replaces what is on the screen under it.
    package var deliveryID: Int64
    /// The earlier delivery whose place on the screen this one takes, shown or still waiting.
    package var replaces: Int64?
    /// The name that people are shown.
    package var app: String
    /// The name of the app's desktop file, without `.desktop`.
    package var desktopEntry: String?
    package var content: Wire.Content
    /// Buttons, in order; the key `default` is a click on the notification itself.
    package var actions: [PresentationAction]

    package init(
        deliveryID: Int64, replaces: Int64?, app: String, desktopEntry: String?,
        content: Wire.Content, actions: [PresentationAction]
    ) {
        self.deliveryID = deliveryID
        self.replaces = replaces
        self.app = app
        self.desktopEntry = desktopEntry
        self.content = content
        self.actions = actions
    }
}

/// A button: the key comes back when it is pressed, the label is what people read.
package struct PresentationAction: Sendable, Hashable {
    package var key: String
    package var label: String

    package init(key: String, label: String) {
        self.key = key
        self.label = label
    }
}

/// What became of deliveries, told once each and in the order in which it happened.
package enum PresenterReport: Sendable, Equatable {
    /// The server has answered that it took the notification.
    case presented(deliveryID: Int64)
    /// The server does not take it for now; it waits aside and lets the others pass.
    case putOff(deliveryID: Int64)
    /// It left the screen. An `invoked` may still follow within five seconds.
    case closed(deliveryID: Int64, reason: CloseReason)
    /// The user pressed a button; the last word on this delivery.
    case invoked(deliveryID: Int64, actionKey: String)
    /// Something that is waiting could not be shown now and will be tried again; for the status.
    case failing(reason: String)
}

/// Why a notification left the screen; only `dismissed` is the user's doing.
package enum CloseReason: Sendable, Hashable {
    case expired
    case dismissed
    case closedByCall
    case undefined

    /// The reason numbers of the specification; 4 and every number it does not name are undefined.
    package init(number: UInt32) {
        switch number {
        case 1: self = .expired
        case 2: self = .dismissed
        case 3: self = .closedByCall
        default: self = .undefined
        }
    }
}

/// How presentation stands, for the status.
package struct PresenterSummary: Sendable, Equatable {
    package var isConnected: Bool
    /// The unique bus name of the notification server, nil while there is none.
    package var serverName: String?
    /// What it calls itself, with its version, once it has said so.
    package var serverTitle: String?
    /// How many deliveries are not shown yet.
    package var waiting: Int
    /// The latest failure since something was last shown.
    package var lastError: String?

    package init(isConnected: Bool, serverName: String?, waiting: Int, lastError: String?) {
        self.isConnected = isConnected
        self.serverName = serverName
        self.waiting = waiting
        self.lastError = lastError
    }
}
