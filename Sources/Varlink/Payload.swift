// The `parameters` of a message: scanned with the message, decoded once, into a type.

/// Parameters as received, absent and null ones being an empty object.
package struct Payload: Sendable {
    let document: JSONDocument
    /// Token of the object.
    let root: Int

    static let empty = Payload(document: .emptyObject, root: 0)

    /// An object made here; what is not an object counts as an empty one.
    init(jsonObject: JSONValue) {
        guard case .object = jsonObject,
            let document = try? JSONDocument(Array(jsonObject.jsonText.utf8))
        else {
            self = .empty
            return
        }
        self.init(document: document, root: 0)
    }

    /// An object from elsewhere, such as a file.
    package init(jsonText: [UInt8]) throws(JSONError) {
        document = try JSONDocument(jsonText)
        root = 0
    }

    init(document: JSONDocument, root: Int) {
        self.document = document
        self.root = root
    }

    /// The length of the message that it came in, without its NUL.
    package var messageBytes: Int { document.bytes.count }

    /// Path of the first string or name in it that is not valid text: invalid UTF-8, U+0000
    /// or a lone surrogate.
    var textFault: String? {
        guard let fault = document.textFault, fault >= root, fault < document.next(after: root)
        else { return nil }
        return document.path(from: root, to: JSONMistake.value(fault))
    }

    /// Reads what a client sent: every member must be known to the type.
    ///
    /// Throws `.invalidParameter` with the path of the first member that is unknown, missing,
    /// duplicate, of the wrong type, or no text.
    package func decode<T: JSONReadable>(_ type: T.Type) throws(ServiceError) -> T {
        try decode(type, tolerantly: false)
    }

    /// Reads what a service sent: members and values of enums that a later version added are
    /// passed over, the value together with the list element that needs it, if it is needed.
    package func decodeTolerantly<T: JSONReadable>(_ type: T.Type) throws(ServiceError) -> T {
        try decode(type, tolerantly: true)
    }

    private func decode<T: JSONReadable>(
        _ type: T.Type, tolerantly isTolerant: Bool
    ) throws(ServiceError) -> T {
        if let fault = textFault { throw .invalidParameter(fault) }
        do throws(JSONMistake) {
            return try T(JSONReader(document: document, index: root, isTolerant: isTolerant))
        } catch {
            throw .invalidParameter(document.path(from: root, to: error))
        }
    }
}
