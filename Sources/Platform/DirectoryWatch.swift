// Changes of names in directories, by inotify(7). Watching the directory and not the file is what
// survives an atomic replace: the new file has no watch, the directory keeps its own. Events only
// say "look again": who gets one reads the truth from the file system.

import Glibc

/// Calls its handler on the loop's queue after something was created, replaced, written or removed
/// in a watched directory.
///
/// A burst of changes may come as one call. The watch of a directory that is itself removed is
/// gone; the handler is called, and adding the directory again is the caller's part.
package final class DirectoryWatch {
    private let inotify: FileDescriptor
    private let source: DescriptorSource

    /// `names` limits the call to events about one of them; empty means any name.
    package init(
        names: Set<String> = [], on loop: EventLoop, handler: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let inotify = try describing("starting inotify") { () throws(Errno) in
            try FileDescriptor(
                owning: retryingInterrupted { inotify_init1(O_CLOEXEC | O_NONBLOCK) })
        }
        self.inotify = inotify
        source = try describing("watching inotify") { () throws(Errno) in
            try DescriptorSource(inotify, .reading, on: loop) {
                var isConcerned = false
                // A read takes whole events only, and one of the longest name fits into this.
                while case .bytes(let bytes)? = try? inotify.read(limitBytes: 16_384) {
                    let events = InotifyEvents(bytes: bytes)
                    isConcerned = isConcerned || events.contains { $0.concerns(names) }
                }
                if isConcerned { handler() }
            }
        }
    }

    /// Watches one directory; adding it again changes nothing.
    package func add(_ directory: String) throws(SystemError) {
        let mask =
            UInt32(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE)
            | UInt32(IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
        try describing("watching \(directory)") { () throws(Errno) in
            _ = try retryingInterrupted {
                unsafe inotify_add_watch(inotify.rawValue, directory, mask)
            }
        }
    }

    /// Watches a directory and those below it, as they are now, `depthLimit` levels down.
    ///
    /// Symbolic links are not followed. Call it again after an event to take in new directories.
    package func add(tree directory: String, depthLimit: Int = 4) throws(SystemError) {
        try add(directory)
        if depthLimit == 0 { return }
        let subdirectories = try describing("listing \(directory)") { () throws(Errno) in
            try Self.subdirectories(of: directory)
        }
        for path in subdirectories {
            do throws(SystemError) {
                try add(tree: path, depthLimit: depthLimit - 1)
            } catch {
                // Removed between the listing and now.
                if error.errno != .notFound { throw error }
            }
        }
    }

    /// No handler starts after this, when called on the queue.
    package func cancel() { source.cancel() }

    private static func subdirectories(of directory: String) throws(Errno) -> [String] {
        guard let stream = unsafe opendir(directory) else { throw Errno(code: errno) }
        defer { unsafe closedir(stream) }
        var paths: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(cString: $0)
                }
            }
            if name == "." || name == ".." { continue }
            let path = "\(directory)/\(name)"
            if let status = try? pathStatus(path), status.st_mode & S_IFMT == S_IFDIR {
                paths.append(path)
            }
        }
        return paths
    }
}

/// One event of inotify, as far as we look at it.
private struct InotifyEvent {
    let mask: UInt32
    let name: String

    /// Lost events, a lost watch, and changes of the directory itself concern everybody.
    func concerns(_ names: Set<String>) -> Bool {
        let always = UInt32(IN_Q_OVERFLOW | IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF)
        return names.isEmpty || mask & always != 0 || names.contains(name)
    }
}

/// The events in one read: a header of 16 bytes (watch, mask, cookie, length of the name), then the
/// name padded with NUL bytes.
private struct InotifyEvents: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>
    private static let headerBytes = MemoryLayout<inotify_event>.size

    init(bytes: [UInt8]) { rest = bytes[...] }

    mutating func next() -> InotifyEvent? {
        guard rest.count >= Self.headerBytes else { return nil }
        let mask = word(at: 4)
        let length = Int(word(at: 12))
        let name = rest.dropFirst(Self.headerBytes).prefix(length).prefix { $0 != 0 }
        rest = rest.dropFirst(Self.headerBytes + length)
        return InotifyEvent(mask: mask, name: String(decoding: name, as: UTF8.self))
    }

    private func word(at offset: Int) -> UInt32 {
        unsafe rest.withUnsafeBytes {
            unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        }
    }
}
