// B59: a damaged store is never silent. What can be read is kept, the file is set aside, and the
// notices say what happened.

import CivilTime
import Glibc
import Scheduling
import Service
import TestSupport
import Testing

@Suite struct StoreDamageTests {
    /// A closed store with `count` requests, and what is in it.
    private func filled(_ folder: StoreFolder, count: Int64) throws -> StoredState {
        var random = SplitMix64(seed: 59)
        let (store, _, _) = try folder.open()
        try store.save(
            (1...count).map { .pending(before: nil, after: .random(sequence: $0, using: &random)) })
        try store.save([
            .delivery(before: nil, after: .random(number: 1, using: &random)),
            .missed(before: nil, after: .random(number: 1, using: &random)),
            .clock(before: nil, after: ClockRecord(bootID: "boot", offset: 4)),
        ])
        store.shut()
        return try folder.contents()
    }

    private static let asideName = "schedd.db.damaged-20261130T040000Z"

    /// Opens the damaged store, and expects what was read and what was kept to agree, and to be
    /// there without notices the next time.
    private func reopened(
        _ folder: StoreFolder, from before: StoredState
    ) throws -> (state: StoredState, notices: [StoreNotice]) {
        let (store, state, notices) = try folder.open()
        #expect(Set(state.pending).isSubset(of: before.pending))
        let added = PendingRequest(
            app: "new",
            request: Request(
                identifier: "new", content: Content(title: ""), trigger: .now),
            sequence: state.lastSequence + 1, added: WallInstant(seconds: 1),
            next: .wall(WallInstant(seconds: 1)))
        try store.save([.pending(before: nil, after: added)])
        store.shut()
        #expect(try folder.contents().pending == state.pending + [added])
        return (state, notices)
    }

