// The quick way from a scanned object to a value, for calls that come by the thousand: a type asks
// for its members by name, without the boxes, keys and generic containers of Codable. The rule is
// that it only ever says yes. Whatever is not as it should be throws `JSONUnusual`, and the whole
// is decoded again with Codable, which alone knows what to answer; so a quick reading must accept
// nothing that Codable refuses, and yield the same value.

/// This has to be read with Codable: something is wrong with it, or rare.
package struct JSONUnusual: Error {
    package init() {}
}

/// The members of an object. Null and absent members are both nil.
package struct JSONMembers {
    private let document: JSONDocument
    private let object: Int
    /// Members in the object that have not been asked for yet; once there are none, what is asked
    /// for is absent.
    private var rest: Int

    fileprivate init(_ document: JSONDocument, _ object: Int) {
        self.document = document
        self.object = object
        var count = 0
        document.forEachMember(of: object) { _, _ in count += 1 }
        rest = count
    }

    /// Throws if a member has not been asked for, as an unknown one or the second of a name.
    package func finish() throws(JSONUnusual) {
        guard rest == 0 else { throw JSONUnusual() }
    }

    /// The value of a member; each may be asked for once.
    private mutating func find(_ name: String) -> Int? {
        guard rest > 0 else { return nil }
        var member = object + 1
        let end = document.next(after: object)
        while member < end {
            let value = member + 1
            if document.name(member, is: name) {
                rest -= 1
                return document.kind(value) == .null ? nil : value
            }
            member = document.next(after: value)
        }
        return nil
    }

    package mutating func string(_ name: String) throws(JSONUnusual) -> String? {
        guard let index = find(name) else { return nil }
        guard let value = document.string(index) else { throw JSONUnusual() }
        return value
    }

    package mutating func bool(_ name: String) throws(JSONUnusual) -> Bool? {
        guard let index = find(name) else { return nil }
        guard let value = document.bool(index) else { throw JSONUnusual() }
        return value
    }

    package mutating func integer(_ name: String) throws(JSONUnusual) -> Int64? {
        guard let index = find(name) else { return nil }
        return try integer(index)
    }

    package mutating func double(_ name: String) throws(JSONUnusual) -> Double? {
        guard let index = find(name) else { return nil }
        guard let value = document.double(index) else { throw JSONUnusual() }
        return value
    }

    package mutating func integers(_ name: String) throws(JSONUnusual) -> [Int64]? {
        guard let array = find(name) else { return nil }
        guard document.kind(array) == .array else { throw JSONUnusual() }
        let end = document.next(after: array)
        var list: [Int64] = []
        list.reserveCapacity(end - array - 1)
        var element = array + 1
        while element < end {
            list.append(try integer(element))
            element = document.next(after: element)
        }
        return list
    }

    package mutating func value(_ name: String) throws(JSONUnusual) -> JSONValue? {
        guard let index = find(name) else { return nil }
        let context = JSONDecodingContext(
            document: document, root: object, ignoresUnknownMembers: false)
        guard let value = try? context.value(index) else { throw JSONUnusual() }
        return value
    }

    package mutating func object(_ name: String) throws(JSONUnusual) -> JSONMembers? {
        guard let index = find(name) else { return nil }
        guard document.kind(index) == .object else { throw JSONUnusual() }
        return JSONMembers(document, index)
    }

    package mutating func objects(_ name: String) throws(JSONUnusual) -> JSONObjects? {
        guard let index = find(name) else { return nil }
        guard document.kind(index) == .array else { throw JSONUnusual() }
        return JSONObjects(document, index)
    }

    private func integer(_ index: Int) throws(JSONUnusual) -> Int64 {
        guard let value = document.integer(index, as: Int64.self) else { throw JSONUnusual() }
        return value
    }
}

/// The elements of an array of objects, each taken once.
package struct JSONObjects {
    private let document: JSONDocument
    private let end: Int
    private var element: Int

    fileprivate init(_ document: JSONDocument, _ array: Int) {
        self.document = document
        end = document.next(after: array)
        element = array + 1
    }

    /// Throws for an element that is no object.
    package mutating func next() throws(JSONUnusual) -> JSONMembers? {
        guard element < end else { return nil }
        guard document.kind(element) == .object else { throw JSONUnusual() }
        let members = JSONMembers(document, element)
        element = document.next(after: element)
        return members
    }
}

extension Payload {
    /// The members of the object, to be read the quick way.
    package func members() throws(JSONUnusual) -> JSONMembers {
        guard document.textFault == nil, document.kind(root) == .object else {
            throw JSONUnusual()
        }
        return JSONMembers(document, root)
    }
}
