// Zone files made on the spot by zic from rules in the tests, so that no expectation hangs on the
// tzdata that happens to be installed. The rules of the cases are in CompiledZones+Cases.swift.

package import Foundation

/// TZif files by zone name, compiled in a temporary folder that is gone again.
package struct CompiledZones: Sendable {
    package let files: [String: [UInt8]]

    package enum Form: String, Sendable {
        /// The footer takes over as early as it can.
        case slim
        /// The transitions to the year 2037 are written out, and the 32-bit block is filled.
        case fat
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Compiles rules in the language of zic(8).
    package init(rules: String, form: Form = .slim) throws {
        let folder = try TemporaryFolder()
        let source = folder.url.appending(path: "rules")
        let target = folder.url.appending(path: "zones")
        try (rules + "\n").write(to: source, atomically: true, encoding: .utf8)
        let places = ["/usr/sbin/zic", "/usr/bin/zic"]
        guard let zic = places.first(where: FileManager.default.isExecutableFile) else {
            throw Failure(description: "zic is not installed")
        }
        let result = try ChildProcess.run(
            zic, ["-b", form.rawValue, "-d", target.path, source.path])
        guard result.status == 0 else {
            throw Failure(description: "zic: \(String(decoding: result.errors, as: UTF8.self))")
        }
        var files: [String: [UInt8]] = [:]
        let names = FileManager.default.enumerator(atPath: target.path)
        while let name = names?.nextObject() as? String {
            let url = target.appending(path: name)
            guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
                continue
            }
            files[name] = [UInt8](try Data(contentsOf: url))
        }
        self.files = files
    }

    /// The bytes of one zone's file; fails when the rules do not have the zone.
    package func bytes(_ name: String) throws -> [UInt8] {
        guard let bytes = files[name] else {
            throw Failure(description: "no zone \(name) was compiled")
        }
        return bytes
    }

    /// Writes all files below a folder, for code that reads a `$TZDIR`.
    package func install(in folder: URL) throws {
        for (name, bytes) in files {
            let url = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: url)
        }
    }
}
