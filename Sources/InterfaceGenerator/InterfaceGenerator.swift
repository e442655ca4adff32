// InterfaceGenerator FOLDER FILE.varlink...
//
// Reads the interface texts and writes their Swift side into FOLDER, one file for each text. The
// build runs it (see InterfacePlugin). The text named `types` declares what the others share.

import Foundation
import Varlink

@main
enum InterfaceGenerator {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let folder = arguments.first, arguments.count > 1 else {
            fail("usage: InterfaceGenerator FOLDER FILE.varlink...")
        }
        let paths = arguments.dropFirst()
        let shared = paths.filter { name(of: $0) == "types" }
        let types = shared.flatMap { parse($0, types: []).members }
        let interfaces = paths.filter { name(of: $0) != "types" }
            .map { (name: name(of: $0), interface: parse($0, types: types)) }
        let code = InterfaceCode(types: types, interfaces: interfaces.map(\.interface))
        do throws(InterfaceCode.Unsupported) {
            for path in shared { write(try code.sharedTypes(), to: folder, name(of: path)) }
            for (name, interface) in interfaces {
                write(try code.source(of: interface), to: folder, name)
            }
        } catch {
            fail(error.reason)
        }
    }

    /// The name of a text: its file's, without folder and ending.
    private static func name(of path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.hasSuffix(".varlink") ? String(file.dropLast(8)) : file
    }

    private static func parse(
        _ path: String, types: [VarlinkInterface.Member]
    ) -> VarlinkInterface {
        do throws(InterfaceError) {
            return try VarlinkInterface(text: read(path), types: types)
        } catch {
            // As compilers write it, so that an editor finds the place.
            fail("\(path):\(error.line):\(error.column): error: \(error.reason)")
        }
    }

    private static func read(_ path: String) -> String {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            fail("cannot read \(path): \(error)")
        }
    }

    private static func write(_ text: String, to folder: String, _ name: String) {
        do {
            try text.write(toFile: "\(folder)/\(name).swift", atomically: true, encoding: .utf8)
        } catch {
            fail("cannot write \(folder)/\(name).swift: \(error)")
        }
    }

    private static func fail(_ reason: String) -> Never {
        FileHandle.standardError.write(Data("InterfaceGenerator: \(reason)\n".utf8))
        exit(1)
    }
}
