// libFuzzer entry for the parameters of Add, the longest JSON that a client sends: any bytes are
// refused, or read the quick way and by Codable to the same value, or to the same error.

import SchedulerInterface
import Varlink

private typealias Parameters = SchedulerMethod.Add.Parameters

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAdd(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer owns the memory for the length of this call; the bytes are copied out at once.
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    guard let payload = try? Payload(jsonText: bytes) else { return 0 }
    let expected = answer { () throws(ServiceError) in try payload.decode(Parameters.self) }
    let read = answer { () throws(ServiceError) in
        try SchedulerMethod.Add.parameters(in: payload)
    }
    precondition(read == expected)
    let quick = try? Parameters(payload.members())
    precondition(quick == (try? expected.get()))
    return 0
}

private func answer(
    _ read: () throws(ServiceError) -> Parameters
) -> Result<Parameters, ServiceError> {
    do throws(ServiceError) {
        return .success(try read())
    } catch {
        return .failure(error)
    }
}
