// Instants in tests are written as people read them: `2026-03-29T01:00:00Z`.

package import CivilTime

extension WallInstant {
    /// Reads `YYYY-MM-DDTHH:MM:SSZ`, with an optional fraction of six digits before the `Z`.
    ///
    /// Traps on anything else: the text is the test's own.
    package init(_ text: String) {
        let parts = text.split { "-T:.Z".contains($0) }.compactMap { Int64($0) }
        precondition(parts.count == 6 || parts.count == 7, "not an instant: \(text)")
        let second = CivilDateTime(
            year: Int(parts[0]), month: Int(parts[1]), day: Int(parts[2]),
            hour: Int(parts[3]), minute: Int(parts[4]), second: Int(parts[5])
        ).localSeconds
        let fraction = parts.count == 7 ? parts[6] : 0
        self.init(microseconds: second * 1_000_000 + fraction)
    }

    /// The same form back; a fraction only when there is one.
    package var text: String {
        let time = CivilDateTime(localSeconds: wholeSeconds)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let micros = microseconds - wholeSeconds * 1_000_000
        return "\(time.year)-\(two(time.month))-\(two(time.day))T"
            + "\(two(time.hour)):\(two(time.minute)):\(two(time.second))"
            + (micros == 0 ? "Z" : ".\(String(1_000_000 + micros).dropFirst())Z")
    }
}
