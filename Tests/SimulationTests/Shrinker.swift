// From a history that fails to a short one: steps are dropped, largest pieces first, as long as it
// still fails, and then requests out of batches.

import CivilTime
import TestSupport

/// A failing history and why it fails.
struct ShortestFailure {
    private(set) var history: History
    private(set) var failure: String

    /// Shrinks `history`, which fails with `failure`.
    init(_ history: History, failure: String) {
        self.history = history
        self.failure = failure
        var size = max(history.steps.count / 2, 1)
        while true {
            let before = self.history.steps.count
            dropPieces(of: size)
            if size > 1 {
                size = max(size / 2, 1)
            } else if self.history.steps.count == before {
                break
            }
        }
        dropDrafts()
    }

    private mutating func dropPieces(of size: Int) {
        var index = 0
        while index < history.steps.count {
            var shorter = history.steps
            shorter.removeSubrange(index..<min(index + size, shorter.count))
            if !keep(shorter) { index += size }
        }
    }

    private mutating func dropDrafts() {
        for index in history.steps.indices {
            guard case .add(let app, let drafts, let policy) = history.steps[index] else {
                continue
            }
            var left = drafts
            for place in drafts.indices.reversed() where left.count > 1 {
                var fewer = left
                fewer.remove(at: place)
                var shorter = history.steps
                shorter[index] = .add(app: app, fewer, policy)
                if keep(shorter) { left = fewer }
            }
        }
    }

    /// Takes the shorter steps if they fail as well.
    private mutating func keep(_ shorter: [Step]) -> Bool {
        var attempt = history
        attempt.steps = shorter
        guard let failure = Simulation.play(attempt).failure else { return false }
        history = attempt
        self.failure = failure
        return true
    }

    /// What a reader needs.
    var trace: String {
        let lines = history.steps.enumerated().map { "  \($0 + 1). \($1)" }
        return "\(failure)\nbegins \(history.start.text), timer lag \(spanText(history.timerLag))\n"
            + lines.joined(separator: "\n")
    }
}
