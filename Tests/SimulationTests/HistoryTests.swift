// Years in the life of the daemon, from seeds: everything that can happen, in any order, and after
// every event the promises of the README.
//
// To see a failing seed again: SCHEDD_SEED=N Tests/run --filter SimulationTests

import Foundation
import TestSupport
import Testing

struct HistoryTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let isLong = environment["SCHEDD_LONG"] == "1"
    /// Histories are told apart by consecutive seeds, in groups that run beside each other.
    private static let groups = isLong ? 1_000 : 10
    private static let seedsPerGroup: UInt64 = isLong ? 100 : 20

    @Test(arguments: 0..<groups)
    func `every promise holds in every history`(group: Int) {
        let first = UInt64(group) * Self.seedsPerGroup + 1
        for seed in first..<first + Self.seedsPerGroup {
            if let failure = Self.failure(of: seed) {
                Issue.record("seed \(seed): \(failure)")
                return
            }
        }
    }

    /// A number, or a commit's hash, whose first 16 digits are taken: new seeds with every commit.
    @Test(.enabled(if: environment["SCHEDD_SEED"] != nil))
    func `every promise holds in the histories of this commit`() throws {
        let text = try #require(Self.environment["SCHEDD_SEED"])
        let number = UInt64(text) ?? UInt64(text.prefix(16), radix: 16)
        let seed = try #require(number, "\(text) is no seed")
        if let failure = Self.failure(of: seed) { Issue.record("seed \(seed): \(failure)") }
    }

    @Test func `histories meet what they are made for`() {
        var sum = Statistics()
        for seed in UInt64(1)...60 {
            sum.add(Simulation.play(Scenario.history(seed: seed)).statistics)
        }
        #expect(sum.fired > 500 && sum.shown > 300 && sum.late > 50 && sum.missed > 20)
        #expect(sum.deaths > 40 && sum.failedCommits > 20 && sum.repeats > 0)
        #expect(sum.refused > 20 && sum.evicted > 0)
    }

    private static func failure(of seed: UInt64) -> String? {
        let history = Scenario.history(seed: seed)
        return Simulation.play(history).failure.map {
            ShortestFailure(history, failure: $0).trace
        }
    }
}
