// Counts heap allocations by standing in front of the C library's allocator: the package tells the
// linker to take these functions for malloc and calloc, also where the Swift runtime calls them.

import Synchronization

private let allocations = Atomic<Int>(0)

enum AllocationCount {
    /// Allocations of all threads during a piece of work.
    static func during(_ work: () -> Void) -> Int {
        let before = allocations.load(ordering: .relaxed)
        work()
        return allocations.load(ordering: .relaxed) - before
    }

    /// Whether the stand-ins are in place: a new array has to be seen.
    static var isCounting: Bool {
        var kept: [Int] = []
        return during { kept = Array(repeating: kept.count, count: 1000) } > 0 && kept.count == 1000
    }
}

@_silgen_name("__libc_malloc")
private func libcMalloc(_ size: Int) -> UnsafeMutableRawPointer?

@_silgen_name("__libc_calloc")
private func libcCalloc(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer?

@_cdecl("schedbench_malloc")
public func countingMalloc(_ size: Int) -> UnsafeMutableRawPointer? {
    allocations.add(1, ordering: .relaxed)
    return unsafe libcMalloc(size)
}

@_cdecl("schedbench_calloc")
public func countingCalloc(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer? {
    allocations.add(1, ordering: .relaxed)
    return unsafe libcCalloc(count, size)
}
