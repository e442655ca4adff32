// A long answer in parts: the next part is made only when the client has taken the ones before, so
// that a listing of any length needs little memory and a slow client delays nobody.

package import Varlink

/// The rest of an answer.
package struct PartStream {
    /// About so many bytes of text go into one part.
    package static let partBytes = 128 << 10

    /// Makes the next part; false = it was the last.
    private let next: () -> (message: ReplyMessage, isLast: Bool)

    package init(next: @escaping () -> (message: ReplyMessage, isLast: Bool)) {
        self.next = next
    }

    /// The rows in order, as many to a part as fit; there is always at least one part.
    package init<Row>(
        rows: [Row], weight: @escaping (Row) -> Int,
        part: @escaping (ArraySlice<Row>, _ isLast: Bool) -> ReplyMessage
    ) {
        var rest = rows[...]
        self.init {
            var bytes = 0
            let count = rest.prefix { row in
                defer { bytes += weight(row) }
                return bytes < Self.partBytes
            }.count
            let taken = rest.prefix(count)
            rest = rest.dropFirst(count)
            return (part(taken, rest.isEmpty), rest.isEmpty)
        }
    }

    package func makeNext() -> (message: ReplyMessage, isLast: Bool) { next() }
}
