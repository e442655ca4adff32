// Reads values out of a scanned text, in one way for all: a type asks for its members, in the order
// in which it declares them, and the first thing that is not as it should be is thrown as a mistake
// with its token. Paths are not kept while reading: they are found from the token when there is a
// mistake to report.

/// A value that can be read from JSON.
package protocol JSONReadable {
    init(_ reader: JSONReader) throws(JSONMistake)
}

extension JSONReadable where Self: RawRepresentable<String> {
    package init(_ reader: JSONReader) throws(JSONMistake) {
        self = try reader.choice()
    }
}

/// Why a value cannot be read, and where.
package enum JSONMistake: Error {
    /// The value at a token is unknown, duplicate or of the wrong type.
    case value(Int)
    /// A member that must be there is not.
    case missing(object: Int, String)
    /// An enum's value that only a later version of the interface has; never thrown to a reader
    /// that must know everything.
    case unknownChoice(Int)
}

/// One value of a scanned text.
package struct JSONReader {
    let document: JSONDocument
    let index: Int
    /// Whether the text may be of a later version: unknown members and unknown values of enums
    /// are then passed over.
    let isTolerant: Bool

    package func string() throws(JSONMistake) -> String {
        guard let value = document.string(index) else { throw .value(index) }
        return value
    }

    package func bool() throws(JSONMistake) -> Bool {
        guard let value = document.bool(index) else { throw .value(index) }
        return value
    }

    package func integer() throws(JSONMistake) -> Int64 {
        guard let value = document.integer(index) else { throw .value(index) }
        return value
    }

    package func double() throws(JSONMistake) -> Double {
        guard let value = document.double(index) else { throw .value(index) }
        return value
    }

    /// One of the words of an enum.
    package func choice<Choice: RawRepresentable<String>>() throws(JSONMistake) -> Choice {
        guard let choice = Choice(rawValue: try string()) else {
            throw isTolerant ? .unknownChoice(index) : .value(index)
        }
        return choice
    }

    /// Any value, as it is; recursion is bounded by the scanner's depth limit.
    package func value() throws(JSONMistake) -> JSONValue {
        switch document.kind(index) {
        case .null: return .null
        case .yes: return .bool(true)
        case .no: return .bool(false)
        case .plainString, .escapedString: return .string(try string())
        case .integer: return .int(try integer())
        case .fraction: return .double(try double())
        case .array:
            return .array(try elements { element throws(JSONMistake) in try element.value() })
        case .object:
            var members: [String: JSONValue] = [:]
            try document.forEachMember(of: index) { (name, token) throws(JSONMistake) in
                let old = members.updateValue(
                    try at(token).value(), forKey: try at(name).string())
                guard old == nil else { throw .value(token) }
            }
            return .object(members)
        }
    }

    /// An array's elements, each as `read` makes it; one with a word that only a later version has
    /// is passed over.
    package func elements<Element>(
        _ read: (JSONReader) throws(JSONMistake) -> Element
    ) throws(JSONMistake) -> [Element] {
        guard document.kind(index) == .array else { throw .value(index) }
        let end = document.next(after: index)
        var list: [Element] = []
        var element = index + 1
        while element < end {
            do throws(JSONMistake) {
                list.append(try read(at(element)))
            } catch .unknownChoice {
            }
            element = document.next(after: element)
        }
        return list
    }

    package func integers() throws(JSONMistake) -> [Int64] {
        try elements { element throws(JSONMistake) in try element.integer() }
    }

    package func strings() throws(JSONMistake) -> [String] {
        try elements { element throws(JSONMistake) in try element.string() }
    }

    /// A value that may be left out: nil if it has a word that only a later version has.
    package func ifKnown<Value>(
        _ read: (JSONReader) throws(JSONMistake) -> Value
    ) throws(JSONMistake) -> Value? {
        do throws(JSONMistake) {
            return try read(self)
        } catch .unknownChoice {
            return nil
        }
    }

    private func at(_ index: Int) -> JSONReader {
        JSONReader(document: document, index: index, isTolerant: isTolerant)
    }
}

// MARK: - Members

extension JSONReader {
    /// The members of an object, of which those in `names` are known.
    ///
    /// Throws for the first that is unknown, else for the first duplicate.
    package func members(_ names: [String]) throws(JSONMistake) -> JSONMembers {
        guard document.kind(index) == .object else { throw .value(index) }
        var members = JSONMembers(reader: self, names: names)
        try members.find()
        return members
    }
}

/// The members of an object by the places of their names in a list.
package struct JSONMembers {
    /// Members that a type may have. The interface's generator refuses more.
    package static let limit = 64

    private let reader: JSONReader
    private let names: [String]
    /// Tokens of the values; 0, which is never one of a member's value, where there is none.
    private var values = InlineArray<64, Int32>(repeating: 0)

    fileprivate init(reader: JSONReader, names: [String]) {
        self.reader = reader
        self.names = names
    }

    fileprivate mutating func find() throws(JSONMistake) {
        let document = reader.document
        let end = document.next(after: reader.index)
        var name = reader.index + 1
        var duplicate: Int?
        var strangers: [Int] = []
        // Most senders keep to the order of the interface, so that the next name is the likeliest.
        var expected = 0
        while name < end {
            if let place = place(of: name, from: expected) {
                if values[place] != 0, duplicate == nil { duplicate = name + 1 }
                values[place] = Int32(name + 1)
                expected = place + 1
            } else if reader.isTolerant {
                strangers.append(name)
            } else {
                throw .value(name + 1)
            }
            name = document.next(after: name + 1)
        }
        if let stranger = firstDuplicate(among: strangers) {
            duplicate = min(stranger, duplicate ?? stranger)
        }
        if let duplicate { throw .value(duplicate) }
    }

    private func place(of name: Int, from expected: Int) -> Int? {
        let document = reader.document
        for place in expected..<names.count where document.name(name, is: names[place]) {
            return place
        }
        for place in 0..<expected where document.name(name, is: names[place]) { return place }
        return nil
    }

    private func firstDuplicate(among strangers: [Int]) -> Int? {
        guard strangers.count > 1 else { return nil }
        // By their bytes: strings are equal by canonical equivalence, names on the wire are not.
        var seen: Set<[UInt8]> = []
        let duplicate = strangers.first { name in
            !seen.insert(Array((reader.document.string(name) ?? "").utf8)).inserted
        }
        return duplicate.map { $0 + 1 }
    }

    /// The value of a member; nil if it is absent or null, which mean the same.
    package subscript(place: Int) -> JSONReader? {
        let value = Int(values[place])
        guard value != 0, reader.document.kind(value) != .null else { return nil }
        return JSONReader(document: reader.document, index: value, isTolerant: reader.isTolerant)
    }

    /// The value of a member that must be there.
    package func required(_ place: Int) throws(JSONMistake) -> JSONReader {
        let value = Int(values[place])
        guard value != 0 else { throw .missing(object: reader.index, names[place]) }
        return JSONReader(document: reader.document, index: value, isTolerant: reader.isTolerant)
    }
}
