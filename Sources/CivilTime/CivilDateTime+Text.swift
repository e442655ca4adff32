// Civil times for people, as both programs print them: the ISO 8601 form with a space, which sorts,
// and the weekday in front where a person has to check the date.

extension CivilDateTime {
    /// "2026-12-01 09:00:00".
    package var text: String {
        let year = String(date.year)
        let padded = String(repeating: "0", count: max(0, 4 - year.count)) + year
        return "\(padded)-\(Self.two(month))-\(Self.two(day)) "
            + "\(Self.two(hour)):\(Self.two(minute)):\(Self.two(second))"
    }

    /// "Tue 2026-12-01 09:00:00".
    package var textWithWeekday: String { "\(Self.weekdays[weekday - 1]) \(text)" }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
