internal import Dispatch
internal import Synchronization

/// The thread of a store, which makes one decision after another. Calls of clients that wait together are given to the
/// store together, if it likes that.
final class StoreWorker: Sendable {
    typealias Delivery<Answer> = @Sendable (Result<Answer, any Error>, StoreCounts, Duration) -> Void

    private enum Job {
        /// With whether it waited too long.
        case decision(asked: ContinuousClock.Instant, @Sendable (any RoomStore, Bool) -> Void)
        case call(asked: ContinuousClock.Instant, AskedCall, Delivery<RESTDecision>)

        var isCall: Bool { if case .call = self { true } else { false } }
    }

    private struct State {
        var jobs: [Job] = []
        var isWorking = false
    }

    private let queue = DispatchQueue(label: "alcove.rendezvous.store")
    private let store: Mutex<any RoomStore>
    private let state = Mutex(State())
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

    /// Decides soon, and passes the result on before later decisions, so that news arrive in order. If too many
    /// decisions wait, it returns false and does nothing.
    func decide<Answer: Sendable>(
        _ decision: @escaping @Sendable (any RoomStore) throws -> Answer, then deliver: @escaping Delivery<Answer>
    ) -> Bool {
        guard hasRoom() else { return false }
        add(
            .decision(asked: .now) { store, isLate in
                let start = ContinuousClock.now
                let result = Result {
                    if isLate { throw TooLate() }
                    return try decision(store)
                }
                deliver(result, store.counts, ContinuousClock.now - start)
            })
        return true
    }

    /// The same for the call of a client.
    func decide(_ call: AskedCall, then deliver: @escaping Delivery<RESTDecision>) -> Bool {
        guard hasRoom() else { return false }
        add(.call(asked: .now, call, deliver))
        return true
    }

    /// Waits until all earlier requests are decided.
    func drain() async {
        await withCheckedContinuation { continuation in
            waiting.add(1, ordering: .relaxed)
            add(.decision(asked: .now) { _, _ in continuation.resume() })
        }
    }

    private func hasRoom() -> Bool {
        if waiting.add(1, ordering: .relaxed).newValue <= Self.waitingLimit { return true }
        waiting.subtract(1, ordering: .relaxed)
        return false
    }

    private func add(_ job: Job) {
        let isFirst = state.withLock { state in
            state.jobs.append(job)
            defer { state.isWorking = true }
            return !state.isWorking
        }
        if isFirst { queue.async { [self] in work() } }
    }

    private func work() {
        while true {
            let jobs = state.withLock { state in
                defer { state.jobs = [] }
                if state.jobs.isEmpty { state.isWorking = false }
                return state.jobs
            }
            if jobs.isEmpty { return }
            store.withLock { store in
                let most = max(1, store.callsAtOnce)
                var rest = jobs[...]
                while let first = rest.first {
                    let run = first.isCall ? rest.prefix(most).prefix { $0.isCall } : rest.prefix(1)
                    perform(run, store)
                    rest = rest.dropFirst(run.count)
                }
            }
        }
    }

    private func isLate(_ asked: ContinuousClock.Instant) -> Bool {
        patience.map { ContinuousClock.now - asked > $0 } ?? false
    }

    private func perform(_ jobs: ArraySlice<Job>, _ store: any RoomStore) {
        var calls: [(AskedCall, Delivery<RESTDecision>)] = []
        var late: [Delivery<RESTDecision>] = []
        waiting.subtract(jobs.count, ordering: .relaxed)
        for job in jobs {
            switch job {
            case .decision(let asked, let decide): decide(store, isLate(asked))
            case .call(let asked, let call, let deliver):
                if isLate(asked) { late.append(deliver) } else { calls.append((call, deliver)) }
            }
        }
        for deliver in late { deliver(.failure(TooLate()), store.counts, .zero) }
        guard !calls.isEmpty else { return }
        let start = ContinuousClock.now
        let results = store.decide(calls.map(\.0))
        let time = ContinuousClock.now - start
        for ((_, deliver), result) in zip(calls, results) { deliver(result, store.counts, time) }
    }
}
