// libFuzzer entry for OnCalendar expressions.

import CivilTime
import FuzzExpression

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOnCalendar(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    unsafe checkExpression(start, count, .onCalendar)
    return 0
}
