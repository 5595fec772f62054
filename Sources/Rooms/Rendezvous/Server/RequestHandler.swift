internal import Cryptography
internal import Networking
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
    }

    let configuration: RendezvousConfiguration
    let environment: RendezvousEnvironment
    let mint: TicketMint
    let log: EventLog
    let worker: StoreWorker
    let state: Mutex<State>

    init(_ configuration: RendezvousConfiguration, _ environment: RendezvousEnvironment, _ worker: StoreWorker) {
        self.configuration = configuration
        self.environment = environment
        self.worker = worker
        mint = TicketMint(key: SecretBytes(copying: environment.random(32)))
        log = EventLog(configuration.log, now: environment.now)
        let gate = RequestLimiter(configuration.limits, now: environment.now())
        state = Mutex(State(gate: gate, router: SignalingRouter(limits: configuration.limits)))
    }

    func source(of request: HTTPRequest, _ peer: PeerAddress) -> ClientAddress {
        let forwarded = configuration.trustsForwardedFor ? request.headers.values("x-forwarded-for").last : nil
        return ClientAddress(forwarded.flatMap(ClientAddress.forwarded) ?? peer.text)
    }

    /// Asks the store. False if too much work waits for it.
    func decide<Answer: Sendable>(
        _ decision: @escaping @Sendable (any RoomStore) throws -> Answer,
        then deliver: @escaping @Sendable (Answer?) -> Void
    ) -> Bool {
        worker.decide({ store in (try decision(store), store.counts) }) { [self] result, time in
            var answer: Answer?
            switch result {
            case .success(let (decided, counts)):
                answer = decided
                state.withLock { $0.stored = counts }
            case .failure(let error):
                log.log("store_failed", ["reason": .string("\(error)")])
            }
            state.withLock { $0.metrics.stored(in: time, failed: answer == nil) }
            deliver(answer)
        }
    }
}
