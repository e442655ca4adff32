// A folder of a test's own, removed with everything in it when the test lets go of it.

package import Foundation

/// An empty folder that lives as long as this object.
package final class TemporaryFolder: Sendable {
    /// Without symbolic links on the way.
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "schedd-test-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
