// Deliveries and missed occurrences as rows: plain columns, one for each field. What a delivery
// says is in the table of contents, under the number of its request.

import CivilTime
package import Scheduling

extension Delivery: StoredRow {
    package static let table = StoredTable(
        name: "delivery",
        columns: [
            "number", "app", "identifier", "sequence", "due", "fired", "presented", "late",
            "missed_count", "lateness_limit", "checksum",
        ])

    package var rowKey: Int64 { number }

    package func writeColumns(to statement: SQLiteStatement) {
        statement.write(number)
        statement.write(app)
        statement.write(identifier)
        statement.write(sequence)
        statement.write(due.microseconds)
        statement.write(fired.microseconds)
        statement.write(presented?.microseconds)
        statement.write(late)
        statement.write(Int64(missedCount))
        statement.write(latenessLimit)
    }

    package static func readColumns(
        from statement: SQLiteStatement
    ) throws(RowDamage) -> Delivery {
        let (number, app) = (try statement.readNumber(), try statement.readSharedText())
        let identifier = try statement.readText()
        let sequence = try statement.readNumber()
        return Delivery(
            number: number, app: app, identifier: identifier, sequence: sequence,
            content: try statement.content(of: sequence),
            due: WallInstant(microseconds: try statement.readNumber()),
            fired: WallInstant(microseconds: try statement.readNumber()),
            presented: try statement.readOptionalNumber().map(WallInstant.init(microseconds:)),
            late: try statement.readFlag(), missedCount: try statement.readCount(),
            latenessLimit: try statement.readOptionalNumber())
    }
}

extension Missed: StoredRow {
    package static let table = StoredTable(
        name: "missed",
        columns: [
            "number", "app", "identifier", "title", "due", "recorded", "count", "reason",
            "checksum",
        ])

    package var rowKey: Int64 { number }

    package func writeColumns(to statement: SQLiteStatement) {
        statement.write(number)
        statement.write(app)
        statement.write(identifier)
        statement.write(title)
        statement.write(due.microseconds)
        statement.write(recorded.microseconds)
        statement.write(Int64(count))
        statement.writeEnum(reason)
    }

    package static func readColumns(from statement: SQLiteStatement) throws(RowDamage) -> Missed {
        Missed(
            number: try statement.readNumber(), app: try statement.readText(),
            identifier: try statement.readText(), title: try statement.readText(),
            due: WallInstant(microseconds: try statement.readNumber()),
            recorded: WallInstant(microseconds: try statement.readNumber()),
            count: try statement.readCount(), reason: try statement.readEnum())
    }
}
