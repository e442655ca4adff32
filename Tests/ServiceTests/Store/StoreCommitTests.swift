// A commit is all or nothing, in order, and numbers are never given twice.

import CivilTime
import Dispatch
import Glibc
import Scheduling
import Service
import TestSupport
import Testing

@Suite struct StoreCommitTests {
    private static func request(_ sequence: Int64, _ identifier: String) -> PendingRequest {
        PendingRequest(
            app: "app",
            request: Request(
                identifier: identifier, content: Content(title: "Title \(sequence)"),
                trigger: .date(WallInstant(seconds: 4_000_000_000))),
            sequence: sequence, added: WallInstant(seconds: 1),
            next: .wall(WallInstant(seconds: 4_000_000_000)))
    }

    @Test func `B61: a replacement takes the old request away in the same commit`() throws {
        let folder = try StoreFolder()
        let (store, _, _) = try folder.open()
        let old = Self.request(1, "n10")
        let new = Self.request(2, "n10")
        try store.save([.pending(before: nil, after: old)])
        try store.save([.pending(before: old, after: new)])
        store.shut()
        #expect(try folder.contents().pending == [new])
    }

    @Test func `changes of one row in one commit happen in order`() throws {
        let folder = try StoreFolder()
        let (store, _, _) = try folder.open()
        let first = Self.request(1, "a")
        var moved = first
        moved.next = .wall(WallInstant(seconds: 5_000_000_000))
        let again = Self.request(2, "a")
        try store.save([
            .pending(before: nil, after: first), .pending(before: first, after: moved),
            .pending(before: moved, after: nil), .pending(before: nil, after: again),
        ])
        store.shut()
        #expect(try folder.contents().pending == [again])
    }

    @Test func `a change that does not fit takes the whole commit back`() throws {
        let folder = try StoreFolder()
        let (store, _, _) = try folder.open()
        let kept = Self.request(1, "kept")
        try store.save([.pending(before: nil, after: kept)])
        let added = Change.pending(before: nil, after: Self.request(2, "added"))
        let absent = Self.request(9, "absent")
        let misfits: [Change] = [
            .pending(before: absent, after: nil),
            .pending(before: absent, after: absent),
            .pending(before: nil, after: kept),
        ]
        for misfit in misfits {
            let error = #expect(throws: StoreError.self) { try store.save([added, misfit]) }
            guard case .inconsistent = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        // The store goes on, and the numbers of the failed commits were not used up in the file.
        try store.save([added])
        store.shut()
        let state = try folder.contents()
        #expect(state.pending.map(\.request.identifier) == ["kept", "added"])
        #expect(state.lastSequence == 2)
    }

    @Test func `a turn is undone by its changes reversed, newest first`() throws {
        var random = SplitMix64(seed: 5)
        let folder = try StoreFolder()
        let (store, _, _) = try folder.open()
        var model = StoreModel()
        let base = model.randomChanges(count: 20, using: &random)
        try store.save(base)
        model.apply(base)
        let turn = model.randomChanges(count: 20, using: &random)
        try store.save(turn)
        try store.save(turn.reversed().map(\.reversed))
        store.shut()
        let state = try folder.contents()
        #expect(state.pending == model.state.pending)
        #expect(state.deliveries == model.state.deliveries)
        #expect(state.missed == model.state.missed)
        #expect(state.clock == model.state.clock)
    }

    @Test func `numbers are remembered when their rows are gone`() throws {
        let folder = try StoreFolder()
        var random = SplitMix64(seed: 1)
        let (store, _, _) = try folder.open()
        let request = Self.request(7, "a")
        let delivery = Delivery.random(number: 8, sequence: 10, using: &random)
        let missed = Missed.random(number: 9, using: &random)
        try store.save([
            .pending(before: nil, after: request), .delivery(before: nil, after: delivery),
            .missed(before: nil, after: missed),
        ])
        try store.save([
            .pending(before: request, after: nil), .delivery(before: delivery, after: nil),
            .missed(before: missed, after: nil),
        ])
        store.shut()
        #expect(
            try folder.contents() == StoredState(lastSequence: 10, lastDelivery: 8, lastMissed: 9))
    }

