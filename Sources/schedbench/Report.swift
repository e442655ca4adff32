// What a benchmark prints: a table for people, or one JSON object with the same rows.

import Foundation

/// One measurement beside its reference.
struct ReportRow: Encodable {
    let `case`: String
    let ours: Double
    /// `nil` when the reference is not installed, and for a row that is held to a target alone.
    let reference: Double?
    let referenceName: String?
    let unit: String
    /// How many times `ours` the reference is.
    let ratio: Double?
    /// In words, such as `at least 100x`.
    let target: String
    let met: Bool

    /// A row that has to be a number of times faster than its reference.
    static func compared(
        _ name: String, ours: Double, to reference: Double?, of referenceName: String,
        unit: String, atLeast times: Double
    ) -> ReportRow {
        let ratio = reference.map { $0 / max(ours, .leastNormalMagnitude) }
        return ReportRow(
            case: name, ours: ours, reference: reference,
            referenceName: reference == nil ? "\(referenceName) (not there)" : referenceName,
            unit: unit, ratio: ratio, target: "at least \(Int(times))x",
            met: ratio.map { $0 >= times } ?? false)
    }

    /// A row that has to stay at or below a number.
    static func limited(_ name: String, _ value: Double, unit: String, to limit: Double) -> Self {
        ReportRow(
            case: name, ours: value, reference: nil, referenceName: nil, unit: unit, ratio: nil,
            target: "at most \(limit.formatted()) \(unit)", met: value <= limit)
    }
}

struct Report: Encodable {
    let name: String
    let rows: [ReportRow]

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    var table: String {
        let header = ["case", "ours", "reference", "", "unit", "ratio", "target", "met"]
        let lines =
            [header]
            + rows.map { row in
                [
                    row.case, Self.text(row.ours), row.reference.map(Self.text) ?? "-",
                    row.referenceName ?? "", row.unit,
                    row.ratio.map { Self.text($0) + "x" } ?? "-", row.target,
                    row.met ? "yes" : "no",
                ]
            }
        let widths = header.indices.map { column in
            lines.map { $0[column].count }.max() ?? 0
        }
        return lines.map { line in
            zip(line, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
                .joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// Three significant digits.
    private static func text(_ number: Double) -> String {
        number.formatted(.number.precision(.significantDigits(1...3)).grouping(.never))
    }
}
