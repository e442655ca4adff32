// B81 and B86: the stream may be cut anywhere, and it may never end.

import TestSupport
import Testing
import Varlink

@Suite struct MessageFramerTests {
    /// Appends a stream in pieces and takes all messages.
    private func messages(
        of stream: [UInt8], in pieces: some Sequence<Int>
    ) throws -> [[UInt8]] {
        var framer = MessageFramer()
        var messages: [[UInt8]] = []
        var position = 0
        for piece in pieces where position < stream.count {
            let end = min(position + piece, stream.count)
            framer.append(stream[position..<end])
            while let message = try framer.next() { messages.append(message) }
            position = end
        }
        #expect(framer.bufferedBytes == 0)
        return messages
    }

    @Test(
        arguments: [1, 7, 4096, 8000, 65536, 1 << 20])
    func `B81: messages of all sizes survive pieces of one size`(piece: Int) throws {
        let expected = [0, 1, 2, 4095, 4096, 4097, 8000, 65536].map { size in
            (0..<size).map { UInt8(truncatingIfNeeded: $0 % 251 + 1) }
        }
        let stream = Array(expected.map { $0 + [0] }.joined())
        let pieces = repeatElement(piece, count: stream.count)
        #expect(try messages(of: stream, in: pieces) == expected)
    }

    @Test(arguments: UInt64(0)..<16)
    func `messages survive random pieces`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let expected = (0..<50).map { _ in
            (0..<Int.random(in: 0..<300, using: &random)).map { _ in
                UInt8.random(in: 1...255, using: &random)
            }
        }
        let stream = Array(expected.map { $0 + [0] }.joined())
        let pieces = (0..<stream.count).map { _ in Int.random(in: 1...200, using: &random) }
        #expect(try messages(of: stream, in: pieces) == expected)
    }

    @Test func `B81: a message split inside a character is whole again`() throws {
        let text = #"{"method":"a.b.C","parameters":{"flag":"🇩🇪"}}"#
        for split in 1..<text.utf8.count {
            let stream = wire(text)
            #expect(try messages(of: stream, in: [split, stream.count]) == [Array(text.utf8)])
        }
    }

    @Test func `a message of the limit passes and one byte more does not`() throws {
        var framer = MessageFramer(limitBytes: 10)
        framer.append(wire("0123456789"))
        #expect(try framer.next()?.count == 10)
        framer.append(Array("0123456789".utf8))
        #expect(try framer.next() == nil)
        framer.append([0])
        #expect(try framer.next()?.count == 10)
        framer.append(wire("0123456789A"))
        #expect(throws: MessageTooLong.self) { try framer.next() }
        framer.append([0])
        #expect(throws: MessageTooLong.self) { try framer.next() }
    }

    @Test(arguments: [2 << 20, 64 << 20])
    func `B86: an endless message is refused at the limit`(size: Int) throws {
        var framer = MessageFramer()
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 10)
        var accepted = 0
        var refused = false
        for _ in 0..<size / piece.count where !refused {
            framer.append(piece)
            accepted += piece.count
            do {
                #expect(try framer.next() == nil)
            } catch {
                refused = true
            }
        }
        #expect(refused)
        #expect(accepted == MessageFramer.defaultLimitBytes + piece.count)
        #expect(framer.bufferedBytes == accepted)
    }
}
