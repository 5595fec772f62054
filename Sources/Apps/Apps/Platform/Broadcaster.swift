internal import Synchronization

/// Hands news to everyone who listens. A listener who does not keep up misses the oldest.
final class Broadcaster<News: Sendable>: Sendable {
    static var backlog: Int { 10_000 }

    private struct State {
        var listeners: [Int: AsyncStream<News>.Continuation] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    func listen() -> AsyncStream<News> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: News.self, bufferingPolicy: .bufferingNewest(Self.backlog))
        let number = state.withLock { state in
            state.next += 1
            state.listeners[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func tell(_ news: News) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(news) }
    }

    func close() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
    }
}
