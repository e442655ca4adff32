// A disk for the store's tests: an SQLite file system on top of the usual one that records what is
// written and synced, and fails where a test wants it to. It has no shared memory, as the store is
// to need none.
// Unsafe: SQLite calls back through C function pointers with its own structures; each file carries
// an unretained reference to its disk, and a registered disk lives as long as the process.

import CSQLite
import Glibc
import Service
import Synchronization
import TestSupport

/// What happened to a file; names are without their directory.
enum DiskOperation: Sendable {
    case write(file: String, offset: Int, bytes: [UInt8])
    case truncate(file: String, size: Int)
    case sync(file: String)
    case delete(file: String)
    /// A note of the test: that many of its commits have been acknowledged as durable.
    case acknowledged(Int)

    /// Whether a checkpoint did it.
    var isOnDatabase: Bool {
        switch self {
        case .write(let file, _, _), .truncate(let file, _), .sync(let file), .delete(let file):
            file == StoreDirectory.databaseName
        case .acknowledged: false
        }
    }
}

/// A recording, failing file system, registered with SQLite under `name`.
final class TestDisk: Sendable {
    let name: String
    private let state = Mutex(State())

    private struct State {
        var operations: [DiskOperation] = []
        /// Asked before an operation is done; a code makes it fail instead.
        var fault: (@Sendable (Int, DiskOperation) -> Int32?)?
    }

    init(_ name: String) {
        self.name = name
        TestDiskFiles.register(self)
    }

    /// Everything so far, in order.
    var operations: [DiskOperation] { state.withLock { $0.operations } }

    /// Lets `fault` decide by an operation's index, from 0 now, whether it fails.
    func fail(_ fault: (@Sendable (Int, DiskOperation) -> Int32?)?) {
        state.withLock {
            $0.operations = []
            $0.fault = fault
        }
    }

    /// Fails the sync that `isHit` picks, and undoes what was written to the file since the one
    /// before: what Linux may do with pages that it could not write.
    func losesUnsynced(
        in directory: String, when isHit: @escaping @Sendable (DiskOperation) -> Bool
    ) {
        let before = ["schedd.db", "schedd.db-wal"].map { ($0, Files.read("\(directory)/\($0)")) }
        let start = before.compactMap { name, bytes in bytes.map { (name, $0) } }
        fail { [unowned self] _, operation in
            guard isHit(operation), case .sync(let file) = operation else { return nil }
            // The sync itself is recorded already, and has not happened.
            let cut = PowerCut(
                Dictionary(uniqueKeysWithValues: start), self.operations.dropLast())
            var random = SplitMix64(seed: 0)
            let content = cut.files(variant: 0, using: &random)[file] ?? []
            guard (try? Files.overwrite(content, at: "\(directory)/\(file)")) != nil else {
                return SQLITE_INTERNAL
            }
            return SQLITE_IOERR | 4 << 8
        }
    }

    func note(acknowledged count: Int) {
        state.withLock { $0.operations.append(.acknowledged(count)) }
    }

    /// Records an operation; the code to fail with, if it shall.
    fileprivate func record(_ operation: DiskOperation) -> Int32? {
        let (index, fault) = state.withLock { state in
            state.operations.append(operation)
            return (state.operations.count - 1, state.fault)
        }
        return fault?(index, operation)
    }
}

/// The C side: `sqlite3_file` of this disk, directly followed by that of the real one.
@safe private struct TestDiskFile {
    var base: sqlite3_file
    var disk: Unmanaged<TestDisk>
    var name: Unmanaged<TestDiskName>?
}

private final class TestDiskName: Sendable {
    let text: String
    init(_ text: String) { self.text = text }
}

private enum TestDiskFiles {
    /// Multiple of 16, so that what follows is aligned.
    static let headSize = (MemoryLayout<TestDiskFile>.size + 15) / 16 * 16

    static func real(_ file: UnsafeMutablePointer<sqlite3_file>?)
        -> UnsafeMutablePointer<sqlite3_file>?
    {
        unsafe UnsafeMutableRawPointer(file)?.advanced(by: headSize)
            .assumingMemoryBound(to: sqlite3_file.self)
    }

    static func head(_ file: UnsafeMutablePointer<sqlite3_file>?) -> TestDiskFile? {
        unsafe UnsafeMutableRawPointer(file)?.load(as: TestDiskFile.self)
    }

    static func name(_ file: UnsafeMutablePointer<sqlite3_file>?) -> String {
        unsafe head(file)?.name?.takeUnretainedValue().text ?? ""
    }

    static func record(
        _ operation: DiskOperation, on file: UnsafeMutablePointer<sqlite3_file>?
    ) -> Int32? {
        unsafe head(file)?.disk.takeUnretainedValue().record(operation)
    }

    static func base(of path: UnsafePointer<CChar>?) -> String {
        let path = unsafe path.map { unsafe String(cString: $0) } ?? ""
        return path.split(separator: "/").last.map(String.init) ?? ""
    }

