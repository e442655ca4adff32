// Tables with aligned columns. On a terminal a table is made to fit its width, by cutting the
// columns that may be cut, widest first and names last; in a pipe nothing is ever cut.

/// Rows of text under a head.
package struct Table: Sendable {
    /// One column's head, and how far it may be cut.
    package struct Column: Sendable {
        package var head: String
        /// The least width that cutting leaves; nil for a column that is never cut.
        package var shortest: Int?
        /// Whether it holds names that one types again, which are cut when nothing else is left.
        package var isName: Bool

        package init(_ head: String, shortest: Int? = nil, isName: Bool = false) {
            self.head = head
            self.shortest = shortest
            self.isName = isName
        }
    }

    package var columns: [Column]
    /// Each with one text for each column, of any content.
    package var rows: [[String]]

    package init(columns: [Column], rows: [[String]]) {
        self.columns = columns
        self.rows = rows
    }

    /// The lines, each ending in a newline; without a limit when `width` is nil.
    package func text(width: Int?, style: TextStyle) -> String {
        let cells = rows.map { $0.map(EscapedText.line) }
        let widths = fittingWidths(cells, limit: width)
        let head = style.bold(line(columns.map(\.head), widths))
        return ([head] + cells.map { line($0, widths) }).map { $0 + "\n" }.joined()
    }

    private static let gap = "  "

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        zip(cells, widths).map { cell, width in
            DisplayWidth.pad(DisplayWidth.truncate(cell, to: width), to: width)
        }.joined(separator: Self.gap).trimmedEnd
    }

    private func fittingWidths(_ cells: [[String]], limit: Int?) -> [Int] {
        var widths = columns.indices.map { index in
            cells.reduce(DisplayWidth.of(columns[index].head)) {
                max($0, DisplayWidth.of($1[index]))
            }
        }
        guard let limit else { return widths }
        var excess = widths.reduce(0, +) + Self.gap.count * (widths.count - 1) - limit
        while excess > 0 {
            let cuttable = columns.indices.filter {
                columns[$0].shortest.map { [width = widths[$0]] in width > $0 } ?? false
            }
            let texts = cuttable.filter { !columns[$0].isName }
            let candidates = texts.isEmpty ? cuttable : texts
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}
