// The working tree as the tidy tests see it: its Swift files, scripts and interface texts. What is
// built or installed (.build*, .git) is not part of it.

import Foundation
import Testing

/// One text file of the tree.
struct TextFile: Sendable, CustomTestStringConvertible {
    /// From the root of the tree, such as `Sources/schedd/main.swift`.
    let path: String
    let text: String

    var testDescription: String { path }
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// `Sources/X/...`, `Tests/X/...` and `Tests/Fuzz/X/...` belong to the target X.
    var target: String? {
        let parts = path.split(separator: "/")
        let index = path.hasPrefix("Tests/Fuzz/") ? 2 : 1
        return parts.count > index + 1 ? String(parts[index]) : nil
    }
}

enum Repository {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let swiftFiles: [TextFile] =
        files(under: "Sources") { $0.hasSuffix(".swift") }
        + files(under: "Tests") { $0.hasSuffix(".swift") }
        + [file("Package.swift")].compactMap(\.self)

    static let sourceFiles = swiftFiles.filter { $0.path.hasPrefix("Sources/") }
    static let testFiles = swiftFiles.filter { $0.path.hasPrefix("Tests/") }

    /// Everything that starts with `#!`.
    static let scripts: [TextFile] =
        ["systemd", "Tests", ".ci"].flatMap { folder in
            files(under: folder) { !$0.contains(".") || $0.hasSuffix(".sh") || $0.hasSuffix(".py") }
        }.filter { $0.text.hasPrefix("#!") }

    static let interfaces = files(under: "Sources") { $0.hasSuffix(".varlink") }

    static func file(_ path: String) -> TextFile? {
        (try? String(contentsOf: root.appending(path: path), encoding: .utf8))
            .map { TextFile(path: path, text: $0) }
    }

    private static func files(under folder: String, where isWanted: (String) -> Bool) -> [TextFile]
    {
        let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        guard let names else { return [] }
        return names.compactMap { $0 as? String }
            .filter { isWanted(($0 as NSString).lastPathComponent) }
            .sorted()
            .compactMap { file("\(folder)/\($0)") }
    }
}
