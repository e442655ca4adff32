// The power cut: what the store wrote is replayed up to any point, with what was not synced by then
// there or not, in whole or in part. What comes up must be the state before or after a commit, and
// never one before the last commit that was acknowledged as durable.

import CivilTime
import Scheduling
import Service
import TestSupport
import Testing

@Suite struct StorePowerCutTests {
    /// A recorded run: the files before it, what the disk was told, the state after each commit.
    private struct Recording {
        var files: [String: [UInt8]]
        var operations: [DiskOperation]
        var states: [StoredState]
    }

    /// Adds, fires and presents as the daemon does: adds durable, firings not.
    private func record(seed: UInt64, turns: Int, checkpointing: Bool) throws -> Recording {
        var random = SplitMix64(seed: seed)
        let folder = try StoreFolder()
        var model = StoreModel()
        let (first, _, _) = try folder.open()
        let base = model.randomChanges(count: 30, using: &random)
        try first.save(base)
        model.apply(base)
        first.shut()
        let bytes = try #require(Files.read(folder.database))
        var recording = Recording(
            files: ["schedd.db": bytes], operations: [], states: [model.state])
        let disk = TestDisk("power-\(seed)-\(checkpointing)")
        let (store, _, _) = try folder.open(vfs: disk.name)
        for turn in 1...turns {
            let isDurable = turn % 3 == 0
            let changes = model.randomChanges(count: checkpointing ? 40 : 3, using: &random)
            try store.save(changes, durable: isDurable)
            model.apply(changes)
            recording.states.append(model.state)
            if isDurable { disk.note(acknowledged: turn) }
        }
        store.shut()
        recording.operations = disk.operations
        return recording
    }

    @Test(arguments: UInt64(0)..<4)
    func `a power cut at any point of adds and firings loses no durable commit`(
        seed: UInt64
    ) throws {
        let recording = try record(seed: seed, turns: 9, checkpointing: false)
        try check(recording, seed: seed) { _ in [0, 1, 2, 3] }
    }

    @Test(arguments: UInt64(0)..<2)
    func `a power cut within checkpoints loses no durable commit`(seed: UInt64) throws {
        let recording = try record(seed: seed, turns: 45, checkpointing: true)
        let syncs = recording.operations.filter {
            if case .sync("schedd.db") = $0 { true } else { false }
        }
        #expect(syncs.count > 1, "no checkpoint but the one of closing")
        let isNear = recording.operations.indices.map { point in
            recording.operations[max(0, point - 5)..<point].contains(where: \.isOnDatabase)
        }
        try check(recording, seed: seed) { point in
            point < isNear.count && isNear[point] ? [0, 1, 2] : []
        }
    }

    private func check(
        _ recording: Recording, seed: UInt64, variants: (_ point: Int) -> [Int]
    ) throws {
        var random = SplitMix64(seed: seed ^ 0x5EED)
        var acknowledged = 0
        for point in 0...recording.operations.count {
            if point > 0, case .acknowledged(let count) = recording.operations[point - 1] {
                acknowledged = count
            }
            if variants(point).isEmpty { continue }
            let disk = PowerCut(recording.files, recording.operations.prefix(point))
            for variant in variants(point) {
                let files = disk.files(variant: variant, using: &random)
                let folder = try StoreFolder()
                for (name, bytes) in files {
                    try Files.write(bytes, to: folder.path + "/" + name)
                }
                let (store, state, notices) = try folder.open()
                store.shut()
                let found = recording.states.lastIndex(of: state)
                let place = "seed \(seed), operation \(point), variant \(variant)"
                #expect(notices == [], "\(place)")
                #expect(found.map { $0 >= acknowledged } == true, "\(place): \(found ?? -1)")
            }
        }
    }
}

/// The files that a power cut after some operations may leave.
struct PowerCut {
    /// What is on disk for certain, and what came after the last sync of each file.
    private var synced: [String: [UInt8]]
    private var unsynced: [String: [DiskOperation]] = [:]

    init(_ files: [String: [UInt8]], _ operations: some Sequence<DiskOperation>) {
        synced = files
        for operation in operations {
            switch operation {
            case .write(let file, _, _), .truncate(let file, _), .delete(let file):
                unsynced[file, default: []].append(operation)
            case .sync(let file):
                for operation in unsynced[file] ?? [] { Self.apply(operation, to: &synced) }
                unsynced[file] = nil
            case .acknowledged: break
            }
        }
    }

    /// Variant 0: nothing that was not synced is there; 1: all of it; others: some of it, and of
    /// the writes perhaps only a part, in sectors of 512 bytes.
    func files(variant: Int, using random: inout SplitMix64) -> [String: [UInt8]] {
        var files = synced
        for (_, operations) in unsynced.sorted(by: { $0.key < $1.key }) {
            for operation in operations {
                switch variant {
                case 0: continue
                case 1: Self.apply(operation, to: &files)
                default:
                    guard Bool.random(using: &random) else { continue }
                    Self.apply(Self.torn(operation, using: &random), to: &files)
                }
            }
        }
        return files
    }

    private static func torn(
        _ operation: DiskOperation, using random: inout SplitMix64
    ) -> DiskOperation {
        guard case .write(let file, let offset, let bytes) = operation, bytes.count > 512,
            UInt8.random(in: 0..<4, using: &random) == 0
        else { return operation }
        let kept = 512 * Int.random(in: 1...bytes.count / 512, using: &random)
        return .write(file: file, offset: offset, bytes: Array(bytes.prefix(kept)))
    }

    private static func apply(_ operation: DiskOperation, to files: inout [String: [UInt8]]) {
        switch operation {
        case .write(let file, let offset, let bytes):
            var content = files[file] ?? []
            let missing = offset + bytes.count - content.count
            if missing > 0 { content += [UInt8](repeating: 0, count: missing) }
            content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
            files[file] = content
        case .truncate(let file, let size):
            files[file] = Array((files[file] ?? []).prefix(size))
        case .delete(let file):
            files[file] = nil
        case .sync, .acknowledged: break
        }
    }
}