    static func register(_ disk: TestDisk) {
        guard let usual = unsafe sqlite3_vfs_find(nil) else { return }
        // Kept for good: SQLite keeps a registered file system for the life of the process.
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        unsafe vfs.initialize(to: usual.pointee)
        unsafe vfs.pointee.zName = unsafe UnsafePointer(strdup(disk.name))
        unsafe vfs.pointee.szOsFile = Int32(headSize) + usual.pointee.szOsFile
        unsafe vfs.pointee.pAppData = Unmanaged.passRetained(disk).toOpaque()
        unsafe vfs.pointee.xOpen = { vfs, path, file, flags, outFlags in
            guard let vfs = unsafe vfs, let file = unsafe file,
                let context = unsafe vfs.pointee.pAppData,
                let usual = unsafe sqlite3_vfs_find(nil), let real = unsafe TestDiskFiles.real(file)
            else { return SQLITE_CANTOPEN }
            let code = unsafe usual.pointee.xOpen(usual, path, real, flags, outFlags)
            let name = TestDiskName(unsafe TestDiskFiles.base(of: path))
            unsafe UnsafeMutableRawPointer(file).initializeMemory(
                as: TestDiskFile.self,
                to: TestDiskFile(
                    base: sqlite3_file(pMethods: code == SQLITE_OK ? TestDiskFiles.methods : nil),
                    disk: Unmanaged.fromOpaque(context),
                    name: code == SQLITE_OK ? Unmanaged.passRetained(name) : nil))
            return code
        }
        unsafe vfs.pointee.xDelete = { vfs, path, syncDirectory in
            guard let context = unsafe vfs?.pointee.pAppData,
                let usual = unsafe sqlite3_vfs_find(nil)
            else { return SQLITE_IOERR }
            let disk = unsafe Unmanaged<TestDisk>.fromOpaque(context).takeUnretainedValue()
            if let code = unsafe disk.record(.delete(file: TestDiskFiles.base(of: path))) {
                return code
            }
            return unsafe usual.pointee.xDelete(usual, path, syncDirectory)
        }
        _ = unsafe sqlite3_vfs_register(vfs, 0)
    }

    /// Version 1: no shared memory, no memory mapping.
    nonisolated(unsafe) static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        unsafe methods.initialize(to: sqlite3_io_methods())
        unsafe methods.pointee.iVersion = 1
        unsafe methods.pointee.xClose = { file in
            unsafe head(file)?.name?.release()
            return unsafe real(file)?.pointee.pMethods.pointee.xClose(real(file)) ?? SQLITE_OK
        }
        unsafe methods.pointee.xRead = { file, buffer, count, offset in
            unsafe real(file)?.pointee.pMethods.pointee.xRead(real(file), buffer, count, offset)
                ?? SQLITE_IOERR
        }
        unsafe methods.pointee.xWrite = { file, buffer, count, offset in
            let bytes = unsafe [UInt8](
                UnsafeRawBufferPointer(start: buffer, count: Int(count)))
            let operation = unsafe DiskOperation.write(
                file: name(file), offset: Int(offset), bytes: bytes)
            if let code = unsafe record(operation, on: file) { return code }
            return unsafe real(file)?.pointee.pMethods.pointee.xWrite(
                real(file), buffer, count, offset) ?? SQLITE_IOERR
        }
        unsafe methods.pointee.xTruncate = { file, size in
            let operation = unsafe DiskOperation.truncate(file: name(file), size: Int(size))
            if let code = unsafe record(operation, on: file) { return code }
            return unsafe real(file)?.pointee.pMethods.pointee.xTruncate(real(file), size)
                ?? SQLITE_IOERR
        }
        unsafe methods.pointee.xSync = { file, _ in
            // The real sync would only make the tests slow.
            unsafe record(.sync(file: name(file)), on: file) ?? SQLITE_OK
        }
        unsafe methods.pointee.xFileSize = { file, size in
            unsafe real(file)?.pointee.pMethods.pointee.xFileSize(real(file), size)
                ?? SQLITE_IOERR
        }
        unsafe methods.pointee.xLock = { file, level in
            unsafe real(file)?.pointee.pMethods.pointee.xLock(real(file), level) ?? SQLITE_IOERR
        }
        unsafe methods.pointee.xUnlock = { file, level in
            unsafe real(file)?.pointee.pMethods.pointee.xUnlock(real(file), level)
                ?? SQLITE_IOERR
        }
        unsafe methods.pointee.xCheckReservedLock = { file, result in
            unsafe real(file)?.pointee.pMethods.pointee.xCheckReservedLock(real(file), result)
                ?? SQLITE_IOERR
        }
        unsafe methods.pointee.xFileControl = { file, operation, argument in
            unsafe real(file)?.pointee.pMethods.pointee.xFileControl(
                real(file), operation, argument) ?? SQLITE_NOTFOUND
        }
        unsafe methods.pointee.xSectorSize = { file in
            unsafe real(file)?.pointee.pMethods.pointee.xSectorSize(real(file)) ?? 4096
        }
        unsafe methods.pointee.xDeviceCharacteristics = { file in
            unsafe real(file)?.pointee.pMethods.pointee.xDeviceCharacteristics(real(file)) ?? 0
        }
        return unsafe methods
    }()
}
