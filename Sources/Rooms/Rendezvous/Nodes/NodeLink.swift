internal import Cryptography
internal import Dispatch
internal import Platform
internal import Redis
internal import Synchronization

/// Connects this node to the others: says in Redis who sits here, and passes on messages by publish and subscribe.
///
/// Work is done one piece after another on one queue; a thread of its own listens. If Redis was away, messages may be
/// lost in both directions. After each reconnect, of either, this node says anew who sits here, tells late what it could
/// not tell (``NodeMessage/late``), and asks the store what became of the codes that are watched here.
final class NodeLink: Sendable {
    struct State {
        var jobs: [Job] = []
        /// How many of them are messages.
        var messages = 0
        var isWorking = false
        var isHearing = false
        /// What fails at present, so that the log says each failure once.
        var failing: Set<Failing> = []
        /// Something was lost. So it is before the first connection.
        var hasLost = true
        var hasStopped = false
        var seen: [String: SeenNumbers] = [:]
    }

    /// The most messages that may wait.
    static let waitingLimit = 10_000
    /// Seconds that the end may take.
    private static let goodbye = 10.0
    /// How long the place of a socket is kept if nobody takes it away, in milliseconds.
    static let seatLifetime = 30 * 86_400_000

    let id: String
    let address: RedisAddress
    let namespace: String
    let timing: NodeTiming
    let key: SecretBytes
    let log: EventLog
    let deliver: @Sendable (Event) -> Void
    /// The most pieces of other work that may wait. Saying anew who sits here must fit, or it would begin again and
    /// again.
    private let workLimit: Int
    let state = Mutex(State())
    private let queue = DispatchQueue(label: "alcove.rendezvous.nodes")
    private let worker: Mutex<Worker>

    /// - Parameter sockets: the most that this node may have.
    init(id: String, _ shared: SharedStore, sockets: Int, log: EventLog, deliver: @escaping @Sendable (Event) -> Void) {
        self.id = id
        workLimit = Self.waitingLimit + 2 * sockets
        address = shared.address
        namespace = shared.namespace
        timing = shared.timing
        key = shared.key(for: "envelopes")
        self.log = log
        self.deliver = deliver
        worker = Mutex(Worker(client: RedisClient(shared.address, timeout: shared.timing.answer)))
    }

    // Subscriptions do not belong to a database, so the channels name it.
    func channel(_ node: String) -> String { "\(namespace)\(address.database):to:\(node)" }
    var everybody: String { "\(namespace)\(address.database):all" }

    func start() {
        // Before anybody is seated here: the seats of a node without a sign of life are free.
        beat(remote: [])
        _ = PlatformThread.start(name: "nodes") { [self] in listen() }
    }

    /// Does what waits, and says goodbye. A Redis that is slow holds the server up for ``goodbye`` at most: without a sign of life the other nodes
    /// notice soon that it is gone.
    func stop() async {
        state.withLock { $0.hasStopped = true }
        await withCheckedContinuation { done in
            let waiting = Mutex<CheckedContinuation<Void, Never>?>(done)
            let goOn: @Sendable () -> Void = { waiting.withLock { $0.take() }?.resume() }
            queue.async { [self] in
                worker.withLock { _ = try? $0.client.command(RedisCommand("DEL", "\(namespace)node:\(id)")) }
                goOn()
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.goodbye, execute: goOn)
        }
    }

    func perform(_ request: SignalingRouter.NodeRequest) { add(.request(request)) }

    func broadcast(_ message: NodeMessage) { add(.tell(nil, message)) }

    func tell(_ node: String, _ message: NodeMessage) { if node != id { add(.tell(node, message)) } }

    /// A sign of life, once a second. `remote` are the nodes at which somebody sits opposite one of ours.
    func beat(remote: Set<String>) { add(.beat(remote: remote)) }

    // MARK: Work

    private func add(_ job: Job) {
        let isFirst = state.withLock { state in
            guard !state.hasStopped else { return false }
            // One sign of life says all: they would pile up while Redis is slow.
            if job.isBeat, let waiting = state.jobs.firstIndex(where: \.isBeat) {
                state.jobs[waiting] = job
            } else if job.isBeat || hasRoom(for: job, state) {
                state.jobs.append(job)
                if job.isMessage { state.messages += 1 }
            } else {
                state.hasLost = true
            }
            // What waits does not say that somebody works: after a failure it waits for the next sign of life, or whatever else comes, also
            // if there is no room for that.
            defer { state.isWorking = true }
            return !state.isWorking
        }
        if isFirst { queue.async { [self] in work() } }
    }

    private func hasRoom(for job: Job, _ state: State) -> Bool {
        job.isMessage ? state.messages < Self.waitingLimit : state.jobs.count - state.messages < workLimit
    }

    private func work() {
        while true {
            var jobs = state.withLock { state in
                defer { (state.jobs, state.messages) = ([], 0) }
                if state.jobs.isEmpty { state.isWorking = false }
                return state.jobs[...]
            }
            if jobs.isEmpty { return }
            let events = worker.withLock { worker -> [Event]? in
                do {
                    return try perform(&jobs, &worker)
                } catch {
                    worker.wasAlive = false
                    failed(.telling, error)
                    // What Redis refuses for its own sake it would refuse for ever.
                    if (error as? RedisError)?.code == .refused { jobs = jobs.dropFirst() }
                    defer { worker.outbox.removeAll() }
                    fail(owing: worker.outbox.owed + jobs.flatMap(\.owed))
                    return nil
                }
            }
            guard let events else { return }
            works(.telling)
            for event in events { deliver(event) }
        }
    }

    /// What is owed waits, in front of all else, for the next sign of life or whatever else is to be done.
    private func fail(owing owed: [Job]) {
        state.withLock { state in
            state.hasLost = true
            state.isWorking = false
            var kept = 0
            for job in owed where hasRoom(for: job, state) {
                state.jobs.insert(job, at: kept)
                if job.isMessage { state.messages += 1 }
                kept += 1
            }
        }
    }

    /// Whether the other nodes hear this one and it hears them.
    var isConnected: Bool { state.withLock { $0.isHearing && !$0.hasLost } }

    var hasStopped: Bool { state.withLock { $0.hasStopped } }
}
