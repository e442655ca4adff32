// The options that every command takes, before or after its name.

package import Platform

/// What was said for all commands.
package struct GlobalOptions: Equatable, Sendable {
    package var socket: String?
    package var app: String?
    package var json: Bool

    package init(socket: String? = nil, app: String? = nil, json: Bool = false) {
        self.socket = socket
        self.app = app
        self.json = json
    }

    package init(_ options: ParsedOptions) throws(UsageError) {
        socket = options.value(of: "socket")
        app = options.value(of: "app")
        json = options.contains("json")
        if socket == "" { throw UsageError("--socket needs a path") }
        if app == "" { throw UsageError("--app needs the id of an app, such as org.example.Clock") }
    }

    package static let options = [
        OptionDescription(
            "socket", value: "PATH",
            help: "schedd's socket; $SCHEDD_SOCKET when absent, else\n"
                + "$XDG_RUNTIME_DIR/schedd/io.schedd"),
        OptionDescription(
            "app", value: "ID", help: "act for this app, or show only what is its own"),
        OptionDescription("json", help: "print JSON, for programs"),
        OptionDescription("help", short: "h", help: "show this help and exit"),
        OptionDescription("version", help: "print the version and exit"),
    ]
}
