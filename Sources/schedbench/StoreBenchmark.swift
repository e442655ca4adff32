// Durable adds through the socket: each awaited, in batches of 64, pipelined, and from 16 clients
// at once, beside SQLite alone with as many rows in a transaction, and beside at and systemd-run.
// What is compared takes turns, since a disk's pace changes from one second to the next.

import Foundation
import Synchronization

enum StoreBenchmark {
    private static let rounds = 20
    private static let unit = "us per add"

    static func run(_ settings: BenchmarkSettings) throws -> [ReportRow] {
        let daemon = try ScratchDaemon()
        try daemon.start()
        try SampleRequests.add(1_024, over: daemon.connect())
        daemon.stop()
        let alone = try SQLiteReference(
            rowsOf: daemon.stateFolder.appending(path: "schedd.db"),
            in: daemon.folder.appending(path: "alone"))
        return try awaited(alone) + batches(alone) + pipelined(alone) + manyClients(alone)
    }

    private static func awaited(_ alone: SQLiteReference) throws -> [ReportRow] {
        let daemon = try ScratchDaemon()
        try daemon.start()
        let socket = try AddSocket(path: daemon.socketPath)
        let perRound = 256
        var (ours, reference) = (0.0, 0.0)
        for round in 0..<rounds {
            let frames = try AddSocket.frames(round * perRound..<(round + 1) * perRound)
            ours += try socket.awaiting(frames)
            reference += try alone.insert(perRound, batch: 1)
        }
        let count = Double(rounds * perRound) * 1e3
        return [
            .compared(
                "one at a time", ours: ours / count, to: reference / count, of: "SQLite alone",
                unit: unit, atMost: 1.3)
        ]
    }

    private static func batches(_ alone: SQLiteReference) throws -> [ReportRow] {
        let daemon = try ScratchDaemon()
        try daemon.start()
        let socket = try AddSocket(path: daemon.socketPath)
        let size = SampleRequests.perApp
        var (ours, reference) = (0.0, 0.0)
        for round in 0..<rounds {
            let requests = (0..<size).map(SampleRequests.request)
            let frame = try AddSocket.frame(app: SampleRequests.app(round), requests)
            ours += try socket.awaiting([frame])
            reference += try alone.insert(size, batch: size)
        }
        let count = Double(rounds * size) * 1e3
        let name = "batch of \(size)"
        return [
            .compared(
                name, ours: ours / count, to: reference / count, of: "SQLite alone", unit: unit,
                atLeast: nil),
            .compared(
                name, ours: ours / count, to: try OtherSchedulers.at(size).map { $0 / 1e3 },
                of: "at", unit: unit, atLeast: 30),
            .compared(
                name, ours: ours / count, to: try OtherSchedulers.withTimers(size) { $0 / 1e3 },
                of: "systemd-run --user", unit: unit, atLeast: 100),
        ]
    }

    private static func pipelined(_ alone: SQLiteReference) throws -> [ReportRow] {
        let count = 4_096
        let frames = try AddSocket.frames(0..<count)
        let (ours, reference, batch) = try sharing(count, alone) { daemon in
            try AddSocket(path: daemon.socketPath).pipelining(frames, window: 256)
        }
        return [
            .compared(
                "pipelined, \(batch) share a commit", ours: ours, to: reference,
                of: "SQLite alone", unit: unit, atMost: 6)
        ]
    }

    private static func manyClients(_ alone: SQLiteReference) throws -> [ReportRow] {
        let (clients, each) = (16, 128)
        let frames = try (0..<clients).map { client in
            try AddSocket.frames(client * each..<(client + 1) * each)
        }
        let (ours, reference, batch) = try sharing(clients * each, alone) { daemon in
            let path = daemon.socketPath
            return try Stopwatch.nanoseconds {
                let failure = Mutex<String?>(nil)
                let group = DispatchGroup()
                for frames in frames {
                    group.enter()
                    Thread.detachNewThread {
                        do {
                            _ = try AddSocket(path: path).awaiting(frames)
                        } catch {
                            failure.withLock { $0 = "\(error)" }
                        }
                        group.leave()
                    }
                }
                group.wait()
                if let text = failure.withLock({ $0 }) { throw BenchmarkFailure(description: text) }
            }
        }
        return [
            .compared(
                "\(clients) clients, \(batch) share a commit", ours: ours, to: reference,
                of: "SQLite alone", unit: unit, atLeast: nil)
        ]
    }

    /// Adds through schedd, and the same rows in SQLite with as many in a transaction as schedd put
    /// there on average; microseconds a row, over three rounds.
    private static func sharing(
        _ count: Int, _ alone: SQLiteReference, _ add: (ScratchDaemon) throws -> Double
    ) throws -> (ours: Double, reference: Double, batch: Int) {
        var (ours, reference, commits) = (0.0, 0.0, 0)
        for _ in 0..<3 {
            let daemon = try ScratchDaemon()
            try daemon.start()
            ours += try add(daemon)
            daemon.stop()
            let made = try SQLiteReference.commits(
                of: daemon.stateFolder.appending(path: "schedd.db"))
            commits += made
            reference += try alone.insert(count, batch: max(1, count / made))
        }
        let rows = Double(3 * count) * 1e3
        return (ours / rows, reference / rows, 3 * count / commits)
    }
}
