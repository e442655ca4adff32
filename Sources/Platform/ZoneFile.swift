// The system calls beneath the zone directory and the machine's zone: a bounded read, and the
// target of a link.

import CivilTime
import Glibc

/// Reading of one zone file.
enum ZoneFile {
    /// The whole contents, if it is a plain file of a size that a zone file can have.
    static func read(
        _ file: FileDescriptor, name: String
    ) throws(ZoneFileError) -> [UInt8] {
        let limit = Zone.largestFileBytes
        let (isPlain, bytes): (Bool, [UInt8])
        do throws(Errno) {
            isPlain = try file.status().st_mode & S_IFMT == S_IFREG
            // One byte more than the limit shows that there is more; the size in the status can
            // grow while we read.
            bytes = isPlain ? try contents(of: file, upTo: limit + 1) : []
        } catch {
            throw .system(SystemError(doing: "reading zone file \(name)", errno: error))
        }
        guard isPlain else { throw .notAFile(name) }
        guard bytes.count <= limit else { throw .tooLarge(name, limitBytes: limit) }
        return bytes
    }

    private static func contents(
        of file: FileDescriptor, upTo limit: Int
    ) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count < limit {
            let wanted = min(chunk.count, limit - bytes.count)
            let count = try retryingInterrupted {
                unsafe Glibc.read(file.rawValue, &chunk, wanted)
            }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    /// readlinkat(2); fails with EINVAL for what is no link.
    static func linkTarget(
        _ path: String, at folder: Int32 = AT_FDCWD
    ) throws(Errno) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try retryingInterrupted {
            unsafe readlinkat(folder, path, &buffer, buffer.count)
        }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
