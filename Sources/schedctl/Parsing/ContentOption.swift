// What a notification says, as options of `schedctl add`: the one table from which its help, its
// reading, `schedctl show` and the words of a refusal are made. A new field of the content that
// people set by hand is one more row here.

import CivilTime
import Platform
package import SchedulerInterface

/// One field of the content, and the option that sets it.
package struct ContentOption: Sendable {
    /// Name, value and help line.
    package let option: OptionDescription
    /// The field's name on the wire, as a refusal has it.
    package let field: String
    /// What `schedctl show` calls it.
    package let label: String
    /// Puts the option's text into the content; the error is a whole sentence.
    package let read:
        @Sendable (_ text: String, _ content: inout Wire.Content) throws(UsageError) -> Void
    /// The field for people; nil when it is not set.
    package let shown: @Sendable (_ content: Wire.Content) -> String?

    /// What is read on the notification itself.
    package static let texts = [
        text("title", "Title", help: "first line", \.title),
        text("subtitle", "Subtitle", help: "second line", \.subtitle),
        text("body", "Body", help: "the text below", \.body),
    ]

    /// How it is shown.
    package static let settings = [
        ContentOption(
            option: OptionDescription(
                "urgency", value: "LEVEL", help: "low, normal (when absent) or critical"),
            field: "urgency", label: "Urgency",
            read: { (text, content) throws(UsageError) in
                content.urgency = try ParsedOptions.choice(text, "urgency", of: Wire.Urgency.self)
            },
            shown: { $0.urgency?.rawValue }),
        ContentOption(
            option: OptionDescription(
                "expire", value: "SPAN",
                help: "how long it stays on screen, or never; as the\n"
                    + "desktop decides when absent"),
            field: "expireTimeoutUsec", label: "Expires",
            read: { (text, content) throws(UsageError) in
                let seconds = text == "never" ? 0 : try TriggerOptions.span(text, of: "expire")
                content.expireTimeoutUsec = Int64(seconds * 1_000_000)
            },
            shown: { content in
                content.expireTimeoutUsec.map {
                    $0 == 0 ? "never" : "after \(TimeSpan(microseconds: $0))"
                }
            }),
    ]

    package static let all = texts + settings

    private static func text(
        _ name: String, _ label: String, help: String,
        _ field: any WritableKeyPath<Wire.Content, String?> & Sendable
    ) -> ContentOption {
        ContentOption(
            option: OptionDescription(name, value: "TEXT", help: help), field: name, label: label,
            read: { (text, content) throws(UsageError) in content[keyPath: field] = text },
            shown: { $0[keyPath: field] })
    }
}