    @Test func `B59: a flipped byte in a row costs that row, and the notices say so`() throws {
        let folder = try StoreFolder()
        let before = try filled(folder, count: 200)
        let title = Array("request 100".utf8)
        var bytes = try #require(Files.read(folder.database))
        let place = try #require(bytes.firstIndex(of: title))
        bytes[place] ^= 1
        try Files.write(bytes, to: folder.database)
        let (state, notices) = try reopened(folder, from: before)
        #expect(state.pending == before.pending.filter { $0.sequence != 100 })
        #expect(state.deliveries == before.deliveries)
        #expect(state.missed == before.missed)
        #expect(state.clock == before.clock)
        #expect(state.lastSequence == before.lastSequence)
        #expect(
            notices == [
                .setAside(
                    as: Self.asideName, reason: "row 100 of pending is not as it was written"),
                .kept(pending: 199, deliveries: 1, missed: 1),
                .lost(pending: 1, deliveries: 0, missed: 0),
            ])
        #expect(Files.read(folder.path + "/" + Self.asideName) == bytes)
    }

    @Test func `B59: a damaged content costs what refers to it, and the notices say so`() throws {
        let folder = try StoreFolder()
        var random = SplitMix64(seed: 7)
        let (store, _, _) = try folder.open()
        var request = PendingRequest.random(sequence: 2, using: &random)
        request.request.content = Content(title: "the damaged one")
        try store.save([
            .pending(before: nil, after: .random(sequence: 1, using: &random)),
            .pending(before: nil, after: request),
            .delivery(before: nil, after: .random(number: 1, of: request, using: &random)),
            .delivery(before: nil, after: .random(number: 2, sequence: 3, using: &random)),
        ])
        store.shut()
        let before = try folder.contents()
        try folder.flip("the damaged one")
        let (state, notices) = try reopened(folder, from: before)
        #expect(state.pending.map(\.sequence) == [1])
        #expect(state.deliveries == before.deliveries.filter { $0.number == 2 })
        #expect(
            notices == [
                .setAside(as: Self.asideName, reason: "row 2 of content is not as it was written"),
                .kept(pending: 1, deliveries: 1, missed: 0),
                .lost(pending: 1, deliveries: 1, missed: 0),
            ])
    }

    @Test func `a request whose content is gone is not kept without it`() throws {
        let folder = try StoreFolder()
        let before = try filled(folder, count: 3)
        try folder.change("DELETE FROM content WHERE sequence = 2")
        let (state, notices) = try reopened(folder, from: before)
        #expect(state.pending.map(\.sequence) == [1, 3])
        #expect(
            notices.first
                == .setAside(as: Self.asideName, reason: "what row 2 of pending says is missing"))
    }

    @Test(arguments: [1, 2])
    func `a damaged row of an earlier format costs that row alone`(version: Int) throws {
        let folder = try StoreFolder()
        try Files.write(StoreFixtureTests.fixture(version), to: folder.database)
        try folder.flip("Title 2")
        let (store, state, notices) = try folder.open()
        store.shut()
        let whole = try StoreFixtureTests.content(of: version)
        #expect(state.pending == whole.pending.filter { $0.sequence != 2 })
        #expect(state.deliveries == whole.deliveries)
        #expect(state.missed == whole.missed)
        #expect(state.clock == whole.clock)
        #expect(
            notices == [
                .setAside(
                    as: Self.asideName, reason: "row 2 of pending is not as it was written"),
                .kept(pending: 2, deliveries: 2, missed: 1),
                .lost(pending: 1, deliveries: 0, missed: 0),
            ])
    }

    @Test func `B59: a page in the middle that cannot be read costs its rows alone`() throws {
        let folder = try StoreFolder()
        let before = try filled(folder, count: 400)
        var bytes = try #require(Files.read(folder.database))
        let page = bytes.count / 4096 / 2
        for index in 0..<4096 { bytes[page * 4096 + index] = 0xA5 }
        try Files.write(bytes, to: folder.database)
        let (state, notices) = try reopened(folder, from: before)
        #expect(state.pending.count >= 360)
        #expect(state.pending.count < 400)
        #expect(
            notices.contains(
                .lost(pending: 400 - state.pending.count, deliveries: 0, missed: 0)))
    }

    @Test func `B59: a store cut to half keeps rows of the other half`() throws {
        let folder = try StoreFolder()
        let before = try filled(folder, count: 400)
        let bytes = try #require(Files.read(folder.database))
        try Files.write(Array(bytes.prefix(bytes.count / 2)), to: folder.database)
        let (state, notices) = try reopened(folder, from: before)
        #expect(state.pending.count > 100)
        #expect(notices.count == 3)
    }

    @Test(arguments: UInt64(0)..<24)
    func `B59: a byte changed anywhere is repaired or found`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let folder = try StoreFolder()
        let before = try filled(folder, count: 40)
        var bytes = try #require(Files.read(folder.database))
        // Not the head, by which a file is told to be ours and of which version.
        let place = Int.random(in: 100..<bytes.count, using: &random)
        bytes[place] ^= UInt8.random(in: 1...255, using: &random)
        try Files.write(bytes, to: folder.database)
        let (state, notices) = try reopened(folder, from: before)
        if notices.isEmpty {
            // Free space, or what SQLite does not read.
            #expect(state == before)
        } else {
            #expect(notices.count >= 2)
            #expect(Files.exists(folder.path + "/" + Self.asideName))
        }
    }

    @Test func `B59: what is no database is set aside whole`() throws {
        for garbage in [[], Array("not a database".utf8), [UInt8](repeating: 7, count: 9_000)] {
            let folder = try StoreFolder()
            _ = try folder.contents()
            try Files.write(garbage, to: folder.database)
            let (_, notices) = try reopened(folder, from: StoredState())
            #expect(
                notices == [
                    .setAside(as: Self.asideName, reason: "it is not a database"),
                    .kept(pending: 0, deliveries: 0, missed: 0),
                    .lost(pending: nil, deliveries: nil, missed: nil),
                ])
            #expect(Files.read(folder.path + "/" + Self.asideName) == garbage)
        }
    }

    @Test func `B59: a directory in the database's place is set aside`() throws {
        let folder = try StoreFolder()
        unsafe #expect(mkdir(folder.database, 0o755) == 0)
        try Files.write([1], to: folder.database + "/inside")
        let (_, notices) = try reopened(folder, from: StoredState())
        #expect(notices.first == .setAside(as: Self.asideName, reason: "it is not a file"))
        #expect(Files.exists(folder.path + "/\(Self.asideName)/inside"))
    }

    @Test func `a log whose database is gone is not applied to a new one`() throws {
        let folder = try StoreFolder()
        let (store, _, _) = try folder.open()
        var random = SplitMix64(seed: 3)
        try store.save([.pending(before: nil, after: .random(sequence: 1, using: &random))])
        let log = try #require(Files.read(folder.log))
        store.shut()
        Files.removeAll(folder.database)
        try Files.write(log, to: folder.log)
        let (state, notices) = try reopened(folder, from: StoredState())
        #expect(state.pending == [])
        #expect(notices.count == 3)
        #expect(Files.read(folder.path + "/\(Self.asideName)-wal") == log)
    }

    @Test func `a directory in the log's place is set aside, and the database used`() throws {
        let folder = try StoreFolder()
        let before = try filled(folder, count: 3)
        unsafe #expect(mkdir(folder.log, 0o755) == 0)
        let (state, notices) = try reopened(folder, from: before)
        #expect(state == before)
        #expect(
            notices == [.setAside(as: Self.asideName + "-wal", reason: "its log is not a file")])
    }

    @Test func `damage twice within a second is set aside under two names`() throws {
        let folder = try StoreFolder()
        for _ in 0..<2 {
            try Files.write([0], to: folder.database)
            let (store, _, _) = try folder.open()
            store.shut()
        }
        #expect(
            Files.names(in: folder.path) == [
                "schedd.db", Self.asideName, Self.asideName + "-2", "schedd.lock",
            ])
    }

    @Test func `a replacement that was begun is finished by the next start`() throws {
        let folder = try StoreFolder()
        let before = try filled(folder, count: 5)
        // As if the machine had stopped right after the decision.
        unsafe #expect(rename(folder.database, folder.database + ".replacement") == 0)
        try Files.write([1, 2, 3], to: folder.database)
        try Files.write([4], to: folder.log)
        let (store, state, notices) = try folder.open()
        store.shut()
        #expect(state == before)
        #expect(notices == [.replacementFinished])
        #expect(Files.read(folder.path + "/" + Self.asideName) == [1, 2, 3])
        #expect(Files.read(folder.path + "/\(Self.asideName)-wal") == [4])
    }
}

extension StoreFolder {
    /// Changes one bit of the first place in the database where the text stands.
    fileprivate func flip(_ text: String) throws {
        var bytes = try #require(Files.read(database))
        let place = try #require(bytes.firstIndex(of: Array(text.utf8)))
        bytes[place] ^= 1
        try Files.write(bytes, to: database)
    }
}

extension Array where Element == UInt8 {
    /// Where `part` begins for the first time.
    func firstIndex(of part: [UInt8]) -> Int? {
        guard count >= part.count else { return nil }
        return (0...count - part.count).first { Array(self[$0..<$0 + part.count]) == part }
    }
}
