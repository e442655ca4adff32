// inotify on real directories: the ways in which /etc/localtime and zone files are replaced.

import Dispatch
import Foundation
import Platform
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DirectoryWatchTests {
    private let queue: DispatchQueue
    private let loop: EventLoop

    init() throws {
        queue = DispatchQueue(label: "DirectoryWatchTests")
        loop = try EventLoop(queue: queue)
    }

    enum Replacement: CaseIterable { case symlink, atomicSymlink, rename, copy, removal }

    @Test(arguments: Replacement.allCases)
    func `a name is told, however it is replaced`(way: Replacement) async throws {
        let directory = try TemporaryDirectory()
        let files = FileManager.default
        let path = directory.file("localtime")
        try files.createSymbolicLink(atPath: path, withDestinationPath: "/nowhere")
        var events = Events()
        let watch = try DirectoryWatch(
            names: ["localtime"], on: loop, handler: events.handler)
        try watch.add(directory.path)
        switch way {
        case .symlink:
            try files.removeItem(atPath: path)
            try files.createSymbolicLink(atPath: path, withDestinationPath: "/elsewhere")
        case .atomicSymlink:
            let new = directory.file("new")
            try files.createSymbolicLink(atPath: new, withDestinationPath: "/elsewhere")
            try #require(unsafe rename(new, path) == 0)
        case .rename:
            try #require(unsafe rename(path, directory.file("away")) == 0)
        case .copy:
            try files.removeItem(atPath: path)
            try Data("TZif".utf8).write(to: URL(fileURLWithPath: path))
        case .removal:
            try files.removeItem(atPath: path)
        }
        await events.next()
    }

    @Test func `other names are not told`() async throws {
        let directory = try TemporaryDirectory()
        let stream = AsyncStream.makeStream(of: Bool.self)
        let isExpected = directory.file("localtime")
        let watch = try DirectoryWatch(names: ["localtime"], on: loop) {
            stream.continuation.yield(FileManager.default.fileExists(atPath: isExpected))
        }
        try watch.add(directory.path)
        for index in 0..<100 {
            try Data().write(to: URL(fileURLWithPath: directory.file("\(index)")))
        }
        queue.sync {}
        try Data().write(to: URL(fileURLWithPath: isExpected))
        var iterator = stream.stream.makeAsyncIterator()
        // A call for another name would have come before the file was there.
        #expect(await iterator.next(isolation: #isolation) == true)
    }

    @Test func `a tree is watched below its root`() async throws {
        let directory = try TemporaryDirectory()
        let files = FileManager.default
        let inner = directory.file("America/Argentina")
        try files.createDirectory(atPath: inner, withIntermediateDirectories: true)
        var events = Events()
        let watch = try DirectoryWatch(on: loop, handler: events.handler)
        try watch.add(tree: directory.path)
        try Data("TZif".utf8).write(to: URL(fileURLWithPath: "\(inner)/Ushuaia"))
        await events.next()
    }

    @Test func `the end of a watched directory is told`() async throws {
        let directory = try TemporaryDirectory()
        let inner = directory.file("zoneinfo")
        try FileManager.default.createDirectory(
            atPath: inner, withIntermediateDirectories: false)
        var events = Events()
        let watch = try DirectoryWatch(
            names: ["localtime"], on: loop, handler: events.handler)
        try watch.add(inner)
        try FileManager.default.removeItem(atPath: inner)
        await events.next()
    }

    @Test func `what is missing or no directory cannot be watched`() throws {
        let directory = try TemporaryDirectory()
        let watch = try DirectoryWatch(on: loop) {}
        let missing = directory.file("missing")
        #expect(throws: SystemError(doing: "watching \(missing)", errno: .notFound)) {
            try watch.add(missing)
        }
        let file = directory.file("file")
        try Data().write(to: URL(fileURLWithPath: file))
        #expect(throws: SystemError(doing: "watching \(file)", errno: Errno(code: ENOTDIR))) {
            try watch.add(tree: file)
        }
    }
}
