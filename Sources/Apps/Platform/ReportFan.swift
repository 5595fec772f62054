internal import Synchronization

/// Hands each report to everyone who listens. A listener who does not keep up misses the oldest.
final class ReportFan: Sendable {
    static let backlog = 10_000

    private struct State {
        var listeners: [Int: AsyncStream<AppReport>.Continuation] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    func listen() -> AsyncStream<AppReport> {
        let (reports, continuation) = AsyncStream.makeStream(
            of: AppReport.self, bufferingPolicy: .bufferingNewest(Self.backlog))
        let number = state.withLock { state in
            state.next += 1
            state.listeners[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return reports
    }

    func tell(_ report: AppReport) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(report) }
    }

    func close() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
    }
}
