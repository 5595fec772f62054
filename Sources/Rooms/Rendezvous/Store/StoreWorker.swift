internal import Dispatch
internal import Synchronization

/// The thread of a store, which makes one decision after another.
final class StoreWorker: Sendable {
    private let queue = DispatchQueue(label: "alcove.rendezvous.store")
    private let store: Mutex<any RoomStore>
    private let waiting = Atomic(0)

    /// The most decisions that may wait.
    static let waitingLimit = 10_000

    /// How long a decision may have waited; nil for any time.
    private let patience: Duration?

    /// A decision waited too long: the store is too slow, and whoever asked may have given up.
    struct TooLate: Error {}

    init(_ store: sending any RoomStore, patience: Duration? = nil) {
        self.store = Mutex(store)
        self.patience = patience
    }

    /// Decides soon, and passes the result on before the next decision, so that news arrive in order. If too many
    /// decisions wait, it returns false and does nothing.
    func decide<Answer: Sendable>(
        _ decision: @escaping @Sendable (any RoomStore) throws -> Answer,
        then deliver: @escaping @Sendable (Result<Answer, any Error>, Duration) -> Void
    ) -> Bool {
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.waitingLimit else {
            waiting.subtract(1, ordering: .relaxed)
            return false
        }
        let asked = ContinuousClock.now
        queue.async { [self] in
            let start = ContinuousClock.now
            let isLate = patience.map { start - asked > $0 } ?? false
            let result = store.withLock { store in
                Result {
                    if isLate { throw TooLate() }
                    return try decision(store)
                }
            }
            waiting.subtract(1, ordering: .relaxed)
            deliver(result, ContinuousClock.now - start)
        }
        return true
    }

    /// Waits until all earlier requests are decided.
    func drain() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}
