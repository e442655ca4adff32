// One client's connection: the Varlink state machine, its socket, and what is being streamed to it.

import Platform
import SchedulerInterface
import Varlink

/// Names a session; numbers are not used twice.
struct SessionID: Hashable, Sendable {
    let number: UInt64
}

/// A call of a session, to which a reply can be sent as long as both exist.
struct CallAddress: Hashable, Sendable {
    let session: SessionID
    let call: CallID
}

/// A subscription that is under way.
struct Subscription {
    let call: CallID
    /// nil = every app.
    let app: String?
    /// Up to where the log has been sent.
    var position: Int
}

/// Confined to the daemon's queue, like everything that it holds.
final class ClientSession {
    let id: SessionID
    let peer: PeerCredentials
    let descriptor: FileDescriptor
    var connection = ServerConnection()
    var source: DescriptorSource?
    /// The call that is being answered in parts.
    var parts: (call: CallID, stream: PartStream)?
    var subscription: Subscription?
    var gatheredImport = GatheredImport()
    /// Nothing more is read or answered; what waits is still written.
    var isClosing = false

    init(id: SessionID, peer: PeerCredentials, descriptor: FileDescriptor) {
        self.id = id
        self.peer = peer
        self.descriptor = descriptor
    }

    func stop() {
        source?.cancel()
    }
}
