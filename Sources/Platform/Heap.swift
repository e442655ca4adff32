// How the C library's allocator spreads memory, for a program whose threads take turns.

import CLinux

package enum Heap {
    /// mallopt(3): all threads take memory from one arena instead of one each, so that what one has
    /// freed the others can use. Call it before there are threads.
    package static func shareOneArena() {
        // It fails for no value of 1 or more.
        _ = mallopt(M_ARENA_MAX, 1)
    }
}
