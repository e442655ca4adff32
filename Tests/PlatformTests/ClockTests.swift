// The measured offset of the two clocks is what lies between any two readings of them.

import Platform
import Testing

struct ClockTests {
    @Test func `the offset between the clocks lies between readings around it`() {
        let (boot, wall) = (Clock.bootMicroseconds(), Clock.wallMicroseconds())
        let offset = Clock.wallOffsetMicroseconds()
        let (wallAfter, bootAfter) = (Clock.wallMicroseconds(), Clock.bootMicroseconds())
        // Whatever time passed between the readings widens the bounds, and nothing else does.
        #expect(offset <= wall - boot + 2)
        #expect(offset >= wallAfter - bootAfter - 2)
    }

    @Test func `measuring the offset again gives it again`() {
        let first = Clock.wallOffsetMicroseconds()
        let offsets = (0..<100).map { _ in Clock.wallOffsetMicroseconds() }
        let near = offsets.count { abs($0 - first) <= 10 }
        #expect(near > 50)
    }

    @Test func `a boot has one id`() throws {
        let id = try Clock.bootID()
        #expect(id.count == 36)
        #expect(try Clock.bootID() == id)
    }
}
