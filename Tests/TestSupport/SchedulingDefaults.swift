// What only schedd makes has to say every member, so that none is forgotten; tests say what they
// are about.

package import Scheduling

extension Content {
    /// A title and nothing else.
    package init(title: String) {
        self.init(title: title, document: "{}")
    }
}

extension Request {
    package init(
        identifier: String, content: Content, trigger: Trigger, ifMissed: MissedPolicy = .deliver
    ) {
        self.init(
            identifier: identifier, content: content, trigger: trigger, ifMissed: ifMissed,
            latenessLimit: nil)
    }
}
