internal import Cryptography
internal import Networking
internal import Redis
internal import Synchronization
internal import Wire

/// Receives requests and sockets: connects the parts that decide (limiter, calls, signaling router, store) to the
/// network.
///
/// The network's thread never waits here. Work that needs the store goes to the store's thread and is answered from
/// there; relaying needs no store and stays on the network's thread.
final class RequestHandler: HTTPServerHandler {
    struct State {
        var gate: RequestLimiter
        var router: SignalingRouter
        var sockets: [UInt64: (socket: ServerWebSocket, source: ClientAddress)] = [:]
        var metrics = Metrics()
        /// The address of the client whose socket is being opened; `opened` directly follows `upgrade`.
        var opening: ClientAddress?
        /// As the store last told.
        var stored = StoreCounts()
        /// The last decision failed because a shared store is not there, full or read-only.
        var isStoreAway = false
        /// Codes of which news may have been lost while the store was away.
        var unasked: Set<String> = []
        /// The server is about to stop and should get no more load.
        var isDraining = false
    }

    let configuration: RendezvousConfiguration
    let environment: RendezvousEnvironment
    let mint: TicketMint
    let log: EventLog
    let worker: StoreWorker
    let state: Mutex<State>
    /// To the other nodes; nil if the store is not shared.
    var link: NodeLink? { links.withLock { $0 } }
    private let links = Mutex<NodeLink?>(nil)

    /// - Parameter key: what tickets are made with; the same for all nodes.
    init(
        _ configuration: RendezvousConfiguration, _ environment: RendezvousEnvironment, _ worker: StoreWorker,
        key: SecretBytes
    ) {
        self.configuration = configuration
        self.environment = environment
        self.worker = worker
        mint = TicketMint(key: key)
        log = EventLog(configuration.log, now: environment.now)
        let gate = RequestLimiter(configuration.limits, now: environment.now())
        state = Mutex(
            State(
                gate: gate,
                router: SignalingRouter(
                    limits: configuration.limits, offersServers: !configuration.relays.isEmpty)))
    }

    /// Joins the other nodes, before anything is served.
    func join(_ link: NodeLink) { links.withLock { $0 = link } }

    func source(of request: HTTPRequest, _ peer: PeerAddress) -> ClientAddress {
        let forwarded = configuration.trustsForwardedFor ? request.headers.values("x-forwarded-for").last : nil
        return ClientAddress(forwarded.flatMap(ClientAddress.forwarded) ?? peer.text)
    }

    /// Asks the store. False if too much work waits for it.
    func decide<Answer: Sendable>(
        _ decision: @escaping @Sendable (any RoomStore) throws -> Answer,
        then deliver: @escaping @Sendable (Answer?) -> Void
    ) -> Bool {
        worker.decide(decision) { [self] result, counts, time in deliver(settle(result, counts, time)) }
    }

    /// The same for the call of a client.
    func decide(_ call: AskedCall, then deliver: @escaping @Sendable (RESTDecision?) -> Void) -> Bool {
        worker.decide(call) { [self] result, counts, time in deliver(settle(result, counts, time)) }
    }

    private func settle<Answer>(_ result: Result<Answer, any Error>, _ counts: StoreCounts, _ time: Duration) -> Answer?
    {
        var answer: Answer?
        var isAway = false
        switch result {
        case .success(let decided): answer = decided
        case .failure(let error):
            isAway = error is RedisError || error is StoreWorker.TooLate
            log.log("store_failed", ["reason": .string("\(error)")])
        }
        state.withLock { state in
            if answer != nil { state.stored = counts }
            state.isStoreAway = isAway
            state.metrics.stored(in: time, failed: answer == nil)
        }
        return answer
    }
}
