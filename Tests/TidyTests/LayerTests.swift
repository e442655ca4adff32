// Which module may import which: the list of the design as a table. Package.swift has to declare
// the same, and no file imports what its target does not declare.

import Foundation
import Testing

/// One row of the layer list: a target, and what its files may import.
struct Layer: Sendable, CustomTestStringConvertible {
    let name: String
    /// Targets of this package.
    let targets: Set<String>
    /// Modules of the toolchain.
    let toolchain: Set<String>

    init(_ name: String, _ targets: Set<String> = [], toolchain: Set<String> = []) {
        self.name = name
        self.targets = targets
        self.toolchain = toolchain
    }

    var testDescription: String { name }
}

struct LayerTests {
    /// From the bottom up: a target depends on earlier rows only.
    static let layers: [Layer] = [
        Layer("CSystemd"),
        Layer("CSQLite"),
        Layer("CLinux"),
        Layer("CivilTime"),
        Layer("TimingWheel"),
        Layer("Scheduling", ["CivilTime", "TimingWheel"]),
        Layer("Varlink"),
        // The build runs these two; nothing that is installed stands on them.
        Layer("InterfaceGenerator", ["Varlink"], toolchain: ["Foundation"]),
        Layer("InterfacePlugin", ["InterfaceGenerator"], toolchain: ["PackagePlugin"]),
        Layer("SchedulerInterface", ["Varlink"]),
        Layer(
            "Platform", ["CivilTime", "CSystemd", "CLinux"],
            toolchain: ["Dispatch", "Glibc", "Synchronization"]
        ),
        Layer(
            "Service",
            [
                "CivilTime", "TimingWheel", "Scheduling", "Varlink", "SchedulerInterface",
                "Platform", "CSystemd", "CSQLite",
            ], toolchain: ["Dispatch", "Glibc", "Synchronization"]),
        Layer(
            "SchedulerClient", ["Varlink", "SchedulerInterface", "Platform"],
            toolchain: ["Dispatch", "Glibc", "Synchronization"]),
        Layer(
            "schedd", ["Service", "Platform", "SchedulerInterface"],
            toolchain: ["Dispatch", "Glibc"]),
        Layer(
            "schedctl",
            ["CivilTime", "Varlink", "SchedulerInterface", "SchedulerClient", "Platform"],
            toolchain: ["Dispatch", "Glibc"]),
        // It measures Foundation as well, so it may use all of it.
        Layer(
            "schedbench",
            [
                "CivilTime", "TimingWheel", "Varlink", "SchedulerInterface", "Platform",
                "SchedulerClient", "Service", "CSQLite", "CSystemd", "CLinux",
            ], toolchain: ["Dispatch", "Foundation", "Glibc", "Synchronization"]),
    ]
    static let testToolchain: Set = [
        "Testing", "Foundation", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization",
    ]
    static let declared = declaredDependencies()

    @Test func `a target depends on lower layers only`() {
        var below: Set<String> = []
        for layer in Self.layers {
            #expect(layer.targets.isSubset(of: below), "\(layer.name) reaches up")
            below.insert(layer.name)
        }
    }

    @Test(arguments: layers)
    func `the package declares the layers as they are`(_ layer: Layer) {
        #expect(Self.declared[layer.name] == layer.targets)
    }

    @Test func `every target that is not a test has its row`() {
        let known = Set(Self.layers.map(\.name) + ["TestSupport"])
        let targets = Self.declared.keys.filter {
            !$0.hasSuffix("Tests") && !$0.hasPrefix("Fuzz")
        }
        #expect(Set(targets).subtracting(known).isEmpty)
    }

    @Test(arguments: Repository.sourceFiles)
    func `a source file imports its own layer's modules only`(_ file: TextFile) {
        guard let layer = Self.layers.first(where: { $0.name == file.target }) else {
            Issue.record("\(file.path) belongs to no layer")
            return
        }
        let allowed = layer.targets.union(layer.toolchain)
        for name in imports(of: file) where !allowed.contains(name) {
            Issue.record("\(file.path) imports \(name)")
        }
    }

    @Test(arguments: Repository.testFiles)
    func `a test file imports what its target declares`(_ file: TextFile) {
        guard let dependencies = Self.declared[file.target ?? ""] else {
            Issue.record("\(file.path) belongs to no target")
            return
        }
        for name in imports(of: file)
        where !dependencies.union(Self.testToolchain).contains(name) {
            Issue.record("\(file.path) imports \(name)")
        }
    }

    private func imports(of file: TextFile) -> [String] {
        let kinds: Set = ["struct", "class", "enum", "func", "let", "var", "typealias", "protocol"]
        let tokens = SwiftTokens(file.text).tokens
        return tokens.indices.dropLast().compactMap { index in
            // A case may be called import, too.
            guard tokens[index].text == "import", tokens[index + 1].line == tokens[index].line,
                index == 0 || tokens[index - 1].text != "."
            else { return nil }
            let isKind = kinds.contains(tokens[index + 1].text) && index + 2 < tokens.count
            return tokens[index + (isKind ? 2 : 1)].text
        }
    }

    /// Name and dependencies of each target in Package.swift.
    private static func declaredDependencies() -> [String: Set<String>] {
        let text = Repository.file("Package.swift")?.text ?? ""
        let target =
            /\.(?:target|executableTarget|testTarget|plugin|systemLibrary)\(\s*name: "(\w+)"/
        let matches = text.matches(of: target)
        var result: [String: Set<String>] = [:]
        for (index, match) in matches.enumerated() {
            let next = matches.dropFirst(index + 1).first
            let rest = text[match.range.upperBound..<(next?.range.lowerBound ?? text.endIndex)]
            var names: Set<String> = []
            if let list = rest.firstMatch(of: /dependencies:\s*\[([^\]]*)\]/) {
                names = Set(list.1.matches(of: /"(\w+)"/).map { String($0.1) })
            }
            result[String(match.1)] = names
        }
        return result
    }
}
