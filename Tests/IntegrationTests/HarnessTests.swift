// The harness itself: a test that waits for nothing, or runs nothing, proves nothing.

import Foundation
import Testing

struct HarnessTests {
    @Test(arguments: ["schedd", "schedctl"])
    func `the programs that were built with the tests are run`(_ program: String) {
        #expect(FileManager.default.isExecutableFile(atPath: Products.path(of: program)))
    }

    @Test func `output, errors and status of a program arrive`() throws {
        try TestBed.run { bed in
            let child = try bed.start("/bin/bash", ["-c", "read x; echo $x; echo b >&2; exit 3"])
            try child.send("a\n")
            let output = try child.finish()
            #expect(output.status == 3)
            #expect(output.text == "a\n")
            #expect(output.errors == "b\n")
        }
    }

    @Test func `a program ends with its bed`() throws {
        var identifier: Int32 = 0
        try TestBed.run { bed in
            let child = try bed.start("/bin/bash", ["-c", "echo up; exec tail -f /dev/null"])
            #expect(try child.nextLine() == "up")
            identifier = child.identifier
            #expect(child.waitForExit(.after(seconds: 0.05)) == nil)
        }
        #expect(!FileManager.default.fileExists(atPath: "/proc/\(identifier)"))
    }
}
