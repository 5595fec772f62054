import Synchronization

/// Tickets that each let one browser in, once: the address with a ticket shows in lists of processes and in histories.
final class Tickets: Sendable {
    /// Tickets that wait at the same time; a further one takes the place of the oldest.
    static let limit = 16
    /// A browser may have to start first.
    static let lifetime: Duration = .seconds(300)

    private let waiting = Mutex<[(ticket: Secret, end: ContinuousClock.Instant)]>([])

    func issue(at now: ContinuousClock.Instant = .now) -> String {
        let ticket = Secret()
        waiting.withLock { waiting in
            if waiting.count == Self.limit { waiting.removeFirst() }
            waiting.append((ticket, now + Self.lifetime))
        }
        return ticket.text
    }

    /// Whether it is a ticket, which it is not any more afterwards.
    func take(_ text: String, at now: ContinuousClock.Instant = .now) -> Bool {
        waiting.withLock { waiting in
            waiting.removeAll { $0.end <= now }
            guard let index = waiting.firstIndex(where: { $0.ticket.matches(text) }) else { return false }
            waiting.remove(at: index)
            return true
        }
    }
}
