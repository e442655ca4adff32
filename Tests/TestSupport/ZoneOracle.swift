// What others say about zones: Python's zoneinfo and the C library, both reading the very same
// files, in one child process for any number of questions.

import Foundation

/// Two independent answers for each instant, in the order asked.
package struct ZoneOracle {
    package struct Question: Sendable {
        package let path: String
        package let instants: [Int64]
        /// Ask as well for the second before, at and after each transition of the file.
        package let addsTransitions: Bool
        /// Ask the C library for this TZ string in place of the file.
        package let rule: String

        package init(
            path: String, instants: [Int64], addsTransitions: Bool = false, rule: String = ""
        ) {
            self.path = path
            self.instants = instants
            self.addsTransitions = addsTransitions
            self.rule = rule
        }
    }

    package struct Answer: Sendable {
        package let instant: Int64
        package let pythonSeconds: Int32
        package let librarySeconds: Int32
        package let libraryIsDST: Bool
        /// At most eight bytes each, packed; see `pack`.
        package let pythonAbbreviation: UInt64
        package let libraryAbbreviation: UInt64
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// An abbreviation as one number.
    package static func pack(_ abbreviation: String) -> UInt64 {
        abbreviation.utf8.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    package static func ask(_ questions: [Question]) throws -> [[Answer]] {
        var input = ""
        for question in questions {
            let instants = question.instants.map(String.init).joined(separator: " ")
            let adds = question.addsTransitions ? 1 : 0
            input += "\(question.path)|\(question.rule)|\(adds)|\(instants)\n"
        }
        let child = try ChildProcess.run(
            "/usr/bin/env", ["python3", "-c", script], input: Array(input.utf8))
        guard child.status == 0 else {
            let errors = String(decoding: child.errors, as: UTF8.self)
            throw Failure(description: "python3 (needed as an oracle) failed: \(errors)")
        }
        return try decode(child.output, count: questions.count)
    }

    private static func decode(_ bytes: [UInt8], count: Int) throws -> [[Answer]] {
        var offset = 0
        func number(_ length: Int) -> UInt64 {
            defer { offset += length }
            return bytes[offset..<offset + length].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let answers = (0..<count).map { _ in
            (0..<number(8)).map { _ in
                Answer(
                    instant: Int64(bitPattern: number(8)),
                    pythonSeconds: Int32(truncatingIfNeeded: number(4)),
                    librarySeconds: Int32(truncatingIfNeeded: number(4)),
                    libraryIsDST: number(8) != 0,
                    pythonAbbreviation: number(8),
                    libraryAbbreviation: number(8))
            }
        }
        guard offset == bytes.count else {
            throw Failure(description: "\(bytes.count - offset) bytes too many from python3")
        }
        return answers
    }

    /// zoneinfo is asked within the years 1 to 9999 only: its datetime has no others.
    /// Offsets of a day and more are beyond it, too: `Int32.min` says so.
    private static let script = """
        import datetime, os, struct, sys, time, zoneinfo

        UTC = datetime.timezone.utc
        EPOCH = datetime.datetime(1970, 1, 1, tzinfo=UTC)

        def transitions(data):
            if data[4] == 0:
                base, size, code = 0, 4, 'i'
            else:
                isut, isstd, leap, times, types, chars = struct.unpack('>6I', data[20:44])
                base = 44 + times * 5 + types * 6 + chars + leap * 8 + isstd + isut
                size, code = 8, 'q'
            count = struct.unpack('>I', data[base + 32:base + 36])[0]
            return struct.unpack(f'>{count}{code}', data[base + 44:base + 44 + count * size])

        out = bytearray()
        for line in sys.stdin:
            path, rule, adds, numbers = line.rstrip('\\n').split('|')
            asked = [int(number) for number in numbers.split()]
            with open(path, 'rb') as file:
                zone = zoneinfo.ZoneInfo.from_file(file)
            if adds == '1':
                with open(path, 'rb') as file:
                    for at in transitions(file.read()):
                        asked += [at - 1, at, at + 1]
            asked = [at for at in asked if -62000000000 <= at <= 253000000000]
            os.environ['TZ'] = rule or ':' + path
            time.tzset()
            out += struct.pack('<Q', len(asked))
            for at in asked:
                try:
                    civil = (EPOCH + datetime.timedelta(seconds=at)).astimezone(zone)
                    offset, name = int(civil.utcoffset().total_seconds()), civil.tzname()
                except ValueError:
                    offset, name = -2**31, ''
                local = time.localtime(at)
                out += struct.pack(
                    '<qiiq8s8s', at, offset, local.tm_gmtoff, local.tm_isdst, name.encode(),
                    local.tm_zone.encode())
        sys.stdout.buffer.write(out)
        """
}
