// Notifications as tests write them: only what a test is about is said.

import SchedulerInterface
import Service

extension Presentation {
    init(
        deliveryID: Int64, replaces: Int64? = nil, app: String, title: String,
        subtitle: String? = nil, body: String? = nil, urgency: Wire.Urgency = .normal,
        desktopEntry: String? = nil, expireTimeoutUsec: Int64? = nil,
        actions: [PresentationAction] = []
    ) {
        self.init(
            deliveryID: deliveryID, replaces: replaces, app: app, desktopEntry: desktopEntry,
            content: Wire.Content(
                title: title, subtitle: subtitle, body: body, urgency: urgency,
                expireTimeoutUsec: expireTimeoutUsec),
            actions: actions)
    }
}
