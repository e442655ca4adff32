// libFuzzer entry for TZ strings: any text gives an error at a position within it or a rule; a zone
// is made of it now and then, since the parser is what is sought out here.

import CivilTime

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPosixRule(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer owns the memory for the length of this call; the bytes are copied out at once.
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    do {
        let rule = try PosixRule(bytes)
        if let changes = rule.changes(in: 2_026 + count) {
            // Within the year, give or take a week and the offsets.
            precondition(abs(changes.start - changes.end) < 390 * 86_400)
        }
        guard bytes.count % 64 == 7 else { return 0 }
        let zone = Zone(name: "Fuzz", rule: rule)
        let instant = zone.nextTransition(after: 0) ?? 0
        precondition(rule.daylight != nil || instant == 0)
        precondition(zone.previousTransition(before: instant + 1).map { $0 == instant } ?? true)
        let offset = zone.description(at: instant)
        precondition(offset == rule.standard || offset == rule.daylight?.offset)
    } catch {
        checkPosition(of: error, count: bytes.count)
    }
    return 0
}

private func checkPosition(of error: PosixRuleError, count: Int) {
    switch error {
    case .tooLong(let limit): precondition(count > limit)
    case .ended(let position), .missingRule(let position): precondition(position == count)
    case .unexpected(_, let position), .badAbbreviation(let position),
        .outOfRange(_, let position):
        precondition(position <= count)
    }
}
