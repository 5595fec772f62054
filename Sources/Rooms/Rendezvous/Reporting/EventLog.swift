internal import Dispatch
internal import Synchronization
internal import Wire

/// Writes one line of JSON for each event: what happened and when, never who, which code or from where.
///
/// Writing happens on its own thread, so that a slow reader of the log does not delay requests. If too many lines wait,
/// further ones are dropped, and their number is written later.
final class EventLog: Sendable {
    private let write: (@Sendable (String) -> Void)?
    private let now: @Sendable () -> Timestamp
    private let queue = DispatchQueue(label: "alcove.rendezvous.log")
    private let backlog = Mutex((waiting: 0, dropped: 0))

    /// The most lines that may wait.
    static let waitingLimit = 10_000

    init(_ write: (@Sendable (String) -> Void)?, now: @escaping @Sendable () -> Timestamp) {
        self.write = write
        self.now = now
    }

    func log(_ event: StaticString, _ details: @autoclosure () -> JSONObject = [:]) {
        guard let write else { return }
        guard let dropped = admit() else { return }
        if dropped > 0 { enqueue(line("dropped", ["lines": .number(String(dropped))]), write) }
        enqueue(line(event, details()), write)
    }

    /// Waits until all lines are written.
    func drain() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// How many lines were dropped before this one; nil if this one is dropped too.
    private func admit() -> Int? {
        backlog.withLock { backlog in
            guard backlog.waiting < Self.waitingLimit else {
                backlog.dropped += 1
                return nil
            }
            defer { backlog.dropped = 0 }
            return backlog.dropped
        }
    }

    private func enqueue(_ line: String, _ write: @escaping @Sendable (String) -> Void) {
        backlog.withLock { $0.waiting += 1 }
        queue.async { [self] in
            write(line)
            backlog.withLock { $0.waiting -= 1 }
        }
    }

    private func line(_ event: StaticString, _ details: JSONObject) -> String {
        var line: JSONObject = ["time": .string(now().iso8601), "event": .string("\(event)")]
        for detail in details.members { line.append(detail.name, detail.value) }
        return JSONValue.object(line).text
    }
}
