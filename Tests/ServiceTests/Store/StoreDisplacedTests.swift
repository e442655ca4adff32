// The state directory or a file in it is taken away while the store is open: nothing is
// acknowledged that the next start would not find.

import CivilTime
import Glibc
import Scheduling
import Service
import TestSupport
import Testing

@Suite struct StoreDisplacedTests {
    /// What a user or another program does to the directory of a running schedd.
    enum Mishap: String, CaseIterable, CustomTestStringConvertible {
        case directoryRemoved, directoryMoved, databaseRemoved, databaseReplaced, logRemoved

        var testDescription: String { rawValue }

        func happen(to folder: StoreFolder, aside: String) throws {
            switch self {
            case .directoryRemoved: Files.removeAll(folder.path)
            case .directoryMoved: unsafe #expect(rename(folder.path, aside) == 0)
            case .databaseRemoved: unsafe #expect(unlink(folder.database) == 0)
            case .databaseReplaced:
                let bytes = try #require(Files.read(folder.database))
                try Files.write(bytes, to: aside)
                unsafe #expect(rename(aside, folder.database) == 0)
            case .logRemoved: unsafe #expect(unlink(folder.log) == 0)
            }
        }

        /// What is not where it was.
        func path(in folder: StoreFolder) -> String {
            self == .logRemoved ? folder.log : folder.database
        }
    }

    private func added(_ sequence: Int64) -> Change {
        var random = SplitMix64(seed: UInt64(sequence))
        return .pending(before: nil, after: .random(sequence: sequence, using: &random))
    }

    @Test(arguments: Mishap.allCases, [true, false])
    func `no commit succeeds that the next start would not find`(
        _ mishap: Mishap, durable: Bool
    ) throws {
        let folder = try StoreFolder()
        let aside = folder.path + "-aside"
        defer { Files.removeAll(aside) }
        let (store, _, _) = try folder.open()
        try store.save([added(1)])
        try mishap.happen(to: folder, aside: aside)
        let expected = StoreError.displaced(path: mishap.path(in: folder))
        for sequence in 2...3 as ClosedRange<Int64> {
            #expect(throws: expected) { try store.save([added(sequence)], durable: durable) }
        }
        store.shut()
    }

    @Test func `a directory that comes back is used again, and nothing is missing`() throws {
        let folder = try StoreFolder()
        let aside = folder.path + "-aside"
        let (store, _, _) = try folder.open()
        try store.save([added(1)])
        unsafe #expect(rename(folder.path, aside) == 0)
        #expect(throws: StoreError.self) { try store.save([added(2)]) }
        unsafe #expect(rename(aside, folder.path) == 0)
        try store.save([added(2)])
        store.shut()
        #expect(try folder.contents().pending.map(\.sequence) == [1, 2])
    }

    @Test func `what was in a log that was removed is in the database after closing`() throws {
        let folder = try StoreFolder()
        let (store, _, _) = try folder.open()
        try store.save([added(1)])
        unsafe #expect(unlink(folder.log) == 0)
        store.shut()
        #expect(try folder.contents().pending.map(\.sequence) == [1])
    }

    @Test func `a store that lost its directory leaves alone what another made there`() throws {
        let folder = try StoreFolder()
        let (old, _, _) = try folder.open()
        try old.save([added(1)])
        Files.removeAll(folder.path)
        let (new, state, _) = try folder.open()
        #expect(state == StoredState())
        try new.save([added(1)])
        old.shut()
        try new.save([added(2)])
        new.shut()
        #expect(try folder.contents().pending.map(\.sequence) == [1, 2])
    }
}
