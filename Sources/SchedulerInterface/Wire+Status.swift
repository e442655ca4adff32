// The words of the status.
// Mirrors the .varlink files; a test holds the two equal.

extension Wire {
    /// How the store does. ok: every acknowledged call is on disk. failing: the disk
    /// refuses writes; firings are remembered and written later.
    package enum StorageState: String, Codable, Hashable, Sendable, CaseIterable {
        case ok, failing
    }

    /// How presentation does. connected: a notification server answers. noServer: the bus
    /// has none. noBus: there is no session bus.
    package enum PresentationState: String, Codable, Hashable, Sendable, CaseIterable {
        case connected, noServer, noBus
    }
}
