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
            let document = try? JSONDocument(JSONWriter.encode(jsonObject))
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

    /// Path of the first string or name in it that is no text: invalid UTF-8, U+0000 or a lone
    /// surrogate.
    var textFault: String? {
        guard let fault = document.textFault, fault >= root, fault < document.next(after: root)
        else { return nil }
        return description(of: document.path(from: root, to: fault))
    }

    /// Decodes what a client sent: every member must be known to the type.
    ///
    /// Throws `.invalidParameter` with the path of the first member that is unknown, missing,
    /// duplicate, of the wrong type, or no text.
    package func decode<T: Decodable>(_ type: T.Type) throws(ServiceError) -> T {
        try decode(type, ignoringUnknownMembers: false)
    }

    /// Decodes what a service sent: members that a later version added are passed over.
    package func decodeTolerantly<T: Decodable>(_ type: T.Type) throws(ServiceError) -> T {
        try decode(type, ignoringUnknownMembers: true)
    }

    private func decode<T: Decodable>(
        _ type: T.Type, ignoringUnknownMembers: Bool
    ) throws(ServiceError) -> T {
        if let fault = textFault { throw .invalidParameter(fault) }
        let context = JSONDecodingContext(
            document: document, root: root, ignoresUnknownMembers: ignoringUnknownMembers)
        do {
            return try context.decode(type, root)
        } catch let error as DecodingError {
            throw .invalidParameter(Payload.path(of: error))
        } catch {
            throw .invalidParameter(description(of: []))
        }
    }

    private static func path(of error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): description(of: context.codingPath + [key])
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            description(of: context.codingPath)
        @unknown default: description(of: [])
        }
    }
}
