// An import on its way: its parts gather on the connection until the last one. Both limits are
// looked at before a part is kept.

package import Scheduling
package import SchedulerInterface

/// The parts that have come so far, as one list.
package struct GatheredImport {
    package static let requestLimit = 20_000
    /// 64 MiB in calls as they were sent: 3 KiB for each of so many requests.
    package static let byteLimit = 64 << 20

    package private(set) var requests: [Wire.ExportedRequest] = []
    private var byteCount = 0

    package init() {}

    /// Adds a part that came in a call of `callBytes`; a refused one leaves what there is.
    package mutating func add(
        _ part: [Wire.ExportedRequest], callBytes: Int
    ) throws(RequestError) {
        let (count, bytes) = (requests.count + part.count, byteCount + callBytes)
        guard count <= Self.requestLimit else {
            throw .invalid(
                field: "requests",
                reason: "has \(count) elements, the limit is \(Self.requestLimit)")
        }
        guard bytes <= Self.byteLimit else {
            throw .tooLarge(field: "requests", size: bytes, limit: Self.byteLimit)
        }
        requests += part
        byteCount = bytes
    }
}
