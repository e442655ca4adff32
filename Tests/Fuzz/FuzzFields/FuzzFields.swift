// libFuzzer entry for lists of fields.

import CivilTime
import FuzzExpression

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFields(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    unsafe checkExpression(start, count, .fields)
    return 0
}
