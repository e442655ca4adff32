// From a history that fails to a short one: steps are dropped, largest pieces first, as long as it
// still fails, and then requests out of batches.

import CivilTime
import TestSupport

/// A failing history and why it fails.
struct ShortestFailure {
    var start: WallInstant
    var steps: [Step]
    var failure: String

    /// Shrinks `steps`, which fail with `failure`.
    init(start: WallInstant, steps: [Step], failure: String) {
        self.start = start
        self.steps = steps
        self.failure = failure
        var size = max(steps.count / 2, 1)
        while true {
            let before = self.steps.count
            dropPieces(of: size)
            if size > 1 {
                size = max(size / 2, 1)
            } else if self.steps.count == before {
                break
            }
        }
        dropDrafts()
    }

    private mutating func dropPieces(of size: Int) {
        var index = 0
        while index < steps.count {
            var shorter = steps
            shorter.removeSubrange(index..<min(index + size, shorter.count))
            if !keep(shorter) { index += size }
        }
    }

    private mutating func dropDrafts() {
        for index in steps.indices {
            guard case .add(let app, let drafts, let policy) = steps[index] else { continue }
            var left = drafts
            for place in drafts.indices.reversed() where left.count > 1 {
                var fewer = left
                fewer.remove(at: place)
                var shorter = steps
                shorter[index] = .add(app: app, fewer, policy)
                if keep(shorter) { left = fewer }
            }
        }
    }

    /// Takes the shorter history if it fails as well.
    private mutating func keep(_ shorter: [Step]) -> Bool {
        var simulation = Simulation(start: start)
        simulation.play(shorter)
        guard let failure = simulation.failure else { return false }
        steps = shorter
        self.failure = failure
        return true
    }

    /// What a reader needs.
    var trace: String {
        let lines = steps.enumerated().map { "  \($0 + 1). \($1)" }
        return "\(failure)\nbegins \(start.text)\n" + lines.joined(separator: "\n")
    }
}
