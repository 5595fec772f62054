import Foundation

/// Counts what arrives, and says so ten times a second; two hundred times in the first seconds, to show how the start goes.
final class PathMeter {
    private static let fineSeconds = 2.0

    private let seconds: Double
    private var first: UInt64?
    private var nextSample: UInt64 = 0
    private var bytes = 0
    private(set) var isOver = false

    init(seconds: Double) { self.seconds = seconds }

    func arrived(_ count: Int) {
        let now = monotonicNanoseconds()
        let first = first ?? now
        self.first = first
        bytes += count
        let elapsed = Double(now - first) / 1e9
        isOver = elapsed >= seconds
        guard now >= nextSample || isOver else { return }
        nextSample = now + (elapsed < Self.fineSeconds ? 5_000_000 : 100_000_000)
        PathLine(kind: .sample, at: elapsed, bytes: bytes).say()
    }
}
