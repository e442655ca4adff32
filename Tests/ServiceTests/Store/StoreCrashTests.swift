// kill -9 at any instant, a full disk, and a directory that may not be written: each in a process
// of its own, since a process is what ends.

import CivilTime
import Dispatch
import Glibc
import Scheduling
import Service
import TestSupport
import Testing

@Suite struct StoreCrashTests {
    /// The changes of turn `turn`, the same in every process.
    private static func turns(seed: UInt64, count: Int) -> [[Change]] {
        var random = SplitMix64(seed: seed)
        var model = StoreModel()
        return (0..<count).map { _ in
            let changes = model.randomChanges(count: 2, using: &random)
            model.apply(changes)
            return changes
        }
    }

    /// The instants are those between two operations on the disk: nothing changes between them.
    @Test(arguments: UInt64(0)..<12)
    func `kill -9 loses no acknowledged commit, durable or not`(seed: UInt64) async throws {
        let folder = try StoreFolder()
        _ = try folder.contents()
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, seed = seed as UInt64] in
            let disk = TestDisk("kill")
            let (store, _, _) = try Store.open(
                directory: path, now: StoreFolder.now, vfs: disk.name)
            let last = 1 + Int(seed) * 21
            disk.fail { index, _ in
                if index == last { kill(getpid(), SIGKILL) }
                return nil
            }
            for (turn, changes) in Self.turns(seed: seed, count: 200).enumerated() {
                try store.save(changes, durable: turn % 5 == 0)
                try Files.write(Array("\(turn + 1)".utf8), to: path + "/acknowledged")
            }
        }
        let note = Files.read(path + "/acknowledged").map { String(decoding: $0, as: UTF8.self) }
        let acknowledged = note.flatMap { Int($0) } ?? 0
        var model = StoreModel()
        let turns = Self.turns(seed: seed, count: 200)
        for changes in turns.prefix(acknowledged) { model.apply(changes) }
        let state = try folder.contents()
        // The commit in which it died may have reached the file before it was acknowledged.
        let before = model.state
        model.apply(turns[acknowledged])
        #expect(state == before || state == model.state)
    }

    private static var isRoot: Bool { geteuid() == 0 }

    /// unshare(2), which the Glibc module does not have.
    private static func leaveMountNamespace() -> Bool {
        guard let address = unsafe dlsym(nil, "unshare") else { return false }
        typealias Unshare = @convention(c) (Int32) -> Int32
        let newMounts: Int32 = 0x2_0000  // CLONE_NEWNS
        return unsafe unsafeBitCast(address, to: Unshare.self)(newMounts) == 0
    }

    @Test(.enabled(if: isRoot, "mounting takes root"))
    func `B58: on a full 1 MiB disk adds fail, the ten stay, and later adds work`() async throws {
        let folder = try StoreFolder()
        let path = folder.path + "/disk"
        await #expect(processExitsWith: .success) { [path = path as String] in
            // Seen by this process alone, and gone with it.
            try #require(Self.leaveMountNamespace())
            try #require(unsafe mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0)
            try #require(unsafe mkdir(path, 0o700) == 0)
            let options = "size=1m,mode=0700"
            let code = unsafe options.withCString {
                unsafe mount("tmpfs", path, "tmpfs", 0, $0)
            }
            try #require(code == 0)
            var random = SplitMix64(seed: 58)
            let ten = (1...10).map { PendingRequest.random(sequence: $0, using: &random) }
            let more = PendingRequest.random(sequence: 11, using: &random)
            var (store, _, _) = try Store.open(directory: path, now: StoreFolder.now)
            try store.save(ten.map { .pending(before: nil, after: $0) })
            // Without a log that could make room by going into the database.
            store.shut()
            (store, _, _) = try Store.open(directory: path, now: StoreFolder.now)

            let filler = unsafe open(path + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            let block = [UInt8](repeating: 1, count: 4096)
            while unsafe write(filler, block, block.count) > 0 {}
            for _ in 0..<3 {
                let error = #expect(throws: StoreError.self) {
                    try store.save([.pending(before: nil, after: more)])
                }
                guard case .diskFull = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
            }
            // A start on the full disk works as well: the store needs no space to be read.
            store.shut()
            let (again, state, notices) = try Store.open(directory: path, now: StoreFolder.now)
            store = again
            #expect(state.pending == ten)
            #expect(notices == [])

            unsafe unlink(path + "/filler")
            close(filler)
            try store.save([.pending(before: nil, after: more)])
            store.shut()
            let (last, saved, _) = try Store.open(directory: path, now: StoreFolder.now)
            last.shut()
            #expect(saved.pending == ten + [more])
        }
    }

    @Test(.enabled(if: isRoot, "giving up root takes root"))
    func `what another user owns is refused, and what cannot be written is told`() async throws {
        let folder = try StoreFolder()
        let path = folder.path
        // The user that may do nothing else here.
        let user: uid_t = 65_534
        for name in ["ours", "theirs", "locked", "locked/inner"] {
            unsafe #expect(mkdir("\(path)/\(name)", 0o700) == 0)
            unsafe #expect(name == "theirs" || chown("\(path)/\(name)", user, user) == 0)
        }
        unsafe #expect(chmod(path, 0o755) == 0)
        unsafe #expect(chmod("\(path)/theirs", 0o755) == 0)
        try Files.write([1], to: path + "/ours/schedd.db")
        unsafe #expect(chmod(path + "/locked/inner", 0o500) == 0)
        await #expect(processExitsWith: .success) { [path = path as String] in
            try #require(setuid(65_534) == 0)
            let foreign = "it belongs to user 0, not to 65534"
            func failure(_ name: String) -> StoreError? {
                #expect(throws: StoreError.self) {
                    _ = try Store.open(directory: "\(path)/\(name)", now: StoreFolder.now)
                }
            }
            guard case .directoryUnusable(_, foreign) = failure("theirs"),
                case .directoryUnusable(_, "schedd.lock: Permission denied") =
                    failure("locked/inner"),
                case .directoryUnusable(_, "Permission denied") = failure("theirs/new"),
                case .fileRefused(_, foreign) = failure("ours")
            else {
                Issue.record("\(String(describing: failure("ours")))")
                return
            }
        }
    }
}
