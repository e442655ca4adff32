// What a benchmark prints: a table for people, or one JSON object with the same rows.

import Foundation

/// One measurement beside its reference.
struct ReportRow: Encodable {
    let `case`: String
    /// `nil` when it cannot be measured here.
    let ours: Double?
    /// `nil` when the reference is not installed, and for a row that is held to a target alone.
    let reference: Double?
    let referenceName: String?
    let unit: String
    /// How many times `ours` the reference is.
    let ratio: Double?
    /// In words, such as `at least 100x`; `nil` for a row that is only shown.
    let target: String?
    /// `nil` without a target.
    let met: Bool?

    /// A row that has to be a number of times faster than its reference; `nil` = it is shown only.
    static func compared(
        _ name: String, ours: Double, to reference: Double?, of referenceName: String,
        unit: String, atLeast times: Double?
    ) -> ReportRow {
        let ratio = reference.map { $0 / max(ours, .leastNormalMagnitude) }
        return ReportRow(
            case: name, ours: ours, reference: reference,
            referenceName: reference == nil ? "\(referenceName) (not there)" : referenceName,
            unit: unit, ratio: ratio, target: times.map { "at least \(Int($0))x" },
            met: times.map { times in ratio.map { $0 >= times } ?? false })
    }

    /// A row that may take so many times as long as its reference.
    static func compared(
        _ name: String, ours: Double, to reference: Double?, of referenceName: String,
        unit: String, atMost times: Double
    ) -> ReportRow {
        let row = compared(
            name, ours: ours, to: reference, of: referenceName, unit: unit, atLeast: nil)
        return ReportRow(
            case: name, ours: ours, reference: reference, referenceName: row.referenceName,
            unit: unit, ratio: row.ratio, target: "takes at most \(times.formatted())x",
            met: reference.map { ours <= $0 * times } ?? false)
    }

    /// A row that is shown for what it is.
    static func shown(_ name: String, _ value: Double, unit: String) -> Self {
        ReportRow(
            case: name, ours: value, reference: nil, referenceName: nil, unit: unit, ratio: nil,
            target: nil, met: nil)
    }

    /// A row that cannot be measured here.
    static func missing(_ name: String, unit: String, because reason: String) -> Self {
        ReportRow(
            case: name, ours: nil, reference: nil, referenceName: reason, unit: unit, ratio: nil,
            target: nil, met: false)
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
                    row.case, row.ours.map(Self.text) ?? "-", row.reference.map(Self.text) ?? "-",
                    row.referenceName ?? "", row.unit,
                    row.ratio.map { Self.text($0) + "x" } ?? "-", row.target ?? "-",
                    row.met.map { $0 ? "yes" : "no" } ?? "-",
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
