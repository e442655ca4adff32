// libFuzzer entry for cron expressions.

import CivilTime
import FuzzExpression

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCron(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    unsafe checkExpression(start, count, .cron)
    return 0
}