    @Test func `the log stays small under many commits and is gone after closing`() throws {
        let folder = try StoreFolder()
        let (store, _, _) = try folder.open()
        var model = StoreModel()
        var random = SplitMix64(seed: 2)
        var largest: Int64 = 0
        for _ in 0..<800 {
            let changes = model.randomChanges(count: 2, using: &random)
            try store.save(changes, durable: false)
            model.apply(changes)
            largest = max(largest, Int64(try #require(Files.status(folder.log)).st_size))
        }
        #expect(largest > 100_000)
        #expect(largest < 2 << 20)
        store.shut()
        #expect(!Files.exists(folder.log))
        #expect(try folder.contents() == model.state)
    }

    @Test(arguments: [true, false])
    func `no commit waits for what is due now and then`(isDurable: Bool) throws {
        let folder = try StoreFolder()
        let disk = TestDisk("tidy-\(isDurable)")
        let (store, _, _) = try folder.open(vfs: disk.name)
        func syncs() -> Int {
            disk.operations.count { if case .sync = $0 { true } else { false } }
        }
        var model = StoreModel()
        var random = SplitMix64(seed: 3)
        // The first commit syncs the head of a new log as well.
        let first = model.randomChanges(count: 2, using: &random)
        try store.save(first)
        model.apply(first)
        var commits = 0
        let before = syncs()
        while !store.queue.sync(execute: { store.needsTidying }) {
            let changes = model.randomChanges(count: 2, using: &random)
            try store.queue.sync { try store.commit(changes, durable: isDurable) }
            model.apply(changes)
            commits += 1
        }
        // Many pages in the log, or so many commits that power could take.
        #expect(isDurable ? commits > 20 : commits == Store.unsyncedLimit)
        #expect(syncs() - before == (isDurable ? commits : 0))
        let committed = syncs()
        store.queue.sync { store.tidy() }
        #expect(syncs() > committed)
        let tidied = syncs()
        store.queue.sync { store.tidy() }
        #expect(syncs() == tidied, "there was nothing left to do")
        let last = model.randomChanges(count: 2, using: &random)
        try store.queue.sync { try store.commit(last, durable: false) }
        model.apply(last)
        #expect(syncs() == tidied, "the first commit after it is like the others")
        store.shut()
        #expect(try folder.contents() == model.state)
    }

    @Test func `another queue may not use the store`() async throws {
        // Made here, since the process that traps removes nothing.
        let folder = try StoreFolder()
        let path = folder.path
        await #expect(processExitsWith: .failure) { [path = path as String] in
            let (store, _, _) = try Store.open(directory: path, now: StoreFolder.now)
            try store.commit([], durable: true)
        }
        #expect(Files.exists(folder.database))
    }

    @Test func `a content stays as long as a request or a delivery refers to it`() throws {
        let folder = try StoreFolder()
        var random = SplitMix64(seed: 11)
        let request = PendingRequest.random(sequence: 5, using: &random)
        var moved = request
        moved.occurrenceCount += 1
        let first = Delivery.random(number: 1, of: request, using: &random)
        let second = Delivery.random(number: 2, of: request, using: &random)
        // What is in the table of contents after each commit.
        let steps: [([Change], [Int64])] = [
            ([.pending(before: nil, after: request)], [5]),
            ([.delivery(before: nil, after: first), .pending(before: request, after: moved)], [5]),
            ([.delivery(before: first, after: second)], [5]),
            ([.pending(before: moved, after: nil)], [5]),
            ([.delivery(before: second, after: nil)], []),
        ]
        for (changes, expected) in steps {
            let (store, _, _) = try folder.open()
            try store.save(changes)
            store.shut()
            #expect(try folder.numbersOfContents() == expected)
        }
    }
}

extension StoreFolder {
    fileprivate func numbersOfContents() throws -> [Int64] {
        let connection = try SQLiteConnection(path: database, for: .use)
        defer { connection.close() }
        let rows = try SQLiteStatement(
            "SELECT sequence FROM content ORDER BY sequence", table: "content", on: connection)
        var numbers: [Int64] = []
        while try rows.step() { numbers.append(rows.key) }
        return numbers
    }
}
