// A real desktop: dunst on Xvfb and a bus of its own, run by Tests/recipes/with-dunst. What is on
// the screen is asked of dunst itself.

import Foundation
import SchedulerInterface
import Service
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2))) struct `Presentation in dunst` {
    /// Xvfb and a bus; dunst is started and killed by the test.
    final class Desktop: Sendable {
        let folder: TemporaryFolder
        let environment: [String: String]
        private let recipe: RunningProgram
        private let dunst = Held<RunningProgram?>(nil)

        var address: String? { environment["DBUS_SESSION_BUS_ADDRESS"] }

        init() async throws {
            folder = try TemporaryFolder()
            let path = URL(filePath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "recipes/with-dunst").path
            recipe = try RunningProgram(
                path,
                [
                    "--no-server", folder.url.path, "/bin/sh", "-c",
                    """
                    echo "DESKTOP $DISPLAY $XAUTHORITY $DBUS_SESSION_BUS_ADDRESS"
                    read -r _
                    """,
                ], environment: ProcessInfo.processInfo.environment)
            let text = try await recipe.output.first {
                $0.contains("DESKTOP") || $0.contains("with-dunst:")
            }
            let line = try #require(
                text.split(separator: "\n").first { $0.hasPrefix("DESKTOP ") }, "\(text)")
            let words = line.split(separator: " ").map(String.init)
            environment = ProcessInfo.processInfo.environment.merging([
                "DISPLAY": words[1], "XAUTHORITY": words[2],
                "DBUS_SESSION_BUS_ADDRESS": words[3],
            ]) { $1 }
        }

        deinit {
            killDunst()
            recipe.stop()
        }

        /// Comes back when dunst has the name.
        func startDunst() throws {
            dunst.set(
                try RunningProgram(
                    folder.url.appending(path: "dunst").path, [], environment: environment))
            try run(
                "gdbus", "wait", "--session", "--timeout", "15", "org.freedesktop.Notifications")
        }

        /// As a crash would: without a goodbye on the bus.
        func killDunst() {
            dunst.get()?.kill()
            dunst.set(nil)
        }

        @discardableResult
        func run(_ program: String, _ arguments: String...) throws -> String {
            let child = try ChildProcess.run(
                "/usr/bin/env", [program] + arguments, environment: environment)
            try #require(
                child.status == 0,
                "\(program) \(arguments): \(String(decoding: child.errors, as: UTF8.self))")
            return String(decoding: child.output, as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }

        func displayed() throws -> Int? {
            Int(try run("dunstctl", "count", "displayed"))
        }

        /// What dunst has shown and closed, latest first: its own record of the texts.
        func history() throws -> [[String: String]] {
            struct History: Decodable {
                struct Field: Decodable {
                    var text = ""
                    enum Keys: CodingKey { case data }

                    init(from decoder: any Decoder) throws {
                        let values = try decoder.container(keyedBy: Keys.self)
                        text = (try? values.decode(String.self, forKey: .data)) ?? ""
                    }
                }
                var data: [[[String: Field]]]
            }
            let text = try run("dunstctl", "history")
            let history = try JSONDecoder().decode(History.self, from: Data(text.utf8))
            return history.data.flatMap { $0 }.map { $0.mapValues(\.text) }
        }
    }

    @Test func `B66: dunst that arrives late shows what waited within two seconds`()
        async throws
    {
        let desktop = try await Desktop()
        let desk = try Desk(address: desktop.address)
        desk.present(delivery(1, title: "It was due before"))
        try await desk.expect(.failing(reason: "no notification server on the session bus"))
        try desktop.startDunst()
        try await desk.expect(.presented(deliveryID: 1), within: 2)
        #expect(try desktop.displayed() == 1)
    }

    @Test func `B69 B70: the text is right on the screen, and dismissing it is told`()
        async throws
    {
        let desktop = try await Desktop()
        try desktop.startDunst()
        let desk = try Desk(address: desktop.address)
        desk.present(
            Presentation(
                deliveryID: 1, app: "Calendar", title: "Tom & Jerry <tom@example.com>",
                subtitle: "1 < 2 & 3", body: "<b>not bold</b> \"quoted\"\nsecond line 🇳🇴",
                urgency: .critical))
        try await desk.expect(.presented(deliveryID: 1))
        #expect(try desktop.displayed() == 1)
        if let picture = ProcessInfo.processInfo.environment["SCHEDD_TEST_PICTURE"] {
            try desktop.run("import", "-window", "root", picture)
        }
        try desktop.run("dunstctl", "close")
        try await desk.expect(.closed(deliveryID: 1, reason: .dismissed))
        let shown = try #require(try desktop.history().first)
        #expect(shown["summary"] == "Tom & Jerry <tom@example.com>")
        #expect(
            shown["body"]
                == "1 &lt; 2 &amp; 3\n&lt;b&gt;not bold&lt;/b&gt; &quot;quoted&quot;\n"
                + "second line 🇳🇴")
        #expect(shown["appname"] == "Calendar")
    }

    @Test func `withdrawing takes it off the screen, replacing changes it in place`()
        async throws
    {
        let desktop = try await Desktop()
        try desktop.startDunst()
        let desk = try Desk(address: desktop.address)
        desk.present(delivery(1, title: "first"))
        try await desk.expect(.presented(deliveryID: 1))
        desk.present(delivery(2, replaces: 1, title: "second"))
        try await desk.expect(.presented(deliveryID: 2))
        #expect(try desktop.displayed() == 1)
        desk.withdraw(2)
        try await desk.expect(.closed(deliveryID: 2, reason: .closedByCall))
        #expect(try desktop.displayed() == 0)
        #expect(try desktop.history().first?["summary"] == "second")
    }

    @Test func `a killed dunst shows nothing again when it is back, only what is new`()
        async throws
    {
        let desktop = try await Desktop()
        try desktop.startDunst()
        let desk = try Desk(address: desktop.address)
        desk.present(delivery(1, title: "before"))
        try await desk.expect(.presented(deliveryID: 1))
        desktop.killDunst()
        desk.present(delivery(2, title: "after"))
        try desktop.startDunst()
        try await desk.expect(.presented(deliveryID: 2))
        #expect(try desktop.displayed() == 1)
        // Its numbers start again, so this must not close what has the old one's number now.
        desk.withdraw(1)
        desk.present(delivery(3, title: "third"))
        try await desk.expect(.presented(deliveryID: 3))
        #expect(try desktop.displayed() == 2)
        desk.withdraw(2)
        try await desk.expect(.closed(deliveryID: 2, reason: .closedByCall))
        #expect(try desktop.history().map { $0["summary"] } == ["after"])
    }

    @Test func `B73: an action ends in one report and an empty screen`() async throws {
        let desktop = try await Desktop()
        try desktop.startDunst()
        let desk = try Desk(address: desktop.address)
        var presentation = delivery(1)
        presentation.actions = [PresentationAction(key: "default", label: "Open")]
        desk.present(presentation)
        try await desk.expect(.presented(deliveryID: 1))
        try desktop.run("dunstctl", "action", "0")
        try await desk.expect(.invoked(deliveryID: 1, actionKey: "default"))
        // The next one comes after all that dunst has to say about the first.
        desk.present(delivery(2))
        try await desk.expect(.presented(deliveryID: 2))
        #expect(try desktop.displayed() == 1)
        #expect(
            desk.reports.entries == [
                .presented(deliveryID: 1), .invoked(deliveryID: 1, actionKey: "default"),
                .presented(deliveryID: 2),
            ])
    }
}
