import Foundation

/// Prints what happens in the demo, each line with the time since it began.
struct DemoTimeline: Sendable {
    private let silent: Bool
    private let start = ContinuousClock.now

    init(silent: Bool) { self.silent = silent }

    func say(_ who: String, _ what: String) {
        guard !silent else { return }
        let milliseconds = (ContinuousClock.now - start).milliseconds
        let time = String(format: "%8.1f ms", milliseconds)
        Terminal.print("\(time)  \(who.padding(toLength: 8, withPad: " ", startingAt: 0))  \(what)")
    }
}

extension Duration {
    var milliseconds: Double {
        Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
    }
}
