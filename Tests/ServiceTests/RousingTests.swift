// When the timer is armed for what is due.

import Scheduling
import Service
import TestSupport
import Testing

@Suite struct RousingTests {
    private func alarm(_ deadline: Int64, at now: Int64) -> Int64 {
        Rousing.alarm(
            for: BootInstant(microseconds: deadline), at: BootInstant(microseconds: now)
        ).microseconds
    }

    @Test func `what is due later is announced by half a millisecond, then armed exactly`() {
        let lead = Rousing.microseconds
        #expect(lead == 500)
        #expect(alarm(1_000_000, at: 0) == 1_000_000 - lead)
        #expect(alarm(1_000_000, at: 1_000_000 - lead - 1) == 1_000_000 - lead)
        #expect(alarm(1_000_000, at: 1_000_000 - lead) == 1_000_000)
        #expect(alarm(1_000_000, at: 999_999) == 1_000_000)
        #expect(alarm(1_000_000, at: 1_000_000) == 1_000_000)
        #expect(alarm(1_000_000, at: 2_000_000) == 1_000_000)
    }

    @Test(arguments: UInt64(0)..<50)
    func `two alarms lead to every instant, the last of them exact`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<100 {
            let deadline = Int64.random(in: 0...1 << 52, using: &random)
            var now = Int64.random(in: 0...deadline, using: &random)
            var alarms: [Int64] = []
            while now < deadline {
                now = alarm(deadline, at: now)
                alarms.append(now)
            }
            #expect(alarms.count <= 2)
            #expect(now == deadline)
        }
    }
}
