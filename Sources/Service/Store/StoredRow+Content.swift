// What requests and their deliveries say, as rows: one for a request and all that it delivers, for
// as long as one of them is there.

package import Scheduling

/// The content of the request with this number.
package struct StoredContent: StoredRow {
    package var sequence: Int64
    package var content: Content

    package init(sequence: Int64, content: Content) {
        self.sequence = sequence
        self.content = content
    }

    package static let table = StoredTable(
        name: "content", columns: ["sequence", "title", "document", "checksum"])

    package var rowKey: Int64 { sequence }

    package func writeColumns(to statement: SQLiteStatement) {
        statement.write(sequence)
        statement.write(content.title)
        statement.write(content.document)
    }

    package static func readColumns(
        from statement: SQLiteStatement
    ) throws(RowDamage) -> StoredContent {
        StoredContent(
            sequence: try statement.readNumber(),
            content: Content(title: try statement.readText(), document: try statement.readText()))
    }
}
