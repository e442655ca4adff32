// A disk that fails: whatever write or sync it is, an acknowledged commit stays, a failed one
// leaves nothing behind, and the store goes on when the disk does.

import CSQLite
import CivilTime
import Dispatch
import Scheduling
import Service
import Synchronization
import TestSupport
import Testing

@Suite struct StoreFaultTests {
    /// Commits until the disk has failed once and worked again; what was acknowledged is the model.
    private func run(
        _ folder: StoreFolder, on disk: TestDisk, seed: UInt64, turns: Int
    ) throws -> (model: StoreModel, failures: Int) {
        var random = SplitMix64(seed: seed)
        var model = StoreModel()
        var failures = 0
        let (store, _, _) = try folder.open(vfs: disk.name)
        for _ in 0..<turns {
            let changes = model.randomChanges(count: 2, using: &random)
            do {
                try store.save(changes, durable: .random(using: &random))
                model.apply(changes)
            } catch is StoreError {
                failures += 1
            }
        }
        disk.fail(nil)
        let last = model.randomChanges(count: 1, using: &random)
        try store.save(last)
        model.apply(last)
        store.shut()
        return (model, failures)
    }

    @Test(arguments: 0..<30)
    func `EIO on any write or sync: failed commits are gone, the others stay`(nth: Int) throws {
        let folder = try StoreFolder()
        _ = try folder.contents()
        let disk = TestDisk("fail-\(nth)")
        disk.fail { index, operation in
            // From there on for a while, so that mending fails at first as well.
            guard index >= nth * 4 && index < nth * 4 + nth % 4 + 1 else { return nil }
            if case .sync = operation { return SQLITE_IOERR | 4 << 8 }
            return SQLITE_IOERR | 3 << 8
        }
        let (model, failures) = try run(folder, on: disk, seed: UInt64(nth), turns: 40)
        #expect(failures >= 1)
        #expect(try folder.contents() == model.state)
    }

    @Test(arguments: 0..<15)
    func `a failed sync that loses what was written loses no commit`(nth: Int) throws {
        let folder = try StoreFolder()
        _ = try folder.contents()
        let disk = TestDisk("lose-\(nth)")
        let syncs = Mutex(0)
        disk.losesUnsynced(in: folder.path) { operation in
            guard case .sync = operation else { return false }
            return syncs.withLock { count in
                count += 1
                return count == nth + 1
            }
        }
        let (model, failures) = try run(folder, on: disk, seed: UInt64(nth), turns: 50)
        #expect(failures == 1)
        #expect(try folder.contents() == model.state)
    }

    @Test func `a full disk fails the commit, is no impairment, and passes`() throws {
        let folder = try StoreFolder()
        let (first, _, _) = try folder.open()
        var random = SplitMix64(seed: 58)
        let kept = (1...10).map { PendingRequest.random(sequence: $0, using: &random) }
        try first.save(kept.map { .pending(before: nil, after: $0) })
        first.shut()
        let disk = TestDisk("full")
        let (store, _, _) = try folder.open(vfs: disk.name)
        disk.fail { _, operation in
            if case .write = operation { return SQLITE_FULL }
            return nil
        }
        let added = PendingRequest.random(sequence: 11, using: &random)
        let error = #expect(throws: StoreError.self) {
            try store.save([.pending(before: nil, after: added)])
        }
        guard case .diskFull = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(store.queue.sync { store.isImpaired } == false)
        disk.fail(nil)
        try store.save([.pending(before: nil, after: added)])
        store.shut()
        #expect(try folder.contents().pending == kept + [added])
    }
}
