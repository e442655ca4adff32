// Swift source as it grows, in lines that are indented as the braces open and close.

struct SwiftSource {
    private static let widthLimit = 100

    private(set) var text = ""
    private var indent = ""

    /// A line; text inside a literal is not indented.
    mutating func line(_ content: String = "", isText: Bool = false) {
        if !content.isEmpty { text += isText ? content : indent + content }
        text += "\n"
    }

    mutating func comment(_ documentation: String) {
        guard !documentation.isEmpty else { return }
        for part in documentation.split(separator: "\n", omittingEmptySubsequences: false) {
            line(part.isEmpty ? "///" : "/// \(part)")
        }
    }

    mutating func open<Failure: Error>(
        _ head: String, _ body: (inout SwiftSource) throws(Failure) -> Void
    ) throws(Failure) {
        line("\(head) {")
        try inside(body)
        line("}")
    }

    /// A closure with one parameter.
    mutating func open(
        _ head: String, parameter: String, _ body: (inout SwiftSource) -> Void
    ) {
        line("\(head) { \(parameter) in")
        inside(body)
        line("}")
    }

    /// A function, its parameters in one line or each in its own.
    mutating func open(
        _ head: String, _ parameters: [String], _ body: (inout SwiftSource) -> Void
    ) {
        let whole = "\(head)(\(parameters.joined(separator: ", ")))"
        if indent.count + whole.count + 2 <= SwiftSource.widthLimit {
            return open(whole, body)
        }
        line("\(head)(")
        inside { source in
            for (place, parameter) in parameters.enumerated() {
                source.line(parameter + (place == parameters.count - 1 ? "" : ","))
            }
        }
        open(")", body)
    }

    private mutating func inside<Failure: Error>(
        _ body: (inout SwiftSource) throws(Failure) -> Void
    ) throws(Failure) {
        indent += "    "
        try body(&self)
        indent.removeLast(4)
    }
}
