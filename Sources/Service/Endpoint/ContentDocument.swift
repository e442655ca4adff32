// What a notification says, between the wire and the one text that the scheduler and the store keep
// of it. A field that is added to Wire.Content is in that text without a word here.

package import Scheduling
package import SchedulerInterface
import Varlink

extension Content {
    /// Values that add nothing, such as an empty text or normal urgency, are left out, and so do
    /// not show in a listing either.
    package init(_ wire: Wire.Content) {
        var kept = wire
        kept.title = nil
        if kept.subtitle == "" { kept.subtitle = nil }
        if kept.body == "" { kept.body = nil }
        if kept.urgency == .normal { kept.urgency = nil }
        self.init(title: wire.title ?? "", document: kept.jsonText)
    }
}

extension Wire.Content {
    /// Reads the document again; what a later schedd added to it is passed over. Where that fails,
    /// which takes a document that nothing here wrote, the title is still to be had.
    package init(_ content: Content) {
        let document = try? Payload(jsonText: Array(content.document.utf8))
        self = (try? document?.decodeTolerantly(Wire.Content.self)) ?? Wire.Content()
        title = content.title.isEmpty ? nil : content.title
    }
}
