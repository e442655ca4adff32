// libFuzzer entry for the parameters of Add, the longest JSON that a client sends: any bytes are
// refused, or read to a value that is written and read again as itself.

import SchedulerInterface
import Varlink

private typealias Parameters = SchedulerMethod.Add.Parameters

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAdd(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer owns the memory for the length of this call; the bytes are copied out at once.
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    guard let read = try? Payload(jsonText: bytes).decode(Parameters.self) else { return 0 }
    let again = try? Payload(jsonText: Array(read.jsonText.utf8)).decode(Parameters.self)
    precondition(again == read)
    return 0
}
