// A zone file replaced on disk: what the store says has changed.

import CivilTime
import Testing
import TestSupport

@Suite struct ZoneTableTests {
    @Test func `an update says whether anything changed`() throws {
        let before = try CompiledZones(rules: "Zone Test/Shift 3:00 - +03")
        let after = try CompiledZones.cases.get()
        var table = ZoneTable()
        #expect(table["Test/Shift"] == nil)
        #expect(try table.update(name: "Test/Shift", bytes: before.bytes("Test/Shift")) == .added)
        #expect(
            try table.update(name: "Test/Shift", bytes: before.bytes("Test/Shift")) == .unchanged)
        #expect(table["Test/Shift"]?.nextTransition(after: 0) == nil)
        #expect(try table.update(name: "Test/Shift", bytes: after.bytes("Test/Shift")) == .replaced)
        #expect(table["Test/Shift"]?.nextTransition(after: 0) == 1_798_750_800)
        #expect(Array(table.names) == ["Test/Shift"])
        let removals = [table.remove(name: "Test/Shift"), table.remove(name: "Test/Shift")]
        #expect(removals == [true, false])
    }

    @Test func `a file that became bad leaves the zone as it was`() throws {
        var table = ZoneTable()
        let bytes = try CompiledZones.cases.get().bytes("Europe/Berlin")
        try table.update(name: "Europe/Berlin", bytes: bytes)
        let old = table["Europe/Berlin"]
        #expect(throws: TZifError.truncated(offset: 0)) {
            try table.update(name: "Europe/Berlin", bytes: [])
        }
        #expect(old != nil && table["Europe/Berlin"] == old)
    }

    @Test func `another abbreviation alone is a change`() throws {
        var table = ZoneTable()
        let names = ["+03", "MSK"]
        let changes = try names.map { name in
            let zone = try CompiledZones(rules: "Zone Test/Name 3:00 - \(name)")
            return try table.update(name: "Test/Name", bytes: zone.bytes("Test/Name"))
        }
        #expect(changes == [.added, .replaced])
    }
}
