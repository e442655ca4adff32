// libFuzzer entry for the reader of zone files: any bytes give a typed error within the file or a
// zone whose answers agree with each other, at the ends of time as well. A broken promise traps.

import CivilTime

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTZif(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer owns the memory for the length of this call; the bytes are copied out at once.
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    do {
        check(try Zone(name: "Fuzz", tzif: bytes), near: bytes.count)
    } catch {
        precondition(!error.description.isEmpty)
    }
    return 0
}

private func check(_ zone: Zone, near seed: Int) {
    let ends: [Int64] = [.min, .min + 1, -(1 << 59), 1 << 59, .max - 1, .max]
    let years: [Int64] = [-4_000_000_000, 0, 1_790_000_000, 14_000_000_000, 250_000_000_000]
    // Two edges a run: the file is what is sought out here, and each is asked often enough.
    for edge in [ends[seed % ends.count], years[seed % years.count] + Int64(seed)] {
        let next = zone.nextTransition(after: edge)
        let previous = zone.previousTransition(before: edge)
        if let next {
            precondition(next > edge)
            precondition(zone.description(at: next) != zone.description(at: next - 1))
            precondition(zone.previousTransition(before: next).map { $0 <= edge } ?? true)
        }
        if let previous { precondition(previous < edge) }
        for instant in [edge, next ?? edge, previous ?? edge] {
            precondition(zone.offset(at: instant) == zone.description(at: instant).seconds)
            guard (-(1 << 61)...(1 << 61)).contains(instant) else {
                _ = zone.resolve(local: instant)
                continue
            }
            checkResolution(zone, at: instant)
        }
    }
}

/// A time that the clocks show is never in a gap, and every instant given does show it.
private func checkResolution(_ zone: Zone, at instant: Int64) {
    let local = instant + Int64(zone.offset(at: instant))
    switch zone.resolve(local: local) {
    case .single(let only): precondition(only == instant)
    case .overlap(let first, let second):
        precondition(first < second && first <= instant)
        for pass in [first, second] {
            precondition(pass + Int64(zone.offset(at: pass)) == local)
        }
    case .gap: preconditionFailure("a shown time in a gap")
    }
    if case .gap(let transition) = zone.resolve(local: local - 1) {
        precondition(transition + Int64(zone.offset(at: transition)) > local - 1)
        let before = transition - 1
        precondition(before + Int64(zone.offset(at: before)) < local - 1)
    }
}
