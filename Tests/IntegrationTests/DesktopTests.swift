// The main job on a real notification server: dunst on an X server and a bus of their own.

import Glibc
import Testing

@Suite(.serialized)
struct DesktopTests {
    private func onDesktop(
        hasServer: Bool = true, _ body: (TestBed, Desktop) throws -> Void
    ) throws {
        try TestBed.run { bed in
            let desktop = try Desktop(bed, hasServer: hasServer)
            let result = Result { try body(bed, desktop) }
            try desktop.end()
            try result.get()
        }
    }

    /// Whether schedd knows that the server took the first of the delivered.
    private func isFirstPresented(_ bed: TestBed) throws -> Bool {
        try JSON(parsing: bed.schedctl("--json", "delivered").text)[0].has("presentedUsec")
    }

    @Test func `what schedctl adds is shown with its text, and dismissed again`() throws {
        try onDesktop { bed, desktop in
            let daemon = try desktop.daemon()
            let watch = try bed.start("schedctl", ["--json", "watch", "--for", "presented"])
            #expect(Deadline.usual.waits { watch.errors.contains("connected") })
            try bed.schedctl(
                "add", "--id", "tea", "--in", "1s", "--title", "Tea & <cake>", "--body",
                "5 < 6 & \"7\"")
            #expect(try watch.nextLine()?.contains(#""tea""#) == true)
            #expect(try desktop.displayed() == 1)
            #expect(try bed.schedctl("status").text.contains("Notifications: dunst 1."))

            try bed.schedctl("dismiss", "tea")
            #expect(try desktop.waits(forDisplayed: 0))
            let shown = try desktop.history()
            #expect(shown.count == 1)
            #expect(shown.first?["summary"]["data"].string == "Tea & <cake>")
            // As markup, which dunst declares to understand.
            let body = shown.first?["body"]["data"].string ?? ""
            #expect(body.hasPrefix("5 &lt; 6 &amp; "), "\(body)")
            #expect(
                try JSON(parsing: bed.schedctl("--json", "delivered").text).array?.isEmpty == true)
            daemon.stop()
        }
    }

    @Test func `killed between add and due, it is shown after the restart, once`() throws {
        try onDesktop { bed, desktop in
            let first = try desktop.daemon()
            try bed.schedctl("add", "--id", "tea", "--in", "1s", "--title", "Tea")
            first.crash()
            let second = try desktop.daemon()
            #expect(try desktop.waits(forDisplayed: 1))
            let isTaken = try Deadline.usual.waits { try isFirstPresented(bed) }
            #expect(isTaken)
            second.crash()

            let third = try desktop.daemon()
            try bed.schedctl("add", "--id", "later", "--title", "Later")
            #expect(try desktop.waits(forDisplayed: 2))
            #expect(try desktop.history().count == 0)
            third.stop()
        }
    }

    @Test func `a firing waits for a server, and is shown within 2 s of its arrival`() throws {
        try onDesktop(hasServer: false) { bed, desktop in
            _ = try desktop.daemon()
            let watch = try bed.start("schedctl", ["--json", "watch"])
            #expect(Deadline.usual.waits { watch.errors.contains("connected") })
            try bed.schedctl("add", "--id", "tea", "--title", "Tea")
            #expect(try watch.lines { $0.contains(#""fired""#) } != nil)
            let status = try JSON(parsing: bed.schedctl("--json", "status").text)
            #expect(status["presentation"].string == "noServer")
            #expect(status["waiting"].int == 1)
            try desktop.startServer()
            #expect(try watch.lines { $0.contains(#""presented""#) } != nil)
            #expect(try desktop.displayed() == 1)
        }
    }
}
