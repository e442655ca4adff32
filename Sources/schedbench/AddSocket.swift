// Adds over a plain socket, from frames that were made before the clock starts: what is measured is
// schedd, not the client's JSON.

import Foundation
import Platform
import SchedulerInterface
import Varlink

final class AddSocket {
    private let descriptor: FileDescriptor
    private var received: [UInt8] = []

    init(path: String) throws {
        descriptor = try UnixConnection.open(path: path)
    }

    /// A call to Add, with the NUL at its end.
    static func frame(app: String, _ requests: [Wire.Request]) throws -> [UInt8] {
        let parameters = SchedulerMethod.Add.Parameters(app: app, requests: requests)
        let call =
            #"{"method":"\#(SchedulerMethod.Add.name)","parameters":\#(parameters.jsonText)}"#
        return Array(call.utf8) + [0]
    }

    /// Frames of one request each, 64 to an app.
    static func frames(_ numbers: Range<Int>) throws -> [[UInt8]] {
        try numbers.map { number in
            try frame(
                app: SampleRequests.app(number / SampleRequests.perApp),
                [SampleRequests.request(number)])
        }
    }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try descriptor.send(rest)
            rest = rest.dropFirst(count)
            if count == 0 { _ = try descriptor.wait(for: .writing, timeoutMilliseconds: 10_000) }
        }
    }

    /// Reads until so many replies are there, and returns how many came; none may be an error.
    func receive(atLeast count: Int) throws -> Int {
        var replies = 0
        while replies < count {
            guard try descriptor.wait(for: .reading, timeoutMilliseconds: 10_000) else {
                throw BenchmarkFailure(description: "schedd does not answer")
            }
            guard case .bytes(let bytes) = try descriptor.read(limitBytes: 65_536) else {
                throw BenchmarkFailure(description: "schedd closed the connection")
            }
            received += bytes
            while let end = received.firstIndex(of: 0) {
                if received.starts(with: Array(#"{"error""#.utf8)) {
                    let text = String(decoding: received[..<end], as: UTF8.self)
                    throw BenchmarkFailure(description: "schedd answers \(text)")
                }
                received.removeFirst(end + 1)
                replies += 1
            }
        }
        return replies
    }

    /// Nanoseconds for all frames, each sent after the reply to the one before.
    func awaiting(_ frames: [[UInt8]]) throws -> Double {
        try Stopwatch.nanoseconds {
            for frame in frames {
                try send(frame)
                _ = try receive(atLeast: 1)
            }
        }
    }

    /// Nanoseconds for all frames, with at most `window` calls on their way.
    func pipelining(_ frames: [[UInt8]], window: Int) throws -> Double {
        try Stopwatch.nanoseconds {
            var open = 0
            for start in stride(from: 0, to: frames.count, by: window / 4) {
                let part = frames[start..<min(start + window / 4, frames.count)]
                try send(Array(part.joined()))
                open += part.count
                if open >= window { open -= try receive(atLeast: window / 4) }
            }
            if open > 0 { _ = try receive(atLeast: open) }
        }
    }
}
