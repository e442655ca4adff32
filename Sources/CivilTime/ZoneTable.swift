// The zones in use, by name, kept up to date with their files without reading any: whoever watches
// the files hands over their bytes, and learns whether anything changed. A file that became bad
// leaves the zone as it was.

/// A store of zones that can say what an update changed.
package struct ZoneTable: Sendable {
    private var zones: [String: Zone] = [:]

    package init() {}

    /// The names of all zones kept, in no order.
    package var names: some Collection<String> & Sendable { Array(zones.keys) }

    package subscript(name: String) -> Zone? { zones[name] }

    /// What became of one zone.
    package enum Change: Sendable, Hashable {
        case added
        /// The offsets or the abbreviations of some time differ.
        case replaced
        /// The file may differ, what it says does not.
        case unchanged
    }

    /// Takes the present contents of a zone's file; on an error the zone stays as it was.
    @discardableResult
    package mutating func update(
        name: String, bytes: [UInt8]
    ) throws(TZifError) -> Change {
        replace(try Zone(name: name, tzif: bytes))
    }

    /// Takes a zone in place of the one of that name.
    @discardableResult
    package mutating func replace(_ zone: Zone) -> Change {
        let old = zones.updateValue(zone, forKey: zone.name)
        guard let old else { return .added }
        return old == zone ? .unchanged : .replaced
    }

    /// Forgets a zone; false when there was none.
    @discardableResult
    package mutating func remove(name: String) -> Bool {
        zones.removeValue(forKey: name) != nil
    }
}
