// A desktop of its own for one test: Xvfb, a private session bus and dunst, by
// recipes/with-dunst.

import Foundation

final class Desktop {
    private let bed: TestBed
    private let recipe: ChildProcess
    /// What a program needs to be on this desktop.
    let environment: [String: String?]

    /// With `hasServer` false, dunst waits for `startServer`.
    init(_ bed: TestBed, hasServer: Bool = true) throws {
        self.bed = bed
        let script = "echo $DISPLAY; echo $XAUTHORITY; echo $DBUS_SESSION_BUS_ADDRESS; cat"
        recipe = try bed.start(
            Products.root + "/Tests/recipes/with-dunst",
            (hasServer ? [] : ["--no-server"])
                + [bed.root + "/desktop", "/bin/bash", "-c", script])
        guard let display = try recipe.nextLine(), let authority = try recipe.nextLine(),
            let bus = try recipe.nextLine()
        else { throw TestError.failed("with-dunst does not come up: \(recipe.errors)") }
        environment = [
            "DISPLAY": display, "XAUTHORITY": authority, "DBUS_SESSION_BUS_ADDRESS": bus,
        ]
    }

    /// Ends the desktop in good order: what the recipe started has to end before the recipe.
    func end() throws {
        recipe.finishInput()
        guard recipe.waitForExit() != nil else { throw TestError.timeout }
    }

    /// Starts schedd on this desktop.
    func daemon() throws -> Daemon { try bed.daemon(environment: environment) }

    /// Starts dunst, where it was not there from the beginning.
    func startServer() throws {
        _ = try bed.start(bed.root + "/desktop/dunst", environment: environment)
    }

    /// How many notifications are on the screen.
    func displayed() throws -> Int? {
        let output = try bed.run(
            "/usr/bin/dunstctl", ["count", "displayed"], environment: environment)
        return Int(output.text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Whether that many come to be on the screen.
    func waits(forDisplayed count: Int, _ deadline: Deadline = .usual) throws -> Bool {
        try deadline.waits { try displayed() == count }
    }

    /// What has been on the screen and is not any more, latest first.
    func history() throws -> [JSON] {
        let output = try bed.run("/usr/bin/dunstctl", ["history"], environment: environment)
        return try JSON(parsing: output.text)["data"][0].array ?? []
    }
}
