// The manual page of schedd has the options that its --help has.

import Foundation
import Testing

struct ManualTests {
    @Test func `every option of schedd is in its manual`() throws {
        let page = try String(contentsOfFile: Products.root + "/systemd/schedd.8", encoding: .utf8)
        let words = page.split(separator: "\n").flatMap { $0.split(separator: " ") }
        try TestBed.run { bed in
            let help = try bed.run("schedd", ["--help"]).text
            let options = help.split { $0 == "\n" || $0 == " " }.filter { $0.hasPrefix("--") }
            #expect(options.count >= 7)
            for option in options {
                #expect(
                    words.contains(option.dropFirst()), "schedd.8 has no Fl \(option.dropFirst())")
            }
        }
    }
}
