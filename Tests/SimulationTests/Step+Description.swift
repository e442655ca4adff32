// A failing history is printed step by step, short enough to be read and exact enough to be made
// into a test.

import CivilTime
import Scheduling

extension Step: CustomStringConvertible {
    var description: String {
        switch self {
        case .add(let app, let drafts, let policy):
            "add app \(app), \(policy): " + drafts.map(\.description).joined(separator: "; ")
        case .takeIn(let drafts, let isDryRun):
            (isDryRun ? "try to import" : "import")
                + drafts.sorted { $0.key < $1.key }.map { app, drafts in
                    " app \(app): " + drafts.map(\.description).joined(separator: "; ")
                }.joined()
        case .remove(let app, let identifiers): "remove \(Self.selection(app, identifiers))"
        case .dismiss(let app, let identifiers): "dismiss \(Self.selection(app, identifiers))"
        case .pass(let span): "pass \(spanText(span))"
        case .suspend(let span): "suspend \(spanText(span))"
        case .setClock(let span, let news):
            "set the clock by \(spanText(span)), news after \(spanText(news))"
        case .setZone(let index, let news):
            "zone \(SimulatedZones.names[index]), news after \(spanText(news))"
        case .replaceZoneFile(let index, let news):
            "replace \(SimulatedZones.names[index]), news after \(spanText(news))"
        case .server(let mood): "server \(mood)"
        case .disk(let mood): "disk \(mood)"
        case .close(let index): "close notification \(index)"
        case .crash(let count, let keeps):
            "crash after \(count) effects, commit in flight \(keeps ? "kept" : "lost")"
        case .powerCut(let keeping, let span, let off):
            "power cut keeping \(keeping), down \(spanText(span)), clock off \(spanText(off))"
        case .reboot(let span, let off):
            "reboot, down \(spanText(span)), clock off \(spanText(off))"
        case .start: "start"
        }
    }

    private static func selection(_ app: Int?, _ identifiers: [Int]?) -> String {
        (app.map { "app \($0)" } ?? "every app") + " " + (identifiers.map { "\($0)" } ?? "all")
    }
}

extension Draft: CustomStringConvertible {
    var description: String {
        var text = "r\(identifier) "
        switch when {
        case .now: text += "now"
        case .date(let span): text += "date in \(spanText(span))"
        case .interval(let period, let repeats):
            text += (repeats ? "every " : "after ") + spanText(period)
        case .calendar(let pattern, let zone, let repeats, let stride):
            text += "\(repeats ? "at" : "once at") [\(pattern.compact)]"
            text += zone.map { " in \(SimulatedZones.names[$0])" } ?? ""
            text += stride.map { " every \($0.count) \($0.unit)" } ?? ""
        }
        text += startsIn.map { ", starts in \(spanText($0))" } ?? ""
        text += endsIn.map { ", ends in \(spanText($0))" } ?? ""
        text += maxCount.map { ", at most \($0)" } ?? ""
        if ifMissed == .skip { text += ", skip" }
        text += latenessLimit.map { ", limit \(spanText($0))" } ?? ""
        return text
    }
}

/// "3 d 4 h" for a span in microseconds, exact.
func spanText(_ span: Int64) -> String {
    var rest = span.magnitude
    var parts: [String] = []
    let units: [(UInt64, String)] = [
        (86_400_000_000, "d"), (3_600_000_000, "h"), (60_000_000, "min"), (1_000_000, "s"),
        (1_000, "ms"), (1, "us"),
    ]
    for (size, name) in units where rest >= size {
        parts.append("\(rest / size) \(name)")
        rest %= size
    }
    if parts.isEmpty { return "0" }
    return (span < 0 ? "-" : "") + parts.joined(separator: " ")
}
