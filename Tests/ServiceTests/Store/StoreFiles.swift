// Plain file operations for tests: what a user, another program or a bad disk does to the state
// directory.

import Glibc
import Testing

enum Files {
    static func read(_ path: String) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe Glibc.read(file, $0.baseAddress, $0.count)
        }
        return count == bytes.count ? bytes : nil
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        try #require(file >= 0, "\(path): \(errno)")
        defer { close(file) }
        let count = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.write(file, $0.baseAddress, $0.count)
        }
        try #require(count == bytes.count)
    }

    /// Changes the content in place, the size kept: as pages do that go back to what is on disk.
    static func overwrite(_ bytes: [UInt8], at path: String) throws {
        let size = Int(try #require(status(path)).st_size)
        let padding = [UInt8](repeating: 0, count: max(0, size - bytes.count))
        try write(bytes.prefix(size) + padding, to: path)
    }

    static func status(_ path: String) -> stat? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status : nil
    }

    static func exists(_ path: String) -> Bool { status(path) != nil }

    static func names(in directory: String) -> [String] {
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(cString: $0)
                }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    static func removeAll(_ path: String) {
        if let status = status(path), status.st_mode & S_IFMT == S_IFDIR {
            for name in names(in: path) { removeAll(path + "/" + name) }
            _ = unsafe rmdir(path)
        } else {
            _ = unsafe unlink(path)
        }
    }
}
